/* Sources/CPipeWireShim: bound devices, and the enumerations of their parameters. */
#include "graph.h"

#include <errno.h>
#include <stdlib.h>

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
