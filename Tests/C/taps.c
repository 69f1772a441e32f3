/* Sources/CPipeWireShim: taps of sinks. stream_buffers.c has their cycles. */
#include "stage.h"

TEST("taps", "they attach whenever their sink appears, and can be destroyed at any time") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), true);
    cpw_tap *early = make_tap(client, "sink"), *deaf = make_tap(client, "nothing");
    uint32_t sink = add_sink(server, client);
    AWAIT("tap attached %u", sink);
    destroy_tap(client, make_tap(client, "sink"));
    client_run(client, ^{
        pw_registry_destroy(client->connection->registry, sink);
    });
    AWAIT("client removed %u", sink);
    AWAIT("tap attached -1");
    uint32_t again = add_sink(server, client);
    AWAIT_COUNT(1 + (again == sink), "tap attached %u", again);
    destroy_tap(client, early);
    cpt_server_stop(server);
    AWAIT("client failed");
    destroy_tap(client, deaf);
    client_end(client);
}
