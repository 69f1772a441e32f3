/* Sources/CPipeWireShim/Watchdog: cards that are switched back. CardKillTests test the routes with
 * a session manager. */
#include "pods.h"
#include "watchdog.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

TEST("card restore", "malformed lines and marks are ignored, and lines for streams still hold") {
    cpt_server *server = server_start();
    float first;
    bool is_muted;
    cpt_object *stream = add_stream(server);
    cpt_object *card = ADD(server, CPW_OBJECT_DEVICE, "device.name", "card", "media.class", "Audio/Device");
    struct pod pod = pod_route(1, "speaker", 0);
    cpt_device_set(card, CPW_PARAM_ROUTE, &(cpt_bytes){pod.bytes, pod.size}, 1);
    add_mark(server, "other", CPW_MARK_CARD, "4711");
    add_mark(server, "other", CPW_MARK_CARD "output;0;card;speaker", "4711");
    CHECK_EQUAL(restore(stream,
                        "mark\n@\n@1\n@1 2\n@1 2 output\n@1 2 output;0\n@1 2 output;0;card\n@1 2 ;0;card;\n"
                        "@99999999999999999999 2 output;0;card;\n@1 2 output;x;card;\n@1 2 output;0;card;;\n"
                        "@1 2 output;0;card;\n@1 2 input;0;nowhere;\n%1$u 4242 0 3f800000",
                        &first, &is_muted), 1);
    char many[4000] = "mark\n";
    for (int i = 0; i < 40; i++)
        strcat(many, "@1 2 output;0;card;\n");
    strcat(many, "@1 2 output;0;");
    for (int i = 0; i < 30; i++)
        strcat(many, "0123456789");
    strcat(many, ";\n");
    /* The watchdog's clock is stopped: queries of the card end no wait, and no limit is reached. */
    cpw_watchdog_destroy(watchdog_without_clock(many));
    CHECK_EQUAL(await_orphan(), 0);
    cpt_server_stop(server);
}

/* An owner that does not answer would keep the watchdog from reading its other messages. */
TEST("card restore", "a card is queried only after the end of the program's mark") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), true);
    cpt_object *mark = add_mark(server, "mark", CPW_MARK_CARD "output;0;card;speaker", "4711");
    cpt_object *card = ADD(server, CPW_OBJECT_DEVICE, "device.name", "card", "media.class", "Audio/Device");
    struct pod pod = pod_route(1, "speaker", 0);
    cpt_device_set(card, CPW_PARAM_ROUTE, &(cpt_bytes){pod.bytes, pod.size}, 1);
    size_t clients = journal_count("client global");
    cpw_watchdog_destroy(watchdog_with("mark\n@1 2 output;0;card;\n"));
    AWAIT_TRUE("watchdog", journal_count("client global") > clients);
    client_settle(client);
    CHECK_EQUAL(cpt_device_question_count(card, CPW_PARAM_ROUTE), 0);
    cpt_object_remove(mark);
    /* A card that changes all the time does not keep it alive. */
    for (size_t count = 1; count < 4; count++) {
        AWAIT_TRUE("question", cpt_device_question_count(card, CPW_PARAM_ROUTE) >= count);
        cpt_device_emit_changed(card, 1u << CPW_PARAM_ROUTE);
    }
    CHECK_EQUAL(await_orphan(), 0);
    client_end(client);
    cpt_server_stop(server);
}

/* The daemon reads nothing from the watchdog until the card has answered. */
TEST("card restore", "a card that never answers ends each wait, and not the process") {
    cpt_server *server = server_start();
    cpt_object *card = ADD(server, CPW_OBJECT_DEVICE, "device.name", "card", "media.class", "Audio/Device");
    struct pod pod = pod_route(1, "speaker", 0);
    cpt_device_set(card, CPW_PARAM_ROUTE, &(cpt_bytes){pod.bytes, pod.size}, 1);
    cpt_device_hold(card, true);
    cpw_watchdog_destroy(watchdog_with("mark\n@1 2 output;0;card;\n"));
    CHECK_EQUAL(await_orphan(), 0); /* its own end, and no alarm */
    CHECK_EQUAL(cpt_device_question_count(card, CPW_PARAM_ENUM_ROUTE), 1);
    cpt_device_hold(card, false);
    cpt_server_stop(server);
}

