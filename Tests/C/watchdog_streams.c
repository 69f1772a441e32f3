/* Sources/CPipeWireShim/Watchdog: streams whose volumes are restored. */
#define _GNU_SOURCE
#include "watchdog.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Whether the streams of a program are restored whose log has the file of this number. */
static bool restores_with_log(int number) {
    pid_t program = fork();
    if (program == 0) {
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        setenv("PIPEWIRE_LOG", test_path("log"), 1);
        setenv("PIPEWIRE_DEBUG", "5", 1);
        int null = open("/dev/null", O_WRONLY);
        for (int file = STDERR_FILENO; file < number; file++)
            dup2(null, file);
        close(number);
        cpt_server *server = server_start();
        float first;
        bool is_muted;
        size_t count = restore(add_stream(server), "mark\n%1$u 4242 0 3f800000", &first, &is_muted);
        cpt_server_stop(server);
        _exit(count == 1 ? 0 : 1);
    }
    int status = 1;
    while (waitpid(program, &status, 0) < 0 && errno == EINTR)
        ;
    return status == 0;
}

TEST("stream restore", "messages for PipeWire's log file do not disturb it") {
    for (int number = 3; number < 20; number++)
        if (!restores_with_log(number))
            harness_fail(__FILE__, __LINE__, "the log had file %d", number);
}

TEST("stream restore", "volumes and mute are restored, and malformed lines are ignored") {
    cpt_server *server = server_start();
    float first;
    bool is_muted;
    cpt_object *stream = add_stream(server);
    CHECK_EQUAL(restore(stream, "mark\n%1$u 4242 1 3f800000 3e800000", &first, &is_muted), 2);
    CHECK(is_muted && first == 1);
    CHECK_EQUAL(restore(stream,
                        "mark\nnonsense\n\n99999999999999999999 1 0 3f800000\n%1$u\n%1$u \n%1$u 4242\n%1$u 42 0 0\n"
                        "%1$u 4242 0 3f000000\n%1$u 4242 1 0",
                        &first, &is_muted), 1);
    CHECK(!is_muted && first == 0.5f);
    CHECK_EQUAL(restore(stream, "mark\n%1$u 4242 0", &first, &is_muted), 1); /* unchanged */
    CHECK_EQUAL(restore(stream, "only a mark", &first, &is_muted), 1);
    CHECK_EQUAL(restore(stream, "mark\n", &first, &is_muted), 1);
    /* A line that ends after the serial uses no value of the previous order. */
    int error = 0;
    char orders[2][60];
    snprintf(orders[0], sizeof(orders[0]), "mark\n%u 4242 0 3e800000", cpt_object_id(stream));
    snprintf(orders[1], sizeof(orders[1]), "mark\n%u 4242 ", cpt_object_id(stream));
    cpw_watchdog *watchdog = cpw_watchdog_create(test_path("daemon"), &error);
    for (int i = 0; i < 3; i++) /* twice the first one, because the last but one is kept */
        CHECK_EQUAL(cpw_watchdog_set_order(watchdog, orders[i / 2], strlen(orders[i / 2])), 0);
    cpw_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    cpt_node_soft_volumes(stream, &first, 1, &is_muted);
    CHECK(first == 0.5f);
    char many[CPW_MAX_VOLUMES * 9 + 200] = "mark\n%1$u 4242 0";
    for (unsigned i = 0; i < CPW_MAX_VOLUMES + 10; i++)
        strcat(many, " 3f800000");
    CHECK_EQUAL(restore(stream, many, &first, &is_muted), CPW_MAX_VOLUMES);
    cpt_server_stop(server);
}

TEST("stream restore", "other streams, and those that another client restores, are left alone") {
    cpt_server *server = server_start();
    float first;
    bool is_muted;
    cpt_object *stream = add_stream(server);
    CHECK_EQUAL(restore(stream, "mark\n%1$u 42420 0 3f800000", &first, &is_muted), 0);
    cpt_object *mark = add_mark(server, "other", "1;ducks=200", "4711");
    CHECK_EQUAL(restore(stream, "mark\n%1$u 4242 0 3f800000", &first, &is_muted), 0);
    cpt_object_remove(mark);
    mark = add_device_mark(server, "other", "1;ducks=200", "4711");
    CHECK_EQUAL(restore(stream, "mark\n%1$u 4242 0 3f800000", &first, &is_muted), 0);
    cpt_object_remove(mark);
    ADD(server, CPW_OBJECT_DEVICE, "device.api", CPW_MARK_API);
    ADD(server, CPW_OBJECT_SESSION, CPW_MARK_KEY, "1;ducks=200");
    mark = add_mark(server, "other", CPW_MARK_MUTES "4242", "4711");
    CHECK_EQUAL(restore(stream, "mark\n%1$u 4242 0 3f800000", &first, &is_muted), 0);
    cpt_object_remove(mark);
    add_mark(server, "other", CPW_MARK_MUTES "42420000000000000000000000000000000", "4711");
    mark = add_mark(server, "other", CPW_MARK_NO_DUCKING, "4711");
    CHECK_EQUAL(restore(stream, "mark\n%1$u 4242 0 3f800000", &first, &is_muted), 1);
    cpt_server_stop(server);
}

TEST("stream restore", "it waits until the program's mark is removed, and ends without a daemon") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), true);
    cpt_object *stream = add_stream(server), *mark = add_mark(server, "mark", "1;ducks=200", "4711");
    char order[100];
    snprintf(order, sizeof(order), "mark\n%u 4242 0 3f800000", cpt_object_id(stream));
    cpw_watchdog *watchdog = watchdog_with(order), *lost = watchdog_with(order);
    client_settle(client);
    size_t clients = journal_count("client global");
    cpw_watchdog_destroy(watchdog);
    AWAIT_TRUE("watchdog", journal_count("client global") > clients);
    cpt_object_remove(mark);
    CHECK_EQUAL(await_orphan(), 0);
    float volumes[1];
    bool is_muted;
    CHECK_EQUAL(cpt_node_soft_volumes(stream, volumes, 1, &is_muted), 1);
    client_end(client);
    cpt_server_stop(server);
    cpw_watchdog_destroy(lost);
    CHECK_EQUAL(await_orphan(), 0);
}

/* The watchdog's clock is stopped, so that it waits however long the flood takes. */
TEST("stream restore", "events of other clients do not shorten the wait for the end of the program's mark") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), true);
    cpt_object *stream = add_stream(server), *mark = add_mark(server, "mark", "1;ducks=200", "4711");
    char order[100];
    snprintf(order, sizeof(order), "mark\n%u 4242 0 3f800000", cpt_object_id(stream));
    cpw_watchdog *watchdog = watchdog_without_clock(order);
    client_settle(client);
    size_t clients = journal_count("client global");
    cpw_watchdog_destroy(watchdog);
    AWAIT_TRUE("watchdog", journal_count("client global") > clients);
    for (int i = 0; i < 1500; i++) {
        cpt_object_remove(ADD(server, CPW_OBJECT_NODE, "node.name", "flood"));
        client_settle(client);
    }
    cpt_object_remove(mark);
    CHECK_EQUAL(await_orphan(), 0);
    float volumes[1];
    bool is_muted;
    CHECK_EQUAL(cpt_node_soft_volumes(stream, volumes, 1, &is_muted), 1);
    client_end(client);
    cpt_server_stop(server);
}
