/* Sources/CPipeWireShim: connections, the registry, bound nodes, devices and metadata, against a
 * daemon in this process. */
#define _GNU_SOURCE
#include "client.h"
#include "pods.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { NODE = CPW_OBJECT_NODE, DEVICE = CPW_OBJECT_DEVICE, METADATA = CPW_OBJECT_METADATA };

static void set_param(cpt_object *device, cpw_device_param param, struct pod pod) {
    cpt_device_set(device, param, &(cpt_bytes){pod.bytes, pod.size}, 1);
}

static cpt_object *add_card(cpt_server *server) {
    cpt_object *card = ADD(server, DEVICE, "device.name", "card", "media.class", "Audio/Device");
    set_param(card, CPW_PARAM_ENUM_ROUTE, pod_route(1, "speaker", -1));
    set_param(card, CPW_PARAM_ROUTE, pod_route(1, "speaker", 0));
    set_param(card, CPW_PARAM_ENUM_PROFILE, pod_profile(1, "HiFi"));
    set_param(card, CPW_PARAM_PROFILE, pod_profile(1, "HiFi"));
    return card;
}

static void bind_object(struct client *client, cpt_object *object, int type) {
    uint32_t id = cpt_object_id(object);
    client_run(client, ^{
        CHECK_EQUAL(cpw_connection_bind(client->connection, id, (cpw_object_type)type), 0);
    });
}

/* Binds a device, and returns when it has answered all four questions. */
static void bind_card(struct client *client, cpt_object *card) {
    bind_object(client, card, DEVICE);
    for (int param = 0; param < CPW_PARAM_COUNT; param++)
        AWAIT("%s end %u %d", client->name, cpt_object_id(card), param);
}

/* ---- Connecting */

TEST("connection", "a path without a daemon, or too long for a socket, is an error") {
    struct test_loop *loop = test_loop_start("loop");
    test_loop_run(loop, ^{
        char path[300];
        int error = 0;
        memset(path, 'x', sizeof(path));
        path[0] = '/', path[sizeof(path) - 1] = '\0';
        cpw_connection_options options = {test_path("nothing"), NULL};
        CHECK(cpw_connection_create(loop->loop, &options, &client_events, loop, &error) == NULL);
        CHECK_EQUAL(error, -EHOSTDOWN);
        options.remote = path;
        CHECK(cpw_connection_create(loop->loop, &options, &client_events, loop, &error) == NULL);
        CHECK(error < 0 && error != -EHOSTDOWN);
    });
    test_loop_end(loop);
}

TEST("connection", "a daemon whose queue of connections is full is busy, not down") {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), files[8], count = 0;
    snprintf(address.sun_path, sizeof(address.sun_path), "%s", test_path("full"));
    REQUIRE(bind(listener, (struct sockaddr *)&address, sizeof(address)) == 0 && listen(listener, 0) == 0);
    do
        files[count] = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    while (connect(files[count++], (struct sockaddr *)&address, sizeof(address)) == 0 && count < 8);
    CHECK_EQUAL(errno, EAGAIN);
    struct test_loop *loop = test_loop_start("loop");
    test_loop_run(loop, ^{
        int error = 0;
        const cpw_connection_options options = {test_path("full"), NULL};
        CHECK(cpw_connection_create(loop->loop, &options, &client_events, loop, &error) == NULL);
        CHECK_EQUAL(error, -EBUSY);
    });
    test_loop_end(loop);
    while (count > 0)
        close(files[--count]);
    close(listener);
}

TEST("connection", "a remote that the program names precedes that of the environment") {
    cpt_server *server = server_start();
    setenv("PIPEWIRE_REMOTE", "/nonexistent/pipewire-0", 1);
    client_end(client_start("path", test_path("daemon"), true));
    char folder[300];
    snprintf(folder, sizeof(folder), "%s", test_path("daemon"));
    *strrchr(folder, '/') = '\0';
    setenv("PIPEWIRE_RUNTIME_DIR", folder, 1);
    client_end(client_start("name", "daemon", true));
    cpt_server_stop(server);
}

