/* Sources/CPipeWireShim: connections to a daemon, which is in the process of the test. */
#include "graph.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

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
