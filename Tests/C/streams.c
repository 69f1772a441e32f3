/* Sources/CPipeWireShim: streams that play and record, gates and tones, against a daemon in this
 * process.
 *
 * There is no session manager: the test links nodes itself, and a null sink of the daemon drives
 * them. */
#include "stage.h"

#include <errno.h>
#include <math.h>

TEST("streams", "a sink receives a stream's sound with volume, ducking and gate applied") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), true);
    uint32_t sink = add_sink(server, client);
    cpw_ring *ring = make_ring(4800000);
    __block cpw_stream *made = NULL;
    client_run(client, ^{
        made = make_stream(client, true, ring, "player", true);
    });
    cpw_stream *stream = made;
    cpw_tap *tap = make_tap(client, "sink");
    struct pw_proxy *link = link_nodes(client, (uint32_t)AWAIT_NUMBER("player state 2"), sink);
    AWAIT("player state 3");
    AWAIT("tap attached %u", sink);
    AWAIT_SOUND;
    static const float no_volumes[] = {-1, CPW_MAX_VOLUME + 1, NAN, INFINITY};
    for (size_t i = 0; i < SPA_N_ELEMENTS(no_volumes); i++) {
        float peak = peak_of(tap, stream, 1);
        cpw_playback_set_volume(stream, no_volumes[i]);
        cpw_playback_set_duck(stream, no_volumes[i]);
        CHECK(peak_of(tap, stream, 24000) == peak); /* longer than any ramp */
        AWAIT_SOUND;
    }
    cpw_playback_set_volume(stream, 0.1f);
    AWAIT_SILENCE;
    cpw_playback_set_volume(stream, 1);
    cpw_playback_set_duck(stream, 0);
    AWAIT_SILENCE;
    cpw_playback_set_duck(stream, 1);
    AWAIT_SOUND;
    client_run(client, ^{
        cpw_stream_set_gate(stream, true);
        CHECK(cpw_stream_set_properties(stream, PROPERTIES("media.name", "another", "x", "y")) >= 0);
    });
    AWAIT_SILENCE;
    CHECK(report_of(stream).gate_time > 0 && report_of(stream).quantum > 0 && report_of(stream).rate == 48000);
    client_run(client, ^{
        cpw_stream_set_gate(stream, false);
    });
    AWAIT_SOUND;
    CHECK(cpw_playback_last_sound_time(stream) > 0);
    cpw_ring_flush(ring);
    AWAIT_SILENCE;
    client_run(client, ^{
        CHECK(cpw_playback_set_active(stream, false) >= 0);
    });
    AWAIT_COUNT(2, "player state 2");
    unlink_nodes(client, link);
    destroy_tap(client, tap);
    destroy_stream(client, stream);
    client_end(client);
    cpt_server_stop(server);
    cpw_ring_release(ring);
}

TEST("streams", "a tone is recorded, muted and gated, and dropped frames are counted") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), true);
    add_sink(server, client); /* drives the graph */
    cpw_ring *ring = cpw_ring_create(1, 4000);
    __block cpw_tone *made_tone = NULL;
    __block cpw_stream *made = NULL;
    client_run(client, ^{
        int error = 0;
        CHECK(cpw_tone_create(client->connection, NULL, 0, 0, &node_events, "none", &error) == NULL);
        CHECK_EQUAL(error, -EINVAL);
        made_tone = cpw_tone_create(client->connection,
                                    PROPERTIES("node.name", "tone", "media.class", "Audio/Source", PORTS), 1,
                                    &node_events, "tone", &error);
        REQUIRE(made_tone != NULL);
        made = make_stream(client, false, ring, "recorder", true);
    });
    cpw_stream *stream = made;
    cpw_tone *tone = made_tone;
    uint32_t source = (uint32_t)AWAIT_NUMBER("tone bound"), node = (uint32_t)AWAIT_NUMBER("recorder state 2");
    struct pw_proxy *link = link_nodes(client, source, node);
    AWAIT("recorder state 3");
    float *samples = malloc(4000 * sizeof(float));
    __block float peak = 0;
    AWAIT_TRUE("sound", ({
                   uint32_t count = cpw_ring_read(ring, samples, 4000);
                   for (uint32_t i = 0; i < count; i++)
                       peak = fmaxf(peak, fabsf(samples[i]));
                   peak > 0.9f;
               }));
    __block cpw_capture_report report;
    AWAIT_TRUE("overrun", (cpw_capture_get_report(stream, &report), report.dropped > 0));
    CHECK(report.levels[0].peak > 0.9f && report.levels[0].mean_square < 0.6f);
    cpw_capture_set_muted(stream, true);
    await_cycles(stream);
    AWAIT_TRUE("muted level", (cpw_capture_get_report(stream, &report), report.levels[0].peak == 0));
    cpw_capture_set_muted(stream, false);
    AWAIT_TRUE("level", (cpw_capture_get_report(stream, &report), report.levels[0].peak > 0));
    client_run(client, ^{
        /* At once, because a stream without a link has no further cycle. */
        cpw_stream_set_gate(stream, true);
        cpw_capture_get_report(stream, &report);
        CHECK(report.levels[0].peak == 0);
        CHECK(cpw_tone_set_volume(tone, 0.5f, true) >= 0);
    });
    await_cycles(stream);
    CHECK((cpw_capture_get_report(stream, &report), report.levels[0].peak == 0));
    unlink_nodes(client, link);
    client_run(client, ^{
        cpw_tone_destroy(tone);
        cpw_stream_destroy(stream);
    });
    client_end(client);
    cpt_server_stop(server);
    cpw_ring_release(ring);
    free(samples);
}