TEST("connection", "without watching, no object is reported, and sync, cookie and client id work") {
    cpt_server *server = server_start();
    add_card(server);
    struct client *client = client_start("client", test_path("daemon"), false);
    client_settle(client);
    client_run(client, ^{
        CHECK(cpw_connection_cookie(client->connection) != 0);
        CHECK(cpw_connection_client(client->connection) != UINT32_MAX);
        CHECK(!cpw_connection_is_enumerating(client->connection));
        CHECK_EQUAL(cpw_connection_bind(client->connection, 1, NODE), -ENOTCONN);
    });
    CHECK_EQUAL(journal_count("client global"), 0);
    client_end(client);
    cpt_server_stop(server);
}

TEST("connection", "several connections coexist, also two on one loop") {
    enum { CLIENTS = 6 };
    static const char *const names[CLIENTS] = {"a", "b", "c", "d", "e", "f"};
    struct client *clients[CLIENTS];
    cpt_server *server = server_start();
    add_card(server);
    for (int i = 0; i < CLIENTS; i++)
        clients[i] = client_start(names[i], test_path("daemon"), true);
    struct client *first = clients[0], beside = {.name = "beside"}, *other = &beside;
    client_run(first, ^{
        int error = 0;
        const cpw_connection_options options = {test_path("daemon"), "beside"};
        other->connection = cpw_connection_create_sibling(first->connection, &options, &client_events, other, &error);
        REQUIRE(other->connection != NULL);
        cpw_connection_watch_registry(other->connection, NULL, 0);
        cpw_connection_sync(other->connection);
    });
    AWAIT("beside done");
    client_run(first, ^{
        cpw_connection_destroy(other->connection);
    });
    for (int i = 0; i < CLIENTS; i++)
        client_settle(clients[i]);
    for (int i = 0; i < CLIENTS; i++)
        client_end(clients[i]);
    cpt_server_stop(server);
}

TEST("connection", "a failed allocation fails the call") {
    cpt_server *server = server_start();
    uint32_t id = cpt_object_id(add_card(server));
    struct client *client = client_start("client", test_path("daemon"), false);
    client_run(client, ^{
        CHECK(with_failing_allocations(^{
            int error = 0;
            const cpw_connection_options options = {test_path("daemon"), NULL};
            cpw_connection *made =
                cpw_connection_create(client->loop->loop, &options, &client_events, client, &error);
            if (made == NULL)
                return CHECK_EQUAL(error, -ENOMEM);
            cpw_connection_watch_registry(made, NULL, 0);
            int result = cpw_connection_bind(made, id, DEVICE);
            CHECK(result == 0 || result == -ENOMEM);
            cpw_connection_destroy(made);
        }) == 3);
    });
    client_end(client);
    cpt_server_stop(server);
}

/* ---- The registry */

TEST("registry", "objects of every type are reported with their properties, and so is their removal") {
    cpt_server *server = server_start();
    cpt_object *objects[2][CPW_OBJECT_METADATA + 1];
    for (int type = NODE; type <= METADATA; type++)
        objects[0][type] = ADD(server, type, "object.path", "early");
    struct client *client = client_start("client", test_path("daemon"), true);
    client_settle(client);
    for (int type = NODE; type <= METADATA; type++)
        objects[1][type] = ADD(server, type, "object.path", "late");
    cpt_object *other = ADD(server, CPW_OBJECT_OTHER, "object.path", "other");
    for (int turn = 0; turn < 2; turn++) {
        for (int type = NODE; type <= METADATA; type++) {
            uint32_t id = cpt_object_id(objects[turn][type]);
            AWAIT("client global %u %d object.path=%s", id, type, turn == 0 ? "early" : "late");
            cpt_object_remove(objects[turn][type]);
            AWAIT("client removed %u", id);
        }
    }
    CHECK_EQUAL(journal_count("client global %u", cpt_object_id(other)), 0);
    client_run(client, ^{
        CHECK_EQUAL(cpw_connection_watch_registry(client->connection, NULL, 0), -EALREADY);
    });
    client_end(client);
    cpt_server_stop(server);
}

