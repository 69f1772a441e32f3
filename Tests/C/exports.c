/* Sources/CPipeWireShim: devices of this process that the daemon shows, and nodes that the daemon
 * creates for it. */
#include "client.h"
#include "internal.h"
#include "pods.h"

#include <errno.h>
#include <stdio.h>

static cpw_export *device;
static cpw_node *node;

static void on_bound(void *user, uint32_t id) { journal("%s bound %u", (const char *)user, id); }
static void on_set_profile(void *user, int32_t index, bool save) {
    journal("%s profile %d %d", (const char *)user, index, save);
}
static void on_set_route(void *user, int32_t index, int32_t own_device, bool save, float volume, int32_t mute) {
    CHECK(mute >= -1 && mute <= 1);
    journal("%s route %d %d %d %.2f %d", (const char *)user, index, own_device, save, (double)volume, mute);
}
static void on_failed(void *user, int32_t error, const char *message) {
    journal("%s failed %d %s", (const char *)user, error, message);
}

/* These are the only callbacks in which the object may be destroyed. */
static void on_device_removed(void *user) {
    cpw_export_destroy(device);
    journal("%s removed", (const char *)user);
}

static void on_node_removed(void *user) {
    cpw_node_destroy(node);
    journal("%s removed", (const char *)user);
}

static const cpw_export_events events = {on_bound, on_set_profile, on_set_route, on_device_removed, on_failed};
static const cpw_own_object_events node_events = {on_bound, on_node_removed, on_failed};

/* ---- Parameters */

static const int32_t numbers[] = {0, 1, 2, 3, 4, 5, 6, 7};
static const cpw_export_profile profiles[] = {
    {.profile = {0, "off", "Off", 0, 2}},
    {.profile = {1, "HiFi", "", 10, 2}, .sinks = numbers, .sink_count = 8, .sources = numbers, .source_count = 1},
};
static char long_name[100000];

static cpw_export_route make_route(int32_t index, uint32_t channels) {
    cpw_export_route route = {.profile = 1, .volume = 0.5f, .channels = channels};
    route.route = (cpw_route){.index = index, .name = "speaker", .description = index == 1 ? long_name : "",
                              .device = 0, .available = 2, .profiles = numbers, .profile_count = 2,
                              .devices = numbers, .device_count = 1, .port_type = index % 2 == 0 ? "speaker" : NULL};
    return route;
}

/* `routes` is filled with routes, of which the first is in use. */
static cpw_export_params make_params(const cpw_export_route *routes, size_t count) {
    return (cpw_export_params){profiles, 2, 1, true, routes, count, routes, count > 0 ? 1 : 0};
}

#define CARD PROPERTIES("device.name", "own", "media.class", "Audio/Device")

static void export_card(struct client *client) {
    memset(long_name, 'n', sizeof(long_name) - 1);
    client_run(client, ^{
        int error = 1;
        cpw_export_route routes[10];
        for (int32_t i = 0; i < 10; i++)
            routes[i] = make_route(i, (uint32_t)i); /* channels out of their bounds among them */
        cpw_export_params params = make_params(routes, 10);
        device = cpw_export_create(client->connection, CARD, &params, &events, "device", &error);
        REQUIRE(device != NULL);
        CHECK_EQUAL(error, 0);
    });
}

static void bind_card(struct client *client, uint32_t id) {
    AWAIT("%s global %u", client->name, id);
    client_run(client, ^{
        CHECK_EQUAL(cpw_connection_bind(client->connection, id, CPW_OBJECT_DEVICE), 0);
    });
    for (int param = 0; param < CPW_PARAM_COUNT; param++)
        AWAIT("%s end %u %d", client->name, id, param);
}

TEST("exports", "a device exposes its parameters and updates, and receives the values that others set") {
    cpt_server *server = server_start();
    struct client *owner = client_start("owner", test_path("daemon"), false);
    struct client *other = client_start("other", test_path("daemon"), true);
    export_card(owner);
    uint32_t id = (uint32_t)AWAIT_NUMBER("device bound");
    bind_card(other, id);
    CHECK_EQUAL(journal_count("other route %u %d", id, CPW_PARAM_ENUM_ROUTE), 10);
    CHECK_EQUAL(journal_count("other route %u %d 0 speaker", id, CPW_PARAM_ROUTE), 1);
    CHECK_EQUAL(journal_count("other profile %u %d 1 HiFi", id, CPW_PARAM_PROFILE), 1);
    float volumes[] = {0.25f, 0.5f}, *two = volumes;
    client_run(other, ^{
        cpw_connection_set_profile(other->connection, id, -5);
        cpw_connection_set_route(other->connection, id, INT32_MAX, INT32_MIN);
        cpw_connection_set_route_volumes(other->connection, id, 3, 4, two, 2);
    });
    AWAIT("device profile -5 0");
    AWAIT("device route %d %d 0 -1.00 -1", INT32_MAX, INT32_MIN);
    AWAIT("device route 3 4 1 0.25 -1");
    client_run(owner, ^{
        cpw_export_route route = make_route(77, 8);
        cpw_export_params params = make_params(&route, 1), none = make_params(NULL, 0);
        CHECK_EQUAL(cpw_export_update(device, &none, 15), 0);
        CHECK(with_failing_allocations(^{
            int result = cpw_export_update(device, &params, 15);
            CHECK(result == 0 || result == -ENOMEM);
        }) > 5);
    });
    AWAIT("other route %u %d 77 speaker", id, CPW_PARAM_ROUTE);
    client_run(owner, ^{
        cpw_export_destroy(device);
    });
    AWAIT("other removed %u", id);
    client_end(other);
    client_end(owner);
    cpt_server_stop(server);
}

