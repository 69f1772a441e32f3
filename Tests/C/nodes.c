/* Sources/CPipeWireShim: bound nodes and metadata. */
#include "graph.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
