#include "stand_in.h"

#include "harness.h"
#include "session.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct as_manager {
    char unused;
};

struct as_session {
    as_session_handler handler;
    void *user_data;
};

struct as_route {
    uint32_t counts[2];
    as_port ports[2][3];
};

struct stand_in stand_in = {.info = AS_SESSION_INFO_INIT};
static as_session *session;

static as_status result(as_error *error) {
    if (error != NULL) {
        CHECK_EQUAL(error->size, sizeof(*error));
        error->status = stand_in.status;
        error->os_status = stand_in.os_status;
    }
    return stand_in.status;
}

as_status as_manager_open(const as_manager_options *options, as_manager **manager, as_error *error) {
    (void)options, (void)error;
    *manager = stand_in.open_status == AS_OK ? malloc(sizeof(**manager)) : NULL;
    journal("open");
    return stand_in.open_status;
}

as_status as_manager_close(as_manager *manager) {
    free(manager);
    journal("close");
    return AS_OK;
}

as_status as_session_create(as_manager *manager, const as_configuration *configuration, as_session **made,
                            as_error *error) {
    (void)configuration, (void)error;
    static as_manager *owner; /* keeps the manager reachable as the library does */
    *made = NULL;
    if (stand_in.create_status != AS_OK)
        return stand_in.create_status;
    owner = manager;
    CHECK(owner != NULL);
    *made = session = calloc(1, sizeof(*session));
    return AS_OK;
}

static void *use_session(void *unused) {
    (void)unused;
    AudioSessionInitialize(NULL, NULL, NULL, NULL);
    return as_old_session();
}

/* Waits, as the library may, for a handler that uses the old interface. */
as_status as_session_set_handler(as_session *own, as_session_handler handler, void *user_data) {
    pthread_t thread;
    void *used = NULL;
    REQUIRE(pthread_create(&thread, NULL, use_session, NULL) == 0);
    pthread_join(thread, &used);
    CHECK(used == own);
    own->handler = handler;
    own->user_data = user_data;
    return AS_OK;
}

as_status as_session_configure(as_session *own, const as_configuration *configuration, as_error *error) {
    CHECK(own == session);
    journal("configure %d %d %#x", configuration->category, configuration->mode, configuration->options);
    return result(error);
}

as_status as_session_activate(as_session *own, as_error *error) {
    CHECK(own == session);
    journal("activate");
    return result(error);
}

as_status as_session_deactivate(as_session *own, bool notify_others, as_error *error) {
    CHECK(own == session);
    journal("deactivate %d", notify_others);
    return result(error);
}

as_status as_session_get_info(const as_session *own, as_session_info *info) {
    CHECK(own == session && info->size == sizeof(*info));
    *info = stand_in.info;
    return stand_in.status;
}

as_status as_session_get_route(const as_session *own, as_route **route) {
    CHECK(own == session);
    *route = stand_in.status == AS_OK ? stand_in_route() : NULL;
    return stand_in.status;
}

as_status as_session_set_preferred_sample_rate(as_session *own, int32_t rate, as_error *error) {
    CHECK(own == session);
    journal("rate %d", rate);
    return result(error);
}

as_status as_session_set_preferred_io_buffer_duration(as_session *own, double seconds, as_error *error) {
    CHECK(own == session);
    journal("duration %g", seconds);
    return result(error);
}

as_status as_session_override_output(as_session *own, bool to_speaker, as_error *error) {
    CHECK(own == session);
    journal("override %d", to_speaker);
    return result(error);
}

as_status as_session_set_input_gain(as_session *own, float gain, as_error *error) {
    CHECK(own == session);
    journal("gain %g", (double)gain);
    return result(error);
}

/* ---- Routes */

as_route *stand_in_route(void) {
    as_route *route = calloc(1, sizeof(*route));
    for (int direction = 0; direction < 2; direction++) {
        route->counts[direction] = stand_in.port_counts[direction];
        for (uint32_t i = 0; i < route->counts[direction]; i++) {
            as_port *port = &route->ports[direction][i];
            *port = stand_in.ports[direction][i];
            port->size = sizeof(*port);
            port->direction = (as_direction)direction;
            port->name = port->name != NULL ? strdup(port->name) : NULL;
            port->uid = port->uid != NULL ? strdup(port->uid) : NULL;
        }
    }
    return route;
}

uint32_t as_route_count(const as_route *route, as_direction direction) {
    return route != NULL ? route->counts[direction] : 0;
}

as_status as_route_port(const as_route *route, as_direction direction, uint32_t index, as_port *port) {
    if (route == NULL)
        return AS_ERROR_BAD_HANDLE;
    if (index >= route->counts[direction])
        return AS_ERROR_BAD_PARAM;
    *port = route->ports[direction][index];
    return AS_OK;
}

as_status as_route_free(as_route *route) {
    for (int direction = 0; route != NULL && direction < 2; direction++) {
        for (uint32_t i = 0; i < route->counts[direction]; i++) {
            free((char *)route->ports[direction][i].name);
            free((char *)route->ports[direction][i].uid);
        }
    }
    free(route);
    return AS_OK;
}

/* ---- Events */

static void *call_handler(void *event) {
    session->handler(session, event, session->user_data);
    return NULL;
}

void stand_in_send(const as_event *event) {
    pthread_t thread;
    REQUIRE(session != NULL && session->handler != NULL);
    REQUIRE(pthread_create(&thread, NULL, call_handler, (void *)event) == 0);
    pthread_join(thread, NULL);
}
