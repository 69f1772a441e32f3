/* Calls in a child that was forked without exec: each call has its own child and a time limit.
 * "calls" makes them after the parent has opened a manager, "outlive" leaves a child behind,
 * "first" lets a child open the first manager. */
#include <audiosession.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A call that waits does so for the library's default of 5 s. A program that is executed has to start. */
enum { LIMIT = 4 * 1000 /* ms */, START_LIMIT = 60 * 1000, WRONG_MESSAGE = 100 };

static as_manager *manager;
static as_session *session;
static as_route *route;

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* The message must name an alternative. */
static int result(as_status status, const as_error *error) {
    bool is_helpful = strstr(error->message, "exec") && strstr(error->message, "\"spawn\"");
    return status == AS_ERROR_FORKED && !is_helpful ? WRONG_MESSAGE : (int)status;
}

static int open_first(as_error *error) {
    as_configuration configuration = AS_CONFIGURATION_INIT;
    configuration.category = AS_CATEGORY_PLAYBACK;
    as_status status = as_manager_open(NULL, &manager, error);
    if (status == AS_OK) status = as_session_create(manager, &configuration, &session, error);
    if (status == AS_OK) status = as_session_activate(session, error);
    if (status == AS_OK) status = as_manager_get_available_ports(manager, &route);
    return (int)status;
}

static int call(const char *name) {
    as_error error = AS_ERROR_INIT;
    as_configuration configuration = AS_CONFIGURATION_INIT;
    if (strcmp(name, "activate") == 0) return result(as_session_activate(session, &error), &error);
    if (strcmp(name, "deactivate") == 0) return result(as_session_deactivate(session, true, &error), &error);
    if (strcmp(name, "configure") == 0) return result(as_session_configure(session, &configuration, &error), &error);
    if (strcmp(name, "rate") == 0) return result(as_session_set_preferred_sample_rate(session, 48000, &error), &error);
    if (strcmp(name, "override") == 0) return result(as_session_override_output(session, true, &error), &error);
    if (strcmp(name, "create") == 0) {
        as_session *made;
        return result(as_session_create(manager, NULL, &made, &error), &error);
    }
    if (strcmp(name, "open") == 0) {
        as_manager *made;
        return result(as_manager_open(NULL, &made, &error), &error);
    }
    if (strcmp(name, "info") == 0) {
        as_session_info info = AS_SESSION_INFO_INIT;
        return (int)as_session_get_info(session, &info);
    }
    if (strcmp(name, "count") == 0)
        return as_route_count(route, AS_DIRECTION_OUTPUT) == 0 ? (int)AS_ERROR_FORKED : (int)AS_OK;
    if (strcmp(name, "handler") == 0) return (int)as_session_set_handler(session, NULL, NULL);
    if (strcmp(name, "destroy") == 0) return (int)as_session_destroy(session);
    if (strcmp(name, "close") == 0) return (int)as_manager_close(manager);
    exit(0); /* "exit": with all exit handlers of a program */
}

static void wait_for(pid_t child, const char *name, long limit) {
    long begin = now();
    int status;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (now() - begin > limit) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            printf("%s hangs\n", name);
            return;
        }
        nanosleep(&(struct timespec){0, 1000 * 1000}, NULL);
    }
    if (WIFSIGNALED(status)) printf("%s ended by signal %d\n", name, WTERMSIG(status));
    else if (WEXITSTATUS(status) == WRONG_MESSAGE) printf("%s does not say what to do\n", name);
    else printf("%s %s %ld\n", name, as_status_name((as_status)WEXITSTATUS(status)), now() - begin);
}

static void make_calls(const char *program) {
    static const char *const names[] = {"exit",   "info",     "count",  "activate", "deactivate", "configure", "rate",
                                        "create", "override", "handler",  "destroy",    "close",     "open"};
    for (size_t index = 0; index < sizeof(names) / sizeof(*names); index++) {
        pid_t child = fork();
        if (child == 0) _exit(call(names[index]));
        wait_for(child, names[index], LIMIT);
    }
    pid_t child = fork();
    if (child == 0) {
        execl(program, program, "first", NULL);
        _exit(1);
    }
    wait_for(child, "exec", START_LIMIT);
    as_error error = AS_ERROR_INIT;
    printf("parent %s\n", as_status_name(as_session_deactivate(session, true, &error)));
    printf("again %s\n", as_status_name(as_session_activate(session, &error)));
}

static void outlive(void) {
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        for (;;) pause();
    }
    printf("child %d\n", (int)child);
    getchar();
    _exit(0);
}

int main(int count, char **arguments) {
    as_error error = AS_ERROR_INIT;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (count < 2) return 2;
    if (strcmp(arguments[1], "first") == 0) {
        pid_t child = fork();
        if (child == 0) _exit(open_first(&error));
        wait_for(child, "first", START_LIMIT);
        return 0;
    }
    if (open_first(&error) != AS_OK) {
        printf("%s\n", error.message);
        return 1;
    }
    puts(as_route_count(route, AS_DIRECTION_OUTPUT) > 0 ? "active, with outputs" : "active");
    if (strcmp(arguments[1], "outlive") == 0) outlive();
    make_calls(arguments[0]);
    return 0;
}