TEST("registry", "malformed and huge dictionaries are read to their end") {
    enum { NOISE = 300, MANY = 2000, HUGE = 1 << 20 };
    struct random random = random_start(4);
    cpt_server *server = server_start();
    char *huge = malloc(HUGE);
    memset(huge, 'A', HUGE - 1);
    huge[HUGE - 1] = '\0';
    for (int i = 0; i < NOISE; i++) {
        char texts[6][24];
        cpw_property properties[5];
        for (int t = 0; t < 6; t++) {
            size_t length = random_below(&random, sizeof(texts[0]));
            for (size_t c = 0; c < length; c++)
                texts[t][c] = (char)(1 + random_below(&random, 255));
            texts[t][length] = '\0';
        }
        for (int p = 0; p < 3; p++)
            properties[p] = (cpw_property){texts[2 * p], texts[2 * p + 1]};
        properties[3] = (cpw_property){"media.class", i % 2 == 0 ? "Audio/Sink" : "Audio/Device"};
        properties[4] = (cpw_property){"node.name", i % 100 == 0 ? huge : ""};
        cpt_object_add(server, (cpw_object_type)(1 + i % 5), properties, 5, properties, 5);
    }
    char keys[MANY][12];
    cpw_property *many = calloc(MANY, sizeof(*many));
    for (int i = 0; i < MANY; i++) {
        snprintf(keys[i], sizeof(keys[i]), "key.%d", i);
        many[i] = (cpw_property){keys[i], "v"};
    }
    cpt_object *crowded = cpt_object_add(server, NODE, PROPERTIES("node.name", "many"), many, MANY);
    cpt_object *sound = ADD(server, NODE, "node.name", "sound");
    struct client *client = client_start("client", test_path("daemon"), true);
    client_settle(client);
    AWAIT("client global %u", cpt_object_id(sound));
    bind_object(client, crowded, NODE);
    bind_object(client, sound, NODE);
    client_settle(client);
    AWAIT("client properties %u %d 1 node.name=sound", cpt_object_id(sound), NODE);
    huge[HUGE / 16] = '\0';
    /* Objects that do not exist: null keys and values, ids in use or of no object. */
    const cpw_property odd[] = {{NULL, huge}, {"media.class", "Audio/Sink"}, {"media.class", NULL}, {NULL, NULL}};
    static const uint32_t ids[] = {0, 1, 40, 1 << 20, UINT32_MAX};
    for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
        for (int type = CPW_OBJECT_OTHER; type <= METADATA; type++)
            cpt_server_announce(server, ids[i], (cpw_object_type)type, odd, 4);
    AWAIT_COUNT(5, "client global %u", UINT32_MAX);
    client_settle(client);
    CHECK_EQUAL(journal_count("client failed"), 0);
    client_end(client);
    cpt_server_stop(server);
    free(many);
    free(huge);
}

TEST("registry", "only matching objects of a type with interests are reported or bound") {
    static const cpw_interest interests[] = {
        {DEVICE, "device.api", "token", false}, {NODE, "media.class", "Audio/Sink", true},
        {NODE, "media.class", "Audio/Source", true}, {METADATA, "metadata.name", "default", true},
    };
    cpt_server *server = server_start();
    ADD(server, DEVICE, "device.api", "other");
    ADD(server, DEVICE, "device.nick", "none");
    cpt_object *device = ADD(server, DEVICE, "device.api", "token");
    cpt_object *sink = ADD(server, NODE, "media.class", "Audio/Sink");
    cpt_object *stream = ADD(server, NODE, "media.class", "Stream"), *link = ADD(server, CPW_OBJECT_LINK, "a", "b");
    struct client *client = client_start("client", test_path("daemon"), false);
    client_run(client, ^{
        CHECK_EQUAL(cpw_connection_watch_registry(client->connection, interests, 4), 0);
    });
    client_settle(client);
    AWAIT("client properties %u %d", cpt_object_id(sink), NODE);
    CHECK_EQUAL(journal_count("client global %u", cpt_object_id(sink)), 0);
    CHECK_EQUAL(journal_count("client global %u", cpt_object_id(device)), 1);
    CHECK_EQUAL(journal_count("client global %u", cpt_object_id(link)), 1);
    uint32_t stream_id = cpt_object_id(stream), device_id = cpt_object_id(device), sink_id = cpt_object_id(sink);
    cpt_object_remove(stream);
    cpt_object_remove(device);
    cpt_object_remove(sink);
    AWAIT("client removed %u", sink_id);
    AWAIT("client removed %u", device_id);
    CHECK_EQUAL(journal_count("client removed %u", stream_id), 0);
    client_end(client);
    cpt_server_stop(server);
}

