/* Sources/CPipeWireShim: random sequences of changes and requests. */
#include "graph.h"

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
