#include "client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Loops */

static void drain(void *user) {
    struct test_loop *loop = user;
    void *work = __atomic_exchange_n(&loop->work, NULL, __ATOMIC_ACQ_REL);
    if (work == NULL)
        return;
    ((void (^)(void))work)();
    journal("%s ran", loop->name);
}

static void finish(void *user) {
    struct test_loop *loop = user;
    journal("%s finished", loop->name);
}

struct test_loop *test_loop_start(const char *name) {
    int error = 0;
    struct test_loop *loop = calloc(1, sizeof(*loop));
    loop->name = name;
    loop->loop = cpw_loop_create(false, true, drain, finish, loop, &error);
    REQUIRE(loop->loop != NULL);
    return loop;
}

void test_loop_run(struct test_loop *loop, void (^work)(void)) {
    size_t runs = journal_count("%s ran", loop->name);
    __atomic_store_n(&loop->work, (void *)work, __ATOMIC_RELEASE);
    cpw_loop_wake(loop->loop);
    AWAIT_COUNT(runs + 1, "%s ran", loop->name);
}

void test_loop_end(struct test_loop *loop) {
    size_t ends = journal_count("%s finished", loop->name);
    cpw_loop_release(loop->loop);
    AWAIT_COUNT(ends + 1, "%s finished", loop->name);
    free(loop);
}

/* ---- Notifications of the client. Every byte is read, so that the sanitizers check it. */

static void write_line(struct client *client, const char *line) {
    journal("%s %s", client->name, line);
    if (client->at != NULL)
        client->at(line);
}

#define LINE(client, ...)                                                                          \
    do {                                                                                           \
        char line_[300];                                                                           \
        snprintf(line_, sizeof(line_), __VA_ARGS__);                                               \
        write_line(client, line_);                                                                 \
    } while (0)

static size_t read_text(const char *text) { return text != NULL ? strlen(text) : 0; }

static void list(char *text, size_t size, const cpw_property *properties, size_t count) {
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const char *key = properties[i].key, *value = properties[i].value;
        read_text(key), read_text(value);
        if (length < size)
            length += (size_t)snprintf(text + length, size - length, " %.20s=%.40s", key != NULL ? key : "(null)",
                                       value != NULL ? value : "(null)");
    }
}

static void on_global(void *user, uint32_t id, cpw_object_type type, const cpw_property *properties, size_t count) {
    char text[200];
    list(text, sizeof(text), properties, count);
    for (size_t i = 0; i < count; i++)
        if (properties[i].key != NULL && properties[i].value != NULL && strcmp(properties[i].key, "node.name") == 0)
            LINE(user, "named %.60s %u", properties[i].value, id);
    LINE(user, "global %u %d%s", id, type, text);
}

static void on_removed(void *user, uint32_t id) { LINE(user, "removed %u", id); }

static void on_properties(void *user, uint32_t id, cpw_object_type type, const cpw_property *properties,
                          size_t count) {
    char text[200];
    list(text, sizeof(text), properties, count);
    LINE(user, "properties %u %d %zu%s", id, type, count, text);
}

static void on_state(void *user, uint32_t id, int32_t state) { LINE(user, "state %u %d", id, state); }
static void on_mute(void *user, uint32_t id, bool mute) { LINE(user, "mute %u %d", id, mute); }

static void on_volumes(void *user, uint32_t id, const float *volumes, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!(volumes[i] >= 0))
            journal("a volume is none: %f", (double)volumes[i]);
    LINE(user, "volumes %u %zu", id, count);
}

static void on_begin(void *user, uint32_t id, cpw_device_param param) { LINE(user, "begin %u %d", id, param); }

static void on_profile(void *user, uint32_t id, cpw_device_param param, const cpw_profile *profile) {
    read_text(profile->description);
    LINE(user, "profile %u %d %d %.40s", id, param, profile->index, profile->name);
}

static void on_route(void *user, uint32_t id, cpw_device_param param, const cpw_route *route) {
    volatile int32_t sum = 0;
    read_text(route->description), read_text(route->port_type), read_text(route->availability_group);
    read_text(route->product_name);
    for (size_t i = 0; i < route->profile_count; i++)
        sum ^= route->profiles[i];
    for (size_t i = 0; i < route->device_count; i++)
        sum ^= route->devices[i];
    LINE(user, "route %u %d %d %.40s", id, param, route->index, route->name);
}

static void on_end(void *user, uint32_t id, cpw_device_param param) { LINE(user, "end %u %d", id, param); }

static void on_metadata(void *user, uint32_t id, uint32_t subject, const char *key, const char *type,
                        const char *value) {
    read_text(type);
    LINE(user, "metadata %u %u %.60s %.100s", id, subject, key != NULL ? key : "(null)",
         value != NULL ? value : "(null)");
}

static void on_done(void *user, int32_t sequence) { LINE(user, "done %d", sequence); }

static void on_failed(void *user, int32_t error, const char *message) {
    read_text(message);
    LINE(user, "failed %d", error);
}

const cpw_connection_events client_events = {
    .global = on_global,
    .global_removed = on_removed,
    .properties = on_properties,
    .node_state = on_state,
    .node_mute = on_mute,
    .node_volumes = on_volumes,
    .params_begin = on_begin,
    .profile = on_profile,
    .route = on_route,
    .params_end = on_end,
    .metadata = on_metadata,
    .done = on_done,
    .failed = on_failed,
};

/* ---- Clients */

struct client *client_start(const char *name, const char *path, bool watches) {
    struct client *client = calloc(1, sizeof(*client));
    client->name = name;
    client->loop = test_loop_start(name);
    client_run(client, ^{
        int error = 0;
        const cpw_connection_options options = {path, "c-test"};
        client->connection = cpw_connection_create(client->loop->loop, &options, &client_events, client, &error);
        REQUIRE(client->connection != NULL);
        if (watches)
            CHECK_EQUAL(cpw_connection_watch_registry(client->connection, NULL, 0), 0);
    });
    return client;
}

void client_run(struct client *client, void (^work)(void)) { test_loop_run(client->loop, work); }

void client_settle(struct client *client) {
    __block int32_t sequence = 0;
    client_run(client, ^{
        sequence = cpw_connection_sync(client->connection);
    });
    AWAIT("%s done %d", client->name, sequence);
}

void client_disconnect(struct client *client) {
    client_run(client, ^{
        cpw_connection_destroy(client->connection);
        client->connection = NULL;
    });
}

void client_end(struct client *client) {
    if (client->connection != NULL)
        client_disconnect(client);
    test_loop_end(client->loop);
    free(client);
}

cpt_server *server_start(void) {
    int error = 0;
    cpt_server *server = cpt_server_start(test_path("daemon"), &error);
    REQUIRE(server != NULL);
    return server;
}