/* ---- Nodes and metadata */

TEST("nodes", "a bound node reports properties and states, and accepts volumes within the bounds") {
    cpt_server *server = server_start();
    cpt_object *node = ADD(server, NODE, "node.name", "stream");
    uint32_t id = cpt_object_id(node);
    struct client *client = client_start("client", test_path("daemon"), true);
    client_settle(client);
    float volumes[CPW_MAX_VOLUMES] = {0.5f}, *all = volumes;
    client_run(client, ^{
        cpw_connection *own = client->connection;
        CHECK_EQUAL(cpw_connection_subscribe_props(own, id), -ENOENT);
        CHECK_EQUAL(cpw_connection_set_soft_volumes(own, id, all, 1, true), -ENOENT);
        CHECK_EQUAL(cpw_connection_bind(own, id, CPW_OBJECT_LINK), -EINVAL);
        CHECK_EQUAL(cpw_connection_bind(own, id, NODE), 0);
        CHECK_EQUAL(cpw_connection_set_node_volumes(own, id, NULL, 1), -EINVAL);
        CHECK_EQUAL(cpw_connection_set_soft_volumes(own, id, all, 0, true), -EINVAL);
        CHECK_EQUAL(cpw_connection_set_soft_volumes(own, id, all, CPW_MAX_VOLUMES + 1, true), -EINVAL);
        CHECK(cpw_connection_set_node_volumes(own, id, all, CPW_MAX_VOLUMES) >= 0);
        CHECK(cpw_connection_set_soft_volumes(own, id, all, CPW_MAX_VOLUMES, true) >= 0);
        CHECK_EQUAL(cpw_connection_set_route(own, id, 1, 0), -ENOENT);
        CHECK_EQUAL(cpw_connection_set_metadata(own, id, "k", NULL, "v"), -ENOENT);
    });
    client_settle(client);
    AWAIT("client properties %u %d 1 node.name=stream", id, NODE);
    bool is_muted = false;
    float written[CPW_MAX_VOLUMES];
    CHECK_EQUAL(cpt_node_soft_volumes(node, written, CPW_MAX_VOLUMES, &is_muted), CPW_MAX_VOLUMES);
    CHECK(is_muted && written[0] == 0.5f);
    cpt_node_emit_state(node, 3);
    AWAIT("client state %u 3", id);
    cpt_object_emit_properties(node, PROPERTIES("node.name", "other"));
    AWAIT("client properties %u %d 1 node.name=other", id, NODE);
    client_end(client);
    cpt_server_stop(server);
}

TEST("nodes", "volume and mute changes of a node of the daemon's own are reported") {
    cpt_server *server = server_start();
    REQUIRE(cpt_server_create_node(server, PROPERTIES("factory.name", "support.null-audio-sink", "node.name", "sink",
                                                      "media.class", "Audio/Sink", "audio.position", "FL,FR")) == 0);
    static const cpw_interest sinks[] = {{NODE, "node.name", "sink", false}};
    static uint32_t id;
    struct client *client = client_start("client", test_path("daemon"), false);
    client->at = ^(const char *line) {
        unsigned number, type;
        if (sscanf(line, "global %u %u", &number, &type) == 2 && type == NODE)
            id = number;
    };
    client_run(client, ^{
        CHECK_EQUAL(cpw_connection_watch_registry(client->connection, sinks, 1), 0);
    });
    client_settle(client);
    REQUIRE(id != 0);
    client_run(client, ^{
        CHECK_EQUAL(cpw_connection_bind(client->connection, id, NODE), 0);
        CHECK(cpw_connection_subscribe_props(client->connection, id) >= 0);
    });
    AWAIT("client volumes %u 2", id);
    AWAIT("client mute %u 0", id);
    client_run(client, ^{
        CHECK(cpw_connection_set_node_volumes(client->connection, id, (float[]){0.25f, 0.5f}, 2) >= 0);
    });
    AWAIT_COUNT(2, "client volumes %u 2", id);
    client_end(client);
    cpt_server_stop(server);
}

