/* Makes one call for each line of input, and prints its result and how many milliseconds it took. */
#include <audiosession.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static as_manager *manager;
static as_session *session;

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static as_status open_manager(as_manager **opened, bool waits, const char *remote, as_error *error) {
    as_manager_options options = AS_MANAGER_OPTIONS_INIT;
    options.timeout = 2000;
    options.waits_for_pipewire = waits;
    options.remote = remote;
    options.application_name = "deadlines";
    return as_manager_open(&options, opened, error);
}

static as_status open_another(bool waits, const char *remote, as_error *error) {
    as_manager *another = NULL;
    as_status status = open_manager(&another, waits, remote, error);
    if (another) as_manager_close(another);
    return status;
}

static as_status mix(bool mixes, as_error *error) {
    as_configuration configuration = AS_CONFIGURATION_INIT;
    configuration.category = AS_CATEGORY_PLAYBACK;
    configuration.options = mixes ? AS_OPTION_MIX_WITH_OTHERS : 0;
    return as_session_configure(session, &configuration, error);
}

static as_status execute(const char *line, as_error *error) {
    if (strcmp(line, "activate") == 0) return as_session_activate(session, error);
    if (strcmp(line, "deactivate") == 0) return as_session_deactivate(session, true, error);
    if (strcmp(line, "mix") == 0) return mix(true, error);
    if (strcmp(line, "unmix") == 0) return mix(false, error);
    if (strcmp(line, "open") == 0) return open_another(false, NULL, error);
    if (strcmp(line, "wait") == 0) return open_another(true, "no-such-pipewire", error);
    if (strcmp(line, "destroy") == 0) return as_session_destroy(session);
    if (strcmp(line, "close") == 0) return as_manager_close(manager);
    return AS_ERROR_BAD_PARAM;
}

static void state(void) {
    static const char *const names[] = {"inactive", "active", "interrupted"};
    as_session_info info = AS_SESSION_INFO_INIT;
    as_session_get_info(session, &info);
    printf("state %s\n", names[info.state]);
}

int main(void) {
    char line[80];
    as_error error = AS_ERROR_INIT;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (open_manager(&manager, false, NULL, &error) != AS_OK ||
        as_session_create(manager, NULL, &session, &error) != AS_OK || mix(false, &error) != AS_OK) {
        printf("%s\n", error.message);
        return 1;
    }
    puts("ready");
    while (fgets(line, sizeof(line), stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (strcmp(line, "state") == 0) {
            state();
            continue;
        }
        long begin = now();
        as_status status = execute(line, &error);
        printf("%s %s %ld\n", line, as_status_name(status), now() - begin);
    }
    return 0;
}
