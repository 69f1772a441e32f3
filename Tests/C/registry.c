/* Sources/CPipeWireShim: objects that the registry reports, and interests in them. */
#include "graph.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