TEST("streams", "options out of bounds are refused without leaks") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), false);
    cpw_ring *ring = cpw_ring_create(2, 100);
    client_run(client, ^{
        const cpw_stream_options bad[] = {
            {48000, 0, true, NULL, 0}, {48000, CPW_MAX_CHANNELS + 1, true, NULL, 0}, {48000, 1, true, NULL, 0},
            {0, 2, true, NULL, 0},     {CPW_MAX_RATE + 1, 2, true, NULL, 0},
        };
        int error = 0;
        for (size_t i = 0; i < SPA_N_ELEMENTS(bad); i++) {
            CHECK(cpw_playback_create(client->connection, &bad[i], ring, &state_events, "bad", &error) == NULL);
            CHECK_EQUAL(error, -EINVAL);
            CHECK(cpw_capture_create(client->connection, &bad[i], ring, &state_events, "bad", &error) == NULL);
            CHECK_EQUAL(error, -EINVAL);
        }
        const cpw_stream_options good = {CPW_MAX_RATE, 2, false, NULL, 0};
        CHECK(with_failing_allocations(^{
            int own = 0;
            cpw_stream *stream = cpw_playback_create(client->connection, &good, ring, &state_events, "s", &own);
            cpw_tap *tap = cpw_tap_create(client->connection, "sink", 0, &tap_events, "tap", &own);
            cpw_tone *tone = cpw_tone_create(client->connection, NULL, 0, 1, &node_events, "tone", &own);
            if (tap != NULL) cpw_tap_destroy(tap);
            if (stream != NULL) cpw_stream_destroy(stream);
            if (tone != NULL) cpw_tone_destroy(tone);
        }) == 4);
    });
    cpt_server_stop(server);
    AWAIT("client failed");
    client_run(client, ^{
        const cpw_stream_options good = {48000, 2, false, NULL, 0};
        int error = 0;
        CHECK(cpw_playback_create(client->connection, &good, ring, &state_events, "dead", &error) == NULL);
        CHECK_EQUAL(error, -ENOTCONN);
        CHECK(cpw_tone_create(client->connection, NULL, 0, 1, &node_events, "dead", &error) == NULL);
        CHECK_EQUAL(error, -ENOTCONN);
    });
    client_end(client);
    cpw_ring_release(ring);
}

TEST("streams", "the removal of a trigger node closes the gate before it is reported") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), true);
    cpt_object *nodes[CPW_MAX_GATE_TRIGGERS + 2];
    uint32_t ids[CPW_MAX_GATE_TRIGGERS + 2], *all = ids;
    for (size_t i = 0; i < SPA_N_ELEMENTS(nodes); i++) {
        nodes[i] = ADD(server, CPW_OBJECT_NODE, "node.name", "trigger");
        ids[i] = cpt_object_id(nodes[i]);
        AWAIT("client global %u", ids[i]);
    }
    cpw_ring *ring = make_ring(100);
    __block cpw_stream *made = NULL;
    client_run(client, ^{
        made = make_stream(client, true, ring, "player", false);
        cpw_stream_set_gate_triggers(made, all, CPW_MAX_GATE_TRIGGERS + 1);
    });
    cpw_stream *stream = made;
    client->at = ^(const char *line) {
        if (strncmp(line, "removed", 7) == 0)
            journal("gate is %s", report_of(stream).gate_time != 0 ? "closed" : "open");
    };
    cpt_object_remove(nodes[CPW_MAX_GATE_TRIGGERS]); /* one more than a stream has triggers */
    AWAIT("client removed %u", ids[CPW_MAX_GATE_TRIGGERS]);
    AWAIT("gate is open");
    cpt_object_remove(nodes[CPW_MAX_GATE_TRIGGERS - 1]);
    AWAIT("gate is closed");
    CHECK(report_of(stream).gate_event_time <= report_of(stream).gate_time && report_of(stream).gate_event_time > 0);
    client_run(client, ^{
        cpw_stream_set_gate_triggers(stream, NULL, 0);
        cpw_stream_set_gate(stream, false);
        cpw_stream_set_gate(stream, true);
        CHECK_EQUAL(report_of(stream).gate_event_time, 0); /* no event closed it */
        CHECK(report_of(stream).gate_time > 0);
    });
    cpt_object_remove(nodes[0]);
    AWAIT("client removed %u", ids[0]);
    client_run(client, ^{
        client->at = NULL; /* the stream's node is removed too */
        cpw_stream_destroy(stream);
    });
    client_end(client);
    cpt_server_stop(server);
    cpw_ring_release(ring);
}

static void close_gate(void *stream) { cpw_stream_set_gate(stream, true); }

TEST("streams", "a job that runs within a callback closes the gate by no event") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), true);
    cpt_object *node = ADD(server, CPW_OBJECT_NODE, "node.name", "removed");
    AWAIT("client global %u", cpt_object_id(node));
    cpw_ring *ring = make_ring(100);
    __block cpw_stream *made = NULL;
    client_run(client, ^{
        made = make_stream(client, true, ring, "player", false);
    });
    cpw_stream *stream = made;
    client->at = ^(const char *line) {
        if (strncmp(line, "removed", 7) != 0 || journal_count("checked") > 0)
            return; /* the stream's node is removed too */
        cpw_loop_run_waiting(client->loop->loop, close_gate, stream);
        CHECK_EQUAL(report_of(stream).gate_event_time, 0);
        CHECK(report_of(stream).gate_time > 0);
        cpw_stream_set_gate(stream, false);
        cpw_stream_set_gate(stream, true); /* the rest of the callback is due to its event again */
        CHECK(report_of(stream).gate_event_time > 0);
        journal("checked");
    };
    cpt_object_remove(node);
    AWAIT("checked");
    destroy_stream(client, stream);
    client_end(client);
    cpt_server_stop(server);
    cpw_ring_release(ring);
}