TEST("metadata", "entries are reported, also without a key or value, and can be written") {
    cpt_server *server = server_start();
    cpt_object *metadata = ADD(server, METADATA, "metadata.name", "default");
    uint32_t id = cpt_object_id(metadata);
    char *huge = malloc(100000);
    memset(huge, '9', 99999), huge[99999] = '\0';
    cpt_metadata_emit(metadata, 0, "default.audio.sink", "Spa:String:JSON", "{\"name\":\"sink\"}");
    struct client *client = client_start("client", test_path("daemon"), true);
    client_settle(client);
    bind_object(client, metadata, METADATA);
    AWAIT("client metadata %u 0 default.audio.sink {\"name\":\"sink\"}", id);
    cpt_metadata_emit(metadata, UINT32_MAX, "key", NULL, NULL);
    cpt_metadata_emit(metadata, 7, NULL, NULL, NULL);
    cpt_metadata_emit(metadata, 8, huge, huge, huge);
    cpt_metadata_emit(metadata, 9, "", "", "");
    AWAIT("client metadata %u %u key (null)", id, UINT32_MAX);
    AWAIT("client metadata %u 7 (null) (null)", id);
    AWAIT("client metadata %u 9", id);
    client_run(client, ^{
        CHECK(cpw_connection_set_metadata(client->connection, id, "key", NULL, NULL) >= 0);
        CHECK(cpw_connection_set_metadata(client->connection, id, huge, "Spa:Id", huge) >= 0);
    });
    client_settle(client);
    cpt_object_remove(metadata);
    AWAIT("client removed %u", id);
    client_run(client, ^{
        CHECK_EQUAL(cpw_connection_set_metadata(client->connection, id, "k", NULL, "v"), -ENOENT);
    });
    client_end(client);
    cpt_server_stop(server);
    free(huge);
}

TEST("nodes", "a node is bound over a connection without other objects") {
    cpt_server *server = server_start();
    cpt_object *node = ADD(server, NODE, "node.name", "alone");
    uint32_t id = cpt_object_id(node);
    struct client *client = client_start("client", test_path("daemon"), false);
    client_run(client, ^{
        CHECK_EQUAL(cpw_connection_bind_only(client->connection, id, NODE), 0);
    });
    AWAIT("client properties %u", id);
    cpt_object_remove(node);
    client_settle(client);
    client_run(client, ^{
        CHECK_EQUAL(cpw_connection_subscribe_props(client->connection, id), -ENOENT);
        CHECK_EQUAL(cpw_connection_bind_only(client->connection, id, NODE), 0);
    });
    client_settle(client);
    CHECK_EQUAL(journal_count("client global"), 0);
    client_end(client);
    cpt_server_stop(server);
}

/* ---- Devices */

TEST("devices", "parameters are enumerated again when they change, and are empty when unreadable") {
    cpt_server *server = server_start();
    cpt_object *card = add_card(server);
    uint32_t id = cpt_object_id(card);
    struct client *client = client_start("client", test_path("daemon"), true);
    client_settle(client);
    bind_card(client, card);
    CHECK_EQUAL(journal_count("client route %u %d 1 speaker", id, CPW_PARAM_ROUTE), 1);
    CHECK_EQUAL(journal_count("client profile %u %d 1 HiFi", id, CPW_PARAM_PROFILE), 1);
    for (int i = 0; i < 50; i++) /* faster than the answers */
        cpt_device_emit_changed(card, 1u << CPW_PARAM_ENUM_ROUTE | 1u << CPW_PARAM_ROUTE);
    client_settle(client);
    client_settle(client);
    CHECK(journal_count("client end %u %d", id, CPW_PARAM_ROUTE) >= 2);
    size_t ends = journal_count("client end %u %d", id, CPW_PARAM_ROUTE);
    cpt_device_emit_readable(card, CPW_PARAM_ROUTE, false);
    AWAIT_COUNT(ends + 1, "client end %u %d", id, CPW_PARAM_ROUTE);
    cpt_device_emit_readable(card, CPW_PARAM_ROUTE, true);
    AWAIT_COUNT(ends + 2, "client end %u %d", id, CPW_PARAM_ROUTE);
    float volumes[CPW_MAX_VOLUMES] = {0}, *all = volumes;
    client_run(client, ^{
        cpw_connection *own = client->connection;
        cpw_connection_set_route(own, id, 1, 0);
        cpw_connection_set_profile(own, id, INT32_MIN);
        CHECK_EQUAL(cpw_connection_set_route_volumes(own, id, 1, 0, NULL, 1), -EINVAL);
        CHECK_EQUAL(cpw_connection_set_route_volumes(own, id, 1, 0, all, CPW_MAX_VOLUMES + 1), -EINVAL);
        cpw_connection_set_route_volumes(own, id, 1, 0, all, CPW_MAX_VOLUMES);
    });
    client_settle(client);
    client_end(client);
    cpt_server_stop(server);
}