TEST("exports", "damaged parameters of others are refused or read within their bounds") {
    struct random random = random_start(7);
    cpt_server *server = server_start();
    struct client *owner = client_start("owner", test_path("daemon"), false);
    struct client *other = client_start("other", test_path("daemon"), true);
    export_card(owner);
    uint32_t id = (uint32_t)AWAIT_NUMBER("device bound");
    bind_card(other, id);
    for (int i = 0; i < 300; i++) {
        struct pod damaged = pod_damaged(&random), *pod = &damaged;
        ((struct spa_pod *)pod->bytes)->size = (uint32_t)(pod->size - sizeof(struct spa_pod)) & ~7u;
        client_run(other, ^{
            struct pw_device *bound = (struct pw_device *)cpw_bound_proxy(other->connection, id, CPW_OBJECT_DEVICE);
            uint32_t param = i % 2 == 0 ? SPA_PARAM_Route : SPA_PARAM_Profile;
            pw_device_set_param(bound, param, 0, (const struct spa_pod *)pod->bytes);
            pw_device_enum_params(bound, i, param, (uint32_t)i % 3, (uint32_t)i % 5,
                                  (const struct spa_pod *)pod->bytes);
        });
    }
    client_settle(other);
    client_run(other, ^{
        cpw_connection_set_profile(other->connection, id, 4711);
    });
    AWAIT("device profile 4711");
    client_run(owner, ^{
        cpw_export_destroy(device);
    });
    client_end(other);
    client_end(owner);
    cpt_server_stop(server);
}

TEST("exports", "a device is destroyed early, by the daemon, or after its connection") {
    for (int end = 0; end < 5; end++) {
        cpt_server *server = server_start();
        struct client *owner = client_start("owner", test_path("daemon"), true);
        export_card(owner);
        if (end == 0) /* not bound yet */
            client_run(owner, ^{
                cpw_export_destroy(device);
            });
        uint32_t id = end > 0 ? (uint32_t)AWAIT_NUMBER("device bound") : 0;
        if (end == 1) {
            AWAIT("owner global %u", id);
            client_run(owner, ^{
                pw_registry_destroy(owner->connection->registry, id);
            });
            AWAIT("device removed");
        } else if (end == 2) {
            cpt_server_stop(server);
            AWAIT("owner failed");
            client_run(owner, ^{
                cpw_export_params none = make_params(NULL, 0);
                CHECK_EQUAL(cpw_export_update(device, &none, 15), 0);
                cpw_export_destroy(device);
            });
        } else if (end > 2) {
            if (end == 3)
                cpt_server_stop(server);
            client_disconnect(owner);
            test_loop_run(owner->loop, ^{
                cpw_export_destroy(device);
            });
        }
        client_end(owner);
        if (end != 2 && end != 3)
            cpt_server_stop(server);
        CHECK_EQUAL(journal_count("device removed"), end == 1);
        journal_clear();
    }
}

TEST("exports", "without a name, or without memory, the export fails") {
    cpt_server *server = server_start();
    struct client *owner = client_start("owner", test_path("daemon"), false);
    client_run(owner, ^{
        int error = 0;
        cpw_export_route route = make_route(1, 2);
        cpw_export_params params = make_params(&route, 1);
        CHECK(cpw_export_create(owner->connection, PROPERTIES("device.nick", "own"), &params, &events, "device",
                                &error) == NULL);
        CHECK_EQUAL(error, -EINVAL);
        CHECK(with_failing_allocations(^{
            int own = 0;
            cpw_export *made = cpw_export_create(owner->connection, CARD, &params, &events, "device", &own);
            if (made == NULL)
                return CHECK_EQUAL(own, -ENOMEM);
            cpw_export_destroy(made);
        }) > 5);
    });
    client_settle(owner);
    client_end(owner);
    cpt_server_stop(server);
}

/* ---- Session objects */

static cpw_session_object *session;

static void on_session_failed(void *user, int32_t error, const char *message) {
    (void)message;
    journal("%s failed %d", (const char *)user, error);
}

static const cpw_session_object_events session_events = {.failed = on_session_failed};

#define SESSION PROPERTIES("session.name", "own", "audio-session.token", "payload")

