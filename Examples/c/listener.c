/* A program in C with one audio session, controlled by standard input: it interrupts others and
 * is interrupted, and pauses when its output is lost.
 *
 *     cc listener.c -o listener $(pkg-config --cflags --libs audiosession)
 *     ./listener NAME [SOCKET]
 *
 * Lines of input: activate, deactivate, silently (deactivates without advice to resume), route. */
#include <audiosession.h>
#include <stdio.h>
#include <string.h>

struct text {
    char bytes[512];
};

/* Names of other programs and devices may contain control characters, which a terminal executes,
 * so they become ?. Those of Unicode begin with C2 and are below A0. */
static struct text clean(const char *name) {
    struct text text = {{0}};
    size_t length = 0;
    for (; *name && length + 1 < sizeof text.bytes; name++) {
        unsigned char byte = (unsigned char)*name, next = (unsigned char)name[1];
        bool is_control = byte < ' ' || byte == 0x7F || (byte == 0xC2 && next >= 0x80 && next < 0xA0);
        text.bytes[length++] = is_control ? '?' : *name;
        if (is_control && byte == 0xC2) name++;
    }
    return text;
}

static const char *name_of(const as_route *route) {
    as_port port = AS_PORT_INIT;
    return as_route_port(route, AS_DIRECTION_OUTPUT, 0, &port) == AS_OK ? port.name : "nothing";
}

/* Called on the library's thread. printf locks its output. */
static void on_event(as_session *session, const as_event *event, void *user_data) {
    (void)session;
    (void)user_data;
    switch (event->type) {
    case AS_EVENT_INTERRUPTION_BEGAN:
        printf("interrupted by %s\n", clean(event->cause_name ? event->cause_name : "another program").bytes);
        break;
    case AS_EVENT_INTERRUPTION_ENDED: puts(event->should_resume ? "may resume" : "stays silent"); break;
    case AS_EVENT_BECAME_NOISY: printf("paused: %s is gone\n", clean(event->port->name).bytes); break;
    case AS_EVENT_ROUTE_CHANGED:
        printf("route: from %s to %s\n", clean(name_of(event->previous_route)).bytes,
               clean(name_of(event->current_route)).bytes);
        break;
    case AS_EVENT_DUCKING: printf("gain %.2f\n", event->gain); break;
    default: break; /* there will be more */
    }
}

static void answer(as_status status, const as_error *error) {
    if (status == AS_OK) puts("done");
    else printf("%s: %s\n", as_status_name(status), clean(error->message).bytes);
}

static void execute(as_session *session, const char *line) {
    as_error error = AS_ERROR_INIT;
    if (strcmp(line, "activate") == 0) {
        answer(as_session_activate(session, &error), &error);
    } else if (strcmp(line, "deactivate") == 0) {
        answer(as_session_deactivate(session, true, &error), &error);
    } else if (strcmp(line, "silently") == 0) {
        answer(as_session_deactivate(session, false, &error), &error);
    } else if (strcmp(line, "route") == 0) {
        as_route *route;
        if (as_session_get_route(session, &route) == AS_OK) puts(clean(name_of(route)).bytes);
        as_route_free(route);
    }
}

int main(int count, char **arguments) {
    as_manager_options options = AS_MANAGER_OPTIONS_INIT;
    as_configuration configuration = AS_CONFIGURATION_INIT;
    as_error error = AS_ERROR_INIT;
    as_manager *manager = NULL;
    as_session *session = NULL;
    char line[80];

    setvbuf(stdout, NULL, _IOLBF, 0);
    options.application_name = count > 1 ? arguments[1] : NULL;
    options.remote = count > 2 ? arguments[2] : NULL;
    configuration.category = AS_CATEGORY_PLAYBACK;
    if (as_manager_open(&options, &manager, &error) != AS_OK ||
        as_session_create(manager, &configuration, &session, &error) != AS_OK) {
        fprintf(stderr, "%s\n", clean(error.message).bytes);
        return 1;
    }
    as_session_set_handler(session, on_event, NULL);
    puts("ready");
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        execute(session, line);
    }
    as_session_destroy(session);
    as_manager_close(manager);
    return 0;
}