TEST("devices", "damaged parameters over the wire are dropped, and sound ones after them are read") {
    enum { PODS = 120, ROUNDS = 8 };
    struct random random = random_start(5);
    struct pod *pods = malloc(PODS * sizeof(*pods));
    cpt_bytes bytes[PODS];
    cpt_server *server = server_start();
    cpt_object *card = add_card(server);
    uint32_t id = cpt_object_id(card);
    struct client *client = client_start("client", test_path("daemon"), true);
    client_settle(client);
    bind_card(client, card);
    for (int round = 1; round <= ROUNDS; round++) {
        cpt_server_lock(server);
        for (int param = 0; param < CPW_PARAM_COUNT; param++) {
            bool is_route = param == CPW_PARAM_ROUTE || param == CPW_PARAM_ENUM_ROUTE;
            for (int i = 0; i < PODS; i++) {
                pods[i] = pod_damaged(&random);
                if (i % 40 == 0)
                    pods[i].size = 0; /* no pod at all */
                if (i == PODS - 1)
                    pods[i] = is_route ? pod_route(round, "last", 0) : pod_profile(round, "last");
                bytes[i] = (cpt_bytes){pods[i].size > 0 ? pods[i].bytes : NULL, pods[i].size};
            }
            cpt_device_set(card, (cpw_device_param)param, bytes, PODS);
        }
        cpt_device_emit_changed(card, 15);
        cpt_server_unlock(server);
        AWAIT("client route %u %d %d last", id, CPW_PARAM_ENUM_ROUTE, round);
        AWAIT("client route %u %d %d last", id, CPW_PARAM_ROUTE, round);
        AWAIT("client profile %u %d %d last", id, CPW_PARAM_PROFILE, round);
        AWAIT("client profile %u %d %d last", id, CPW_PARAM_ENUM_PROFILE, round);
        client_settle(client);
    }
    CHECK_EQUAL(journal_count("client failed"), 0);
    client_end(client);
    cpt_server_stop(server);
    free(pods);
}

TEST("devices", "a device is removed during an enumeration, before and after its answers") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), true);
    for (int turn = 0; turn < 6; turn++) {
        cpt_object *card = add_card(server);
        uint32_t id = cpt_object_id(card);
        AWAIT("client global %u", id);
        if (turn % 2 == 0)
            cpt_device_hold(card, true);
        size_t asked = 0;
        if (turn % 2 == 0) {
            bind_object(client, card, DEVICE);
        } else {
            bind_card(client, card);
            asked = cpt_device_question_count(card, CPW_PARAM_ENUM_ROUTE);
            cpt_device_hold(card, true);
            cpt_device_emit_changed(card, 15);
        }
        AWAIT_TRUE("question", cpt_device_question_count(card, CPW_PARAM_ENUM_ROUTE) > asked);
        AWAIT("client properties %u", id);
        client_run(client, ^{
            CHECK(cpw_connection_is_enumerating(client->connection));
        });
        if (turn >= 2)
            cpt_device_answer(card); /* the entries of the list, without its end */
        if (turn >= 4) {
            cpt_server_lock(server);
            cpt_object_emit_properties(card, PROPERTIES("device.name", "renamed"));
            cpt_object_remove(card);
            cpt_server_unlock(server);
        } else {
            cpt_object_remove(card);
        }
        AWAIT("client removed %u", id);
        client_settle(client);
        journal_clear();
    }
    client_end(client);
    cpt_server_stop(server);
}

