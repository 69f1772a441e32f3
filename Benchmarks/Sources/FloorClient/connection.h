#pragma once

#include <peer.h>
#include <pipewire/pipewire.h>
#include <stddef.h>

/* A connection on the calling thread's main loop. */
struct connection {
    struct pw_main_loop *main_loop;
    struct pw_context *context;
    struct pw_core *core;
    struct pw_registry *registry;
    struct spa_hook core_listener;
    struct spa_hook registry_listener;
    int wanted;
    int left;
};

static void connection_done(void *data, uint32_t id, int sequence) {
    struct connection *connection = data;
    if (id != PW_ID_CORE || sequence != connection->wanted)
        return;
    if (--connection->left > 0)
        connection->wanted = pw_core_sync(connection->core, PW_ID_CORE, 0);
    else
        peer_ready();
}

static void connection_error(void *data, uint32_t id, int sequence, int result, const char *message) {
    struct connection *connection = data;
    (void)sequence, (void)message;
    if (id == PW_ID_CORE && result == -EPIPE)
        pw_main_loop_quit(connection->main_loop);
}

static const struct pw_core_events connection_core_events = {
    PW_VERSION_CORE_EVENTS,
    .done = connection_done,
    .error = connection_error,
};

/* Prints `ready` after the round trips that complete the initial state. */
static int connection_open(struct connection *connection, const struct pw_registry_events *events, void *data) {
    pw_init(NULL, NULL);
    connection->main_loop = pw_main_loop_new(NULL);
    connection->context = pw_context_new(pw_main_loop_get_loop(connection->main_loop), NULL, 0);
    connection->core = pw_context_connect(connection->context, NULL, 0);
    if (!connection->core) {
        peer_print("unavailable no PipeWire\n");
        return -1;
    }
    pw_core_add_listener(connection->core, &connection->core_listener, &connection_core_events, connection);
    connection->registry = pw_core_get_registry(connection->core, PW_VERSION_REGISTRY, 0);
    pw_registry_add_listener(connection->registry, &connection->registry_listener, events, data);
    connection->left = 3;
    connection->wanted = pw_core_sync(connection->core, PW_ID_CORE, 0);
    return 0;
}
