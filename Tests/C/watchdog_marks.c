/* Sources/CPipeWireShim/Watchdog: marks and devices of sandboxed clients, and of clients with
 * many. */
#include "pods.h"
#include "watchdog.h"

#include <stdio.h>

TEST("stream restore", "marks of sandboxed clients do not count, however many there are") {
    enum { CLIENTS = 600 };
    static cpt_object *clients[CLIENTS];
    cpt_server *server = server_start();
    float first;
    bool is_muted;
    cpt_object *stream = add_stream(server);
    for (int i = 0; i < CLIENTS; i++)
        clients[i] = ADD(server, CPW_OBJECT_CLIENT, "pipewire.access", "restricted");
    for (int i = CLIENTS - 1; i >= 0; i--) {
        char id[16];
        snprintf(id, sizeof(id), "%u", cpt_object_id(clients[i]));
        add_mark(server, "sandboxed", "1;ducks=200", id);
        add_mark(server, "mark", "1;ducks=200", id); /* the program's own name */
    }
    CHECK_EQUAL(restore(stream, "mark\n%1$u 4242 0 3f800000", &first, &is_muted), 1);
    CHECK(first == 1);
    /* The last of all is valid. */
    add_mark(server, "other", "1;ducks=200", "4711");
    CHECK_EQUAL(restore(stream, "mark\n%1$u 4242 0 3f000000", &first, &is_muted), 1);
    CHECK(first == 1);
    cpt_server_stop(server);
}

TEST("stream restore", "a client with many marks hides none of another client") {
    cpt_server *server = server_start();
    float first;
    bool is_muted;
    cpt_object *stream = add_stream(server);
    for (int i = 0; i < 300; i++)
        add_mark(server, "crowd", CPW_MARK_MUTES "1", "4711");
    cpt_object *mark = add_mark(server, "other", CPW_MARK_MUTES "4242", "4712");
    CHECK_EQUAL(restore(stream, "mark\n%1$u 4242 0 3f800000", &first, &is_muted), 0);
    cpt_object_remove(mark);
    CHECK_EQUAL(restore(stream, "mark\n%1$u 4242 0 3f800000", &first, &is_muted), 1);
    cpt_server_stop(server);
}

TEST("card restore", "a sandboxed client's device with the card's name gets no request") {
    cpt_server *server = server_start();
    cpt_object *devices[3];
    char sandboxed[16];
    snprintf(sandboxed, sizeof(sandboxed), "%u",
             cpt_object_id(ADD(server, CPW_OBJECT_CLIENT, "pipewire.access", "restricted")));
    struct pod pod = pod_route(1, "speaker", 0);
    for (int i = 0; i < 3; i++) {
        devices[i] = ADD(server, CPW_OBJECT_DEVICE, "device.name", "card", "media.class", "Audio/Device", "client.id",
                         i == 1 ? "4711" : sandboxed);
        cpt_device_set(devices[i], CPW_PARAM_ROUTE, &(cpt_bytes){pod.bytes, pod.size}, 1);
    }
    cpt_device_hold(devices[0], true);
    cpt_device_hold(devices[2], true);
    cpw_watchdog_destroy(watchdog_with("mark\n@1 2 output;0;card;\n"));
    CHECK_EQUAL(await_orphan(), 0);
    /* It is queried again after the request. */
    CHECK(cpt_device_question_count(devices[1], CPW_PARAM_ROUTE) >= 2);
    CHECK_EQUAL(cpt_device_question_count(devices[0], CPW_PARAM_ROUTE), 0);
    CHECK_EQUAL(cpt_device_question_count(devices[2], CPW_PARAM_ROUTE), 0);
    cpt_server_stop(server);
}

TEST("card restore", "a client with many marks or microphones hides none of another client") {
    cpt_server *server = server_start();
    cpt_object *card = ADD(server, CPW_OBJECT_DEVICE, "device.name", "card", "media.class", "Audio/Device");
    struct pod pod = pod_profile(2, "headset-head-unit");
    cpt_device_set(card, CPW_PARAM_PROFILE, &(cpt_bytes){pod.bytes, pod.size}, 1);
    char device[16], source[16], recorder[16];
    snprintf(device, sizeof(device), "%u", cpt_object_id(card));
    for (int i = 0; i < 300; i++) {
        add_mark(server, "crowd", CPW_MARK_CARD "output;0;other;speaker", "4711");
        ADD(server, CPW_OBJECT_NODE, "media.class", "Audio/Source", "device.id", device, "client.id", "4711");
    }
    CHECK(switches_headset_back(card));
    cpt_object *mark = add_mark(server, "other", CPW_MARK_CARD "headset;0;card;hfp", "4712");
    CHECK(!switches_headset_back(card));
    cpt_object_remove(mark);
    cpt_object *stream = ADD(server, CPW_OBJECT_NODE, "media.class", "Stream/Input/Audio");
    cpt_object *microphone =
        ADD(server, CPW_OBJECT_NODE, "media.class", "Audio/Source", "device.id", device, "client.id", "4712");
    snprintf(recorder, sizeof(recorder), "%u", cpt_object_id(stream));
    snprintf(source, sizeof(source), "%u", cpt_object_id(microphone));
    ADD(server, CPW_OBJECT_LINK, "link.output.node", source, "link.input.node", recorder);
    CHECK(!switches_headset_back(card));
    cpt_server_stop(server);
}
