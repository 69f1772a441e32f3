#include "internal.h"

#include "CProcess.h"

#include <ctype.h>
#include <stdio.h>
#include <time.h>

/* The process ends after LIMIT although its calls of a bus that hangs may last longer, because a
 * player that plays later surprises its user. */
enum { ORDER_SIZE = 16 * 1024, CALL_LIMIT = 2 * 1000 * 1000 /* us */, LIMIT = 5 /* s */ };

static const uint64_t notice_limit = 1000 * 1000; /* us, until the bus notices the program's end */

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

/* ---- In the watchdog ------------------------------------------------------------------------- */

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 * 1000 + (uint64_t)time.tv_nsec / 1000;
}

/* Stores the unique name of the claim's owner, or an empty one if no program claims the player.
 * False if that is unknown. */
static bool get_claim_owner(sd_bus *bus, const char *player, char *claim_owner) {
    char claim[CDB_CLAIM_SIZE];
    sd_bus_message *reply = NULL;
    sd_bus_error error = SD_BUS_ERROR_NULL;
    const char *owner = "";
    bool is_known =
        cdb_claim_name(player, claim) &&
        sd_bus_call_method(bus, BUS_NAME, BUS_PATH, BUS_NAME, "GetNameOwner", &error, &reply, "s", claim) >= 0 &&
        sd_bus_message_read(reply, "s", &owner) > 0;
    if (sd_bus_error_has_name(&error, SD_BUS_ERROR_NAME_HAS_NO_OWNER))
        is_known = true;
    snprintf(claim_owner, CDB_CLAIM_SIZE, "%s", owner);
    sd_bus_error_free(&error);
    sd_bus_message_unref(reply);
    return is_known;
}

/* Whether another program claims the player, which then also resumes it. True if the bus gives no
 * answer, because a player that stays paused is the lesser fault. Waits until the deadline, because
 * the bus may not have noticed the program's end yet. */
static bool is_claimed(sd_bus *bus, const char *player, const char *program, uint64_t deadline) {
    char claim_owner[CDB_CLAIM_SIZE];
    while (get_claim_owner(bus, player, claim_owner)) {
        if (claim_owner[0] == '\0')
            return false;
        if (strcmp(claim_owner, program) != 0)
            return true;
        if (now() >= deadline)
            return false;
        nanosleep(&(struct timespec){0, 10 * 1000 * 1000}, NULL);
    }
    return true;
}

static void resume(sd_bus *bus, const char *player) {
    sd_bus_message *message = NULL;
    if (sd_bus_message_new_method_call(bus, &message, player, MPRIS_PATH, MPRIS_PLAYER, "Play") >= 0 &&
        sd_bus_message_set_auto_start(message, 0) >= 0 && sd_bus_message_set_expect_reply(message, 0) >= 0)
        sd_bus_send(bus, message, NULL);
    sd_bus_message_unref(message);
}

/* The work of the watchdog. The order has a line for the program, and one for each player. */
static void resume_players(const char *address, char *order) {
    char *rest = NULL;
    const char *program = strtok_r(order, "\n", &rest);
    const char *player = program != NULL ? strtok_r(NULL, "\n", &rest) : NULL;
    if (player == NULL)
        return;
    cpr_watchdog_end_after(LIMIT);
    sd_bus *bus = NULL;
    if (sd_bus_new(&bus) >= 0 && sd_bus_set_address(bus, address) >= 0 && sd_bus_set_bus_client(bus, 1) >= 0 &&
        sd_bus_set_method_call_timeout(bus, CALL_LIMIT) >= 0 && sd_bus_start(bus) >= 0) {
        uint64_t deadline = now() + notice_limit; /* the bus then notices it for all players */
        for (; player != NULL; player = strtok_r(NULL, "\n", &rest))
            if (!is_claimed(bus, player, program, deadline))
                resume(bus, player);
        sd_bus_flush(bus);
    }
    sd_bus_close_unref(bus);
}

/* ---- In the program -------------------------------------------------------------------------- */

/* There is no trial, because sd-bus has no lock that is shared by all buses, and loads no library. */
cdb_watchdog *cdb_watchdog_create(const char *address, int *error) { return cpr_watchdog_create(resume_players, NULL, address, error); }

int cdb_watchdog_set_players(cdb_watchdog *watchdog, const char *program, const char *const *players, uint32_t count) {
    char order[ORDER_SIZE];
    size_t length = (size_t)snprintf(order, sizeof(order), "%s\n", program);
    for (uint32_t index = 0; index < count && length < sizeof(order); index++)
        length += (size_t)snprintf(order + length, sizeof(order) - length, "%s\n", players[index]);
    return length >= sizeof(order) ? -EMSGSIZE : cpr_watchdog_set_order(watchdog, order, length);
}

void cdb_watchdog_destroy(cdb_watchdog *watchdog) { cpr_watchdog_destroy(watchdog); }
