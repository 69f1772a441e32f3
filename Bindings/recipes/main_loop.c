/* A program around the recipe for main loops in Docs/Integrating.md: it plays until the end of its input. */
#include <poll.h>
#include <stdio.h>

/* recipe */
#include "audiosession-loader.h"
#include <sys/socket.h>

struct forwarded { uint32_t type, should_resume; float gain; };

static void forward(as_session *session, const as_event *event, void *ends) { /* on the library's thread */
    struct forwarded copy = { event->type, event->should_resume, event->gain };
    (void)session;
    send(((int *)ends)[1], &copy, sizeof copy, MSG_NOSIGNAL); /* drops the event if hundreds were not read */
}

static int open_events(as_session *session, int ends[2]) { /* the descriptor that the main loop polls */
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0) return -1;
    as_session_set_handler(session, forward, ends);
    return ends[0];
}
/* end */

static void show(const struct forwarded *event) {
    if (event->type == AS_EVENT_INTERRUPTION_BEGAN) puts("pauses");
    if (event->type == AS_EVENT_INTERRUPTION_ENDED) puts(event->should_resume ? "resumes" : "stays paused");
    if (event->type == AS_EVENT_DUCKING) printf("gain %.2f\n", event->gain);
}

int main(void) {
    int ends[2] = { -1, -1 };
    as_manager *manager = NULL;
    as_session *session = NULL;
    as_configuration film = AS_CONFIGURATION_INIT;
    struct forwarded event;
    char line[80];
    film.category = AS_CATEGORY_PLAYBACK;
    as_manager_open(NULL, &manager, NULL);
    as_session_create(manager, &film, &session, NULL);
    int events = open_events(session, ends);
    as_session_activate(session, NULL);
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("ready");
    for (struct pollfd polled[] = { { events, POLLIN, 0 }, { 0, POLLIN, 0 } }; poll(polled, 2, -1) >= 0;) {
        while (recv(events, &event, sizeof event, 0) == (ssize_t)sizeof event) show(&event);
        if (polled[1].revents && !fgets(line, sizeof line, stdin)) break;
    }
    as_session_destroy(session);
    as_manager_close(manager);
    return 0;
}
