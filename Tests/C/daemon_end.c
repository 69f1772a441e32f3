/* Sources/CPipeWireShim: connections whose daemon ends. */
#include "graph.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void furnish(cpt_server *server) {
    for (int i = 0; i < 10; i++) {
        ADD(server, NODE, "node.name", "n", "media.class", "Audio/Sink");
        add_card(server);
    }
    ADD(server, METADATA, "metadata.name", "default");
}

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

/* A daemon that only accepts a connection, and the connection of a client to it that has
 * written. */
static int accept_client(struct client **client, int *listener) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof(address.sun_path), "%s", test_path("daemon"));
    *listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    REQUIRE(bind(*listener, (struct sockaddr *)&address, sizeof(address)) == 0 && listen(*listener, 1) == 0);
    *client = client_start("client", test_path("daemon"), true);
    int accepted = accept(*listener, NULL, NULL);
    struct pollfd wait = {.fd = accepted, .events = POLLIN};
    REQUIRE(poll(&wait, 1, 10000) == 1);
    return accepted;
}

/* The connection of a daemon that dies with unread data is reset, not hung up. libpipewire reports
 * that as a reset only if it reads at that moment. */
TEST("end of the daemon", "a connection reset is reported as well") {
    struct client *client;
    int listener, accepted = accept_client(&client, &listener);
    close(accepted);
    AWAIT("client failed");
    client_end(client);
    close(listener);
}

/* libpipewire reads nothing more from a connection after any error of it. */
TEST("end of the daemon", "so is any other error of the connection, such as a message that is none") {
    struct client *client;
    int listener, accepted = accept_client(&client, &listener);
    const uint32_t header[] = {0, 0, 0, 0xffff /* files, more than a message can have */};
    CHECK_EQUAL(write(accepted, header, sizeof(header)), sizeof(header));
    AWAIT("client failed %d", -EPROTO);
    client_end(client);
    close(accepted), close(listener);
}
