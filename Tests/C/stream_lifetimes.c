/* Sources/CPipeWireShim: the end of streams, at each stage of their lives and of their connection's. */
#include "stage.h"

enum stage { AT_ONCE, CONNECTING, PAUSED, RUNNING, UNLINKED, DEAD, STAGES };

/* Brings a stream of each kind to a stage and destroys both there. Then the connection ends at
 * once (0), when the daemon has answered (1), or with the daemon (2). */
static void live_and_die(enum stage stage, int end) {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), true);
    uint32_t sink = add_sink(server, client);
    cpw_ring *rings[2] = {make_ring(48000), cpw_ring_create(1, 48000)}, **all = rings;
    cpw_stream *streams[2], **made = streams;
    static const char *const names[] = {"player", "recorder"};
    client_run(client, ^{
        for (int i = 0; i < 2; i++) {
            made[i] = make_stream(client, i == 0, all[i], names[i], i == 0);
            if (stage == AT_ONCE)
                cpw_stream_destroy(made[i]);
        }
    });
    struct pw_proxy *link = NULL;
    if (stage >= PAUSED && stage != DEAD) {
        uint32_t node = (uint32_t)AWAIT_NUMBER("player state 2");
        AWAIT("recorder state 2");
        if (stage >= RUNNING) {
            link = link_nodes(client, node, sink);
            AWAIT("player state 3");
            await_cycles(streams[0]);
        }
    }
    if (stage == UNLINKED)
        unlink_nodes(client, link);
    if (stage == DEAD) {
        cpt_server_stop(server);
        AWAIT("client failed");
    }
    if (stage != AT_ONCE)
        client_run(client, ^{
            for (int i = 0; i < 2; i++)
                cpw_stream_destroy(made[i]);
        });
    for (int i = 0; i < 2; i++)
        cpw_ring_release(rings[i]);
    if (stage == RUNNING)
        unlink_nodes(client, link);
    if (end == 1 && stage != DEAD)
        client_settle(client);
    if (end == 2 && stage != DEAD) {
        cpt_server_stop(server);
        AWAIT("client failed");
    }
    client_end(client);
    if (end != 2 && stage != DEAD)
        cpt_server_stop(server);
    journal_clear();
}

#define LIFE(stage, sentence)                                                                      \
    TEST("streams", "they are destroyed " sentence) {                                              \
        for (int end = 0; end < 3; end++)                                                          \
            live_and_die(stage, end);                                                              \
    }
LIFE(AT_ONCE, "right after their creation")
LIFE(CONNECTING, "while PipeWire connects them")
LIFE(PAUSED, "when they are paused")
LIFE(RUNNING, "while they run")
LIFE(UNLINKED, "after the loss of their sink")
LIFE(DEAD, "after the daemon's end")

TEST("streams", "they are destroyed within a callback of their connection") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), true);
    cpw_ring *ring = make_ring(100);
    __block cpw_stream *made = NULL;
    client_run(client, ^{
        made = make_stream(client, true, ring, "player", false);
    });
    AWAIT("player state 2");
    void (^destroy_at)(const char *) = ^(const char *line) {
        if (made == NULL || strncmp(line, "named next", 10) != 0)
            return;
        cpw_stream_destroy(made);
        made = NULL;
        journal("destroyed");
    };
    client_run(client, ^{
        client->at = destroy_at;
    });
    ADD(server, CPW_OBJECT_NODE, "node.name", "next");
    AWAIT("destroyed");
    client_settle(client);
    client_end(client);
    cpt_server_stop(server);
    cpw_ring_release(ring);
}
