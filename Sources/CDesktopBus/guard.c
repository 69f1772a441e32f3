#include "internal.h"

#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ORDER_SIZE = 16 * 1024, PATIENCE = 100 /* times 10 ms */, LIMIT = 2 * 1000 * 1000 };

struct cdb_guard {
    int file;
};

bool cdb_claim_name(const char *owner, char *name) {
    int length = snprintf(name, CDB_CLAIM_SIZE, "org.AudioSessions.Paused.%s", owner);
    if (owner[0] != ':' || owner[1] == '\0' || length >= CDB_CLAIM_SIZE)
        return false;
    char *element = strrchr(name, ':');
    *element = 'p';
    for (; *element != '\0'; element++)
        if (*element == '.')
            *element = '_';
        else if (!isalnum((unsigned char)*element) && *element != '_' && *element != '-')
            return false;
    return true;
}

/* ---- In the guard ------------------------------------------------------------------------------------------ */

/* Whoever claims the player; false if nobody does. */
static bool get_claimer(sd_bus *bus, const char *player, char *claimer) {
    char claim[CDB_CLAIM_SIZE];
    sd_bus_message *reply = NULL;
    const char *owner = NULL;
    bool has_owner = cdb_claim_name(player, claim) &&
                     sd_bus_call_method(bus, BUS_NAME, BUS_PATH, BUS_NAME, "GetNameOwner", NULL, &reply, "s", claim) >=
                         0 &&
                     sd_bus_message_read(reply, "s", &owner) >= 0;
    snprintf(claimer, CDB_CLAIM_SIZE, "%s", has_owner ? owner : "");
    sd_bus_message_unref(reply);
    return has_owner;
}

/* The bus may not have noticed the master's end yet. Whoever else claims the player lets it play when the time comes. */
static bool is_claimed(sd_bus *bus, const char *player, const char *master) {
    char claimer[CDB_CLAIM_SIZE];
    for (int turn = 0; turn < PATIENCE; turn++) {
        if (!get_claimer(bus, player, claimer))
            return false;
        if (strcmp(claimer, master) != 0)
            return true;
        nanosleep(&(struct timespec){0, 10 * 1000 * 1000}, NULL);
    }
    return false;
}

static void resume(sd_bus *bus, const char *player) {
    sd_bus_message *message = NULL;
    if (sd_bus_message_new_method_call(bus, &message, player, MPRIS_PATH, MPRIS_PLAYER, "Play") >= 0 &&
        sd_bus_message_set_auto_start(message, 0) >= 0 && sd_bus_message_set_expect_reply(message, 0) >= 0)
        sd_bus_send(bus, message, NULL);
    sd_bus_message_unref(message);
}

/* The order is a line for the master and one for each player. */
static void carry_out(const char *address, char *order) {
    char *rest = NULL;
    const char *master = strtok_r(order, "\n", &rest);
    const char *player = master != NULL ? strtok_r(NULL, "\n", &rest) : NULL;
    if (player == NULL)
        return;
    sd_bus *bus = NULL;
    if (sd_bus_new(&bus) >= 0 && sd_bus_set_address(bus, address) >= 0 && sd_bus_set_bus_client(bus, 1) >= 0 &&
        sd_bus_set_method_call_timeout(bus, LIMIT) >= 0 && sd_bus_start(bus) >= 0) {
        for (; player != NULL; player = strtok_r(NULL, "\n", &rest))
            if (!is_claimed(bus, player, master))
                resume(bus, player);
        sd_bus_flush(bus);
    }
    sd_bus_close_unref(bus);
}

/* Keeps nothing of the program that it was copied from: PipeWire is to see that one's end, and so is whoever reads what
 * it prints. No signal that is meant for the program ends the guard before it has done its work. */
static int detach(int file) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    prctl(PR_SET_NAME, "audio-guard");
    // Out of the way first: any of the standard files may have been closed.
    int own = fcntl(file, F_DUPFD, 10), null = open("/dev/null", O_RDWR);
    if (own < 0 || null < 0 || chdir("/") < 0)
        return -1;
    for (int standard = 0; standard < 3; standard++)
        if (null != standard && dup2(null, standard) < 0)
            return -1;
    if (dup2(own, 3) < 0)
        return -1;
    return close_range(4, ~0U, 0);
}

static _Noreturn void watch_over(int file, const char *address) {
    static char order[ORDER_SIZE + 1], news[ORDER_SIZE];
    if (detach(file) < 0)
        _exit(1);
    for (;;) {
        ssize_t size = recv(3, news, sizeof(news), 0);
        if (size > 0) {
            memcpy(order, news, (size_t)size);
            order[size] = '\0';
        } else if (size == 0 || errno != EINTR) {
            break;
        }
    }
    carry_out(address, order);
    _exit(0);
}

/* ---- In the program ---------------------------------------------------------------------------------------- */

/* Between fork and the master's end the guard calls nothing that another thread's lock could hold up; afterwards it
 * allocates memory, which glibc allows in the child of a program with threads, and opens a bus of its own. It is its
 * grandparent's no longer, so that the program has no child that it does not know. */
static int start(int file, const char *address) {
    pid_t child = fork();
    if (child < 0)
        return -errno;
    if (child == 0) {
        setsid();
        pid_t guard = fork();
        if (guard == 0)
            watch_over(file, address);
        _exit(guard < 0 ? 1 : 0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return 0; // A program that ignores SIGCHLD is told nothing.
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -EAGAIN;
}

cdb_guard *cdb_guard_create(const char *address, int *error) {
    int files[2];
    cdb_guard *guard = malloc(sizeof(*guard));
    if (guard == NULL || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, files) < 0) {
        *error = guard == NULL ? -ENOMEM : -errno;
        free(guard);
        return NULL;
    }
    guard->file = files[0];
    *error = start(files[1], address);
    close(files[1]);
    if (*error >= 0)
        return guard;
    cdb_guard_destroy(guard);
    return NULL;
}

int cdb_guard_tell(cdb_guard *guard, const char *master, const char *const *players, uint32_t count) {
    char order[ORDER_SIZE];
    size_t length = (size_t)snprintf(order, sizeof(order), "%s\n", master);
    for (uint32_t index = 0; index < count && length < sizeof(order); index++)
        length += (size_t)snprintf(order + length, sizeof(order) - length, "%s\n", players[index]);
    if (length >= sizeof(order))
        return -EMSGSIZE;
    return send(guard->file, order, length, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -errno : 0;
}

void cdb_guard_destroy(cdb_guard *guard) {
    close(guard->file);
    free(guard);
}