TEST("devices", "a connection ends during enumerations, before and after their answers") {
    cpt_server *server = server_start();
    cpt_object *card = add_card(server);
    for (int turn = 0; turn < 4; turn++) {
        struct client *client = client_start("client", test_path("daemon"), true);
        client_settle(client);
        bind_card(client, card);
        cpt_device_hold(card, true);
        size_t asked = cpt_device_question_count(card, CPW_PARAM_ENUM_ROUTE);
        cpt_device_emit_changed(card, 15);
        AWAIT_TRUE("question", cpt_device_question_count(card, CPW_PARAM_ENUM_ROUTE) > asked);
        if (turn % 2 == 1)
            cpt_device_answer(card);
        client_end(client);
        cpt_device_hold(card, false);
        journal_clear();
    }
    struct client *last = client_start("last", test_path("daemon"), true);
    client_settle(last);
    client_end(last);
    cpt_server_stop(server);
}

TEST("devices", "an enumeration is repeated if a client disconnected during it") {
    cpt_server *server = server_start();
    cpt_object *card = add_card(server), *program = ADD(server, CPW_OBJECT_CLIENT, "application.name", "wpctl");
    uint32_t id = cpt_object_id(card);
    struct client *client = client_start("client", test_path("daemon"), true);
    client_settle(client);
    bind_card(client, card);
    size_t asked = cpt_device_question_count(card, CPW_PARAM_ENUM_ROUTE);
    size_t ends = journal_count("client end %u %d", id, CPW_PARAM_ENUM_ROUTE);
    cpt_device_hold(card, true);
    cpt_device_emit_changed(card, 1u << CPW_PARAM_ENUM_ROUTE);
    AWAIT_TRUE("question", cpt_device_question_count(card, CPW_PARAM_ENUM_ROUTE) > asked);
    cpt_object_remove(program);
    AWAIT("client removed");
    cpt_device_hold(card, false);
    AWAIT_TRUE("second question", cpt_device_question_count(card, CPW_PARAM_ENUM_ROUTE) > asked + 1);
    AWAIT_COUNT(ends + 2, "client end %u %d", id, CPW_PARAM_ENUM_ROUTE);
    client_end(client); /* another check follows */
    cpt_server_stop(server);
}

/* ---- The end of the daemon */

static void furnish(cpt_server *server) {
    for (int i = 0; i < 10; i++) {
        ADD(server, NODE, "node.name", "n", "media.class", "Audio/Sink");
        add_card(server);
    }
    ADD(server, METADATA, "metadata.name", "default");
}

static const cpw_interest everything[] = {
    {NODE, "media.class", "Audio/Sink", true},
    {DEVICE, "media.class", "Audio/Device", true},
    {METADATA, "metadata.name", "default", true},
};

TEST("end of the daemon", "it is reported once, and later calls fail") {
    cpt_server *server = server_start();
    furnish(server);
    struct client *client = client_start("client", test_path("daemon"), false);
    client_run(client, ^{
        cpw_connection_watch_registry(client->connection, everything, 3);
    });
    client_settle(client);
    cpt_server_stop(server);
    AWAIT("client failed");
    client_run(client, ^{
        cpw_connection *own = client->connection;
        for (uint32_t id = 0; id < 60; id++) {
            CHECK_EQUAL(cpw_connection_bind(own, id, NODE), -ENOTCONN);
            CHECK_EQUAL(cpw_connection_subscribe_props(own, id), -ENOENT);
            CHECK_EQUAL(cpw_connection_set_route(own, id, 0, 0), -ENOENT);
        }
        cpw_connection_sync(own);
        CHECK(cpw_connection_cookie(own) != 0);
    });
    client_disconnect(client);
    CHECK_EQUAL(journal_count("client failed"), 1);
    client_end(client);
}

TEST("end of the daemon", "it may follow any event of a client that has just connected") {
    struct test_loop *loop = test_loop_start("loop");
    for (size_t limit = 0; limit < 90; limit += 6) {
        cpt_server *server = server_start();
        struct client *client = calloc(1, sizeof(*client));
        __block size_t events = 0;
        size_t *count = &events;
        client->name = "client";
        client->loop = loop;
        client->at = ^(const char *line) {
            (void)line;
            if (++*count == limit)
                journal("now");
        };
        furnish(server);
        client_run(client, ^{
            int error = 0;
            const cpw_connection_options options = {test_path("daemon"), NULL};
            client->connection = cpw_connection_create(loop->loop, &options, &client_events, client, &error);
            REQUIRE(client->connection != NULL);
            cpw_connection_watch_registry(client->connection, everything, 3);
            cpw_connection_sync(client->connection);
        });
        if (limit > 0)
            AWAIT("now");
        cpt_server_stop(server);
        AWAIT("client failed");
        client_disconnect(client);
        free(client);
        journal_clear();
    }
    test_loop_end(loop);
}