static void export_session(struct client *client) {
    client_run(client, ^{
        int error = 1;
        session = cpw_session_object_create(client->connection, SESSION, &session_events, "session", &error);
        REQUIRE(session != NULL);
        CHECK_EQUAL(error, 0);
    });
}

TEST("session objects", "all clients see their properties; they are destroyed early, by the daemon, or after its end") {
    for (int end = 0; end < 4; end++) {
        cpt_server *server = server_start();
        struct client *owner = client_start("owner", test_path("daemon"), true);
        struct client *other = client_start("other", test_path("daemon"), true);
        client_settle(owner);
        client_settle(other);
        journal_clear();
        export_session(owner);
        uint32_t id = end > 0 ? (uint32_t)AWAIT_NUMBER("other global") : 0;
        if (end > 0)
            CHECK_EQUAL(journal_count("other global %u %d", id, CPW_OBJECT_SESSION), 1);
        if (end == 2) {
            client_run(other, ^{
                pw_registry_destroy(other->connection->registry, id);
            });
            AWAIT("owner removed %u", id);
        } else if (end == 3) {
            cpt_server_stop(server);
            AWAIT("owner failed");
        }
        client_run(owner, ^{
            cpw_session_object_destroy(session);
        });
        if (end == 1)
            AWAIT("other removed %u", id);
        client_end(other);
        client_end(owner);
        if (end != 3)
            cpt_server_stop(server);
        journal_clear();
    }
}

TEST("session objects", "a client without a factory for them, or without memory, is refused") {
    cpt_server *server = server_start();
    struct client *blind = client_start("blind", test_path("daemon"), false);
    struct client *owner = client_start("owner", test_path("daemon"), true);
    client_settle(blind);
    client_settle(owner);
    client_run(blind, ^{
        int error = 0;
        CHECK(!cpw_connection_has_session_objects(blind->connection));
        CHECK(cpw_session_object_create(blind->connection, SESSION, &session_events, "session", &error) == NULL);
        CHECK_EQUAL(error, -ENOTSUP);
    });
    client_run(owner, ^{
        CHECK(cpw_connection_has_session_objects(owner->connection));
        CHECK(with_failing_allocations(^{
            int error = 0;
            cpw_session_object *made = cpw_session_object_create(owner->connection, SESSION, &session_events, "session", &error);
            if (made != NULL)
                cpw_session_object_destroy(made);
            else
                CHECK_EQUAL(error, -ENOMEM);
        }) > 0);
    });
    client_settle(owner);
    client_end(owner);
    client_end(blind);
    cpt_server_stop(server);
}

/* ---- Nodes that the daemon creates */

#define SINK PROPERTIES("factory.name", "support.null-audio-sink", "node.name", "made", "media.class", "Audio/Sink")

static void make_node(struct client *client, const char *factory) {
    client_run(client, ^{
        int error = 1;
        node = cpw_node_create(client->connection, factory, SINK, &node_events, "node", &error);
        REQUIRE(node != NULL);
        CHECK_EQUAL(error, 0);
    });
}

TEST("created nodes", "they accept volumes, and are destroyed early, by the daemon, or after its end") {
    for (int end = 0; end < 4; end++) {
        cpt_server *server = server_start();
        struct client *client = client_start("client", test_path("daemon"), true);
        make_node(client, "adapter");
        uint32_t id = end > 0 ? (uint32_t)AWAIT_NUMBER("node bound") : 0;
        client_run(client, ^{
            for (uint32_t channels = 0; channels < CPW_MAX_CHANNELS + 2; channels++)
                CHECK(cpw_node_set_volume(node, 0.5f, channels, channels % 2 == 0) >= 0);
        });
        if (end == 2) {
            AWAIT("client global %u", id);
            client_run(client, ^{
                pw_registry_destroy(client->connection->registry, id);
            });
            AWAIT("node removed");
        } else if (end == 3) {
            cpt_server_stop(server);
            AWAIT("client failed");
        }
        if (end != 2)
            client_run(client, ^{
                cpw_node_destroy(node);
            });
        client_end(client);
        if (end != 3)
            cpt_server_stop(server);
        journal_clear();
    }
}

TEST("created nodes", "an unknown factory is an error, and so is missing memory") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), false);
    make_node(client, "nothing");
    AWAIT("node failed");
    AWAIT("node removed");
    client_run(client, ^{
        CHECK(with_failing_allocations(^{
            int error = 0;
            cpw_node *made = cpw_node_create(client->connection, "adapter", SINK, &node_events, "node", &error);
            if (made == NULL)
                return CHECK_EQUAL(error, -ENOMEM);
            cpw_node_destroy(made);
        }) == 1);
    });
    make_node(client, "adapter");
    AWAIT("node bound");
    client_disconnect(client);
    test_loop_run(client->loop, ^{
        CHECK_EQUAL(cpw_node_set_volume(node, 1, 2, false), -ENOTCONN);
        cpw_node_destroy(node);
    });
    CHECK_EQUAL(journal_count("node removed"), 1); /* of a missing factory */
    client_end(client);
    cpt_server_stop(server);
}
