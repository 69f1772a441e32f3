/* A program around the recipe for main loops in Docs/Integrating.md: it plays until the end of its input. */
#include <poll.h>
#include <stdio.h>

/* recipe */
#include "audiosession-loader.h"

static as_manager *open_manager(int *events) { /* the descriptor that the main loop polls, or -1 */
    as_manager *manager = NULL;
    as_manager_options options = AS_MANAGER_OPTIONS_INIT;
    options.calls_handlers_in_dispatch = true;
    *events = -1;
    as_manager_open(&options, &manager, NULL);
    if (as_manager_get_descriptor(manager, events) == AS_OK) return manager;
    as_manager_close(manager); /* of an older library, which would call the handlers on its own thread */
    return NULL;
}

static void on_readable(as_manager *manager) { /* and once per picture in a game, which need not poll */
    as_manager_dispatch(manager, NULL); /* calls the handlers */
}
/* end */

static void show(as_session *session, const as_event *event, void *user_data) {
    if (event->type == AS_EVENT_INTERRUPTION_BEGAN) puts("pauses");
    if (event->type == AS_EVENT_INTERRUPTION_ENDED) puts(event->should_resume ? "resumes" : "stays paused");
    if (event->type == AS_EVENT_DUCKING) printf("gain %.2f\n", event->gain);
    (void)session, (void)user_data;
}

int main(void) {
    int events;
    as_manager *manager = open_manager(&events);
    as_session *session = NULL;
    as_configuration film = AS_CONFIGURATION_INIT;
    char line[80];
    film.category = AS_CATEGORY_PLAYBACK;
    as_session_create(manager, &film, &session, NULL);
    as_session_set_handler(session, show, NULL);
    as_session_activate(session, NULL);
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("ready");
    for (struct pollfd polled[] = { { events, POLLIN, 0 }, { 0, POLLIN, 0 } }; poll(polled, 2, -1) >= 0;) {
        if (polled[0].revents) on_readable(manager);
        if (polled[1].revents && !fgets(line, sizeof line, stdin)) break;
    }
    as_session_destroy(session);
    as_manager_close(manager);
    return 0;
}