TEST("card restore", "a headset from which a program records keeps its profile") {
    cpt_server *server = server_start();
    cpt_object *card = ADD(server, CPW_OBJECT_DEVICE, "device.name", "card", "media.class", "Audio/Device");
    struct pod pod = pod_profile(2, "headset-head-unit");
    cpt_device_set(card, CPW_PARAM_PROFILE, &(cpt_bytes){pod.bytes, pod.size}, 1);
    char device[16], source[16], sink[16], recorder[16], filter[16];
#define TEXT(text, object) snprintf(text, sizeof(text), "%u", cpt_object_id(object))
    TEXT(device, card);
    TEXT(source, ADD(server, CPW_OBJECT_NODE, "media.class", "Audio/Source", "device.id", device));
    TEXT(sink, ADD(server, CPW_OBJECT_NODE, "media.class", "Audio/Sink", "device.id", device));
    cpt_object *stream = ADD(server, CPW_OBJECT_NODE, "media.class", "Stream/Input/Audio");
    TEXT(recorder, stream);
    TEXT(filter, ADD(server, CPW_OBJECT_NODE, "media.class", "Stream/Input/Audio/Internal"));
#undef TEXT
    ADD(server, CPW_OBJECT_LINK, "link.output.node", sink, "link.input.node", recorder);
    ADD(server, CPW_OBJECT_LINK, "link.output.node", source, "link.input.node", filter);
    CHECK(switches_headset_back(card));
    cpt_object *link = ADD(server, CPW_OBJECT_LINK, "link.output.node", source, "link.input.node", recorder);
    CHECK(!switches_headset_back(card));
    cpt_object_remove(link);
    CHECK(switches_headset_back(card));
    cpt_server_stop(server);
}

/* Answers what is held, and returns how often the route was queried until then. */
static size_t answer_questions(cpt_server *server, cpt_object *card) {
    cpt_server_lock(server);
    size_t count = cpt_device_question_count(card, CPW_PARAM_ROUTE);
    cpt_device_hold(card, false);
    cpt_device_hold(card, true);
    cpt_server_unlock(server);
    return count;
}

/* If it ended before, the daemon would keep the old route. The watchdog's clock is stopped, so that
 * it waits however late the answers are. */
TEST("card restore", "it ends when the card has answered its last question") {
    cpt_server *server = server_start();
    cpt_object *card = ADD(server, CPW_OBJECT_DEVICE, "device.name", "card", "media.class", "Audio/Device");
    struct pod pod = pod_route(1, "speaker", 0);
    cpt_device_set(card, CPW_PARAM_ROUTE, &(cpt_bytes){pod.bytes, pod.size}, 1);
    int status;
    cpw_watchdog *watchdog = watchdog_without_clock("mark\n@1 2 output;0;card;\n");
    cpt_device_hold(card, true);
    cpw_watchdog_destroy(watchdog);
    /* The route is queried, then again after each of the two requests for another one. */
    AWAIT_TRUE("second question", answer_questions(server, card) >= 2);
    AWAIT_TRUE("last question", cpt_device_question_count(card, CPW_PARAM_ROUTE) >= 3);
    /* A watchdog that does not wait ends while another client connects and asks. */
    struct client *client = client_start("client", test_path("daemon"), true);
    client_settle(client);
    CHECK_EQUAL(waitpid(-1, &status, WNOHANG), 0);
    client_end(client);
    cpt_device_hold(card, false);
    CHECK_EQUAL(await_orphan(), 0);
    cpt_server_stop(server);
}