TEST("end of the daemon", "it may interrupt enumerations") {
    for (int turn = 0; turn < 3; turn++) {
        cpt_server *server = server_start();
        cpt_object *card = add_card(server);
        struct client *client = client_start("client", test_path("daemon"), true);
        client_settle(client);
        cpt_device_hold(card, true);
        bind_object(client, card, DEVICE);
        AWAIT_TRUE("question", cpt_device_question_count(card, CPW_PARAM_ENUM_ROUTE) > 0);
        if (turn == 1)
            cpt_device_answer(card);
        if (turn == 2)
            client_run(client, ^{
                cpw_connection_sync(client->connection);
            });
        cpt_server_stop(server);
        AWAIT("client failed");
        client_end(client);
        journal_clear();
    }
}

/* The connection of a daemon that dies with unread data is reset, not hung up. */
TEST("end of the daemon", "a connection reset is reported as well") {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof(address.sun_path), "%s", test_path("daemon"));
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    REQUIRE(bind(listener, (struct sockaddr *)&address, sizeof(address)) == 0 && listen(listener, 1) == 0);
    struct client *client = client_start("client", test_path("daemon"), true);
    int accepted = accept(listener, NULL, NULL);
    struct pollfd wait = {.fd = accepted, .events = POLLIN};
    REQUIRE(poll(&wait, 1, 10000) == 1);
    close(accepted);
    AWAIT("client failed");
    client_end(client);
    close(listener);
}

/* ---- Random sequences */

TEST("graph", "random sequences of changes and requests leave the connection intact") {
    enum { STEPS = 1500, OBJECTS = 12 };
    struct random random = random_start(6);
    cpt_object *objects[OBJECTS] = {NULL};
    int types[OBJECTS];
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), false);
    client_run(client, ^{
        cpw_connection_watch_registry(client->connection, everything, 3);
    });
    for (int step = 0; step < STEPS; step++) {
        size_t i = random_below(&random, OBJECTS);
        uint32_t number = random_below(&random, 16);
        cpt_object *object = objects[i];
        if (object == NULL) {
            types[i] = number % 2 == 0 ? NODE : DEVICE;
            objects[i] = types[i] == NODE ? ADD(server, NODE, "media.class", "Audio/Sink") : add_card(server);
            continue;
        }
        struct pod pod = pod_damaged(&random);
        switch (random_below(&random, 9)) {
        case 0:
            cpt_object_remove(object);
            objects[i] = NULL;
            break;
        case 1:
            cpt_object_emit_properties(object, PROPERTIES("node.name", "x"));
            break;
        case 2:
            types[i] == NODE ? cpt_node_emit_state(object, (int32_t)number % 5 - 1)
                             : cpt_device_emit_changed(object, number);
            break;
        case 3:
            if (types[i] == DEVICE)
                set_param(object, (cpw_device_param)(number % 4), pod);
            break;
        case 4:
            if (types[i] == DEVICE)
                cpt_device_hold(object, number < 8);
            break;
        case 5:
            if (types[i] == DEVICE)
                cpt_device_answer(object);
            break;
        case 6:
            if (types[i] == DEVICE)
                cpt_device_emit_readable(object, (cpw_device_param)(number % 4), number < 12);
            break;
        default: {
            uint32_t id = cpt_object_id(object);
            client_run(client, ^{
                cpw_connection_bind(client->connection, id, number < 8 ? NODE : DEVICE);
                cpw_connection_set_route(client->connection, id, (int32_t)number, 0);
                cpw_connection_subscribe_props(client->connection, id);
                cpw_connection_sync(client->connection);
            });
        }
        }
        if (step % 100 == 99)
            journal_clear();
    }
    for (size_t i = 0; i < OBJECTS; i++)
        if (objects[i] != NULL && types[i] == DEVICE)
            cpt_device_hold(objects[i], false);
    client_settle(client);
    CHECK_EQUAL(journal_count("client failed"), 0);
    client_end(client);
    cpt_server_stop(server);
}
