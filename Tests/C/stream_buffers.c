/* Sources/CPipeWireShim: cycles of streams, tones and taps with odd buffers. */
#include "Tap/tap.h"
#include "stage.h"

#include <math.h>

static const uint32_t chunk_sizes[] = {0, 1, 3, 4, 5, 64, 255, 256, 257, UINT32_MAX - 3, UINT32_MAX};

TEST("buffers", "playback writes within the buffer") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), false);
    cpw_ring *ring = make_ring(100000);
    client_run(client, ^{
        cpw_stream *stream = make_stream(client, true, ring, "player", false);
        cycle = (struct cycle){.is_scripted = true};
        run_cycle(stream); /* without a buffer */
        CHECK_EQUAL(report_of(stream).cycles, 0);
        for (uint32_t size = 0; size < 300; size += 7) {
            for (uint64_t requested = 0; requested < 200; requested += 11) {
                struct buffer *buffer = make_buffer(size);
                cycle.buffers[0] = &buffer->outer;
                buffer->outer.requested = requested * (requested == 11 ? UINT32_MAX : 1);
                cpw_stream_set_gate(stream, requested == 22);
                run_cycle(stream);
                CHECK(buffer->chunk.size <= size && buffer->chunk.size % 4 == 0);
                free_buffer(buffer);
            }
        }
        struct buffer *empty = make_buffer(0);
        free(empty->plane.data);
        empty->plane.data = NULL, empty->plane.maxsize = 4096;
        cycle.buffers[0] = &empty->outer;
        run_cycle(stream);
        CHECK_EQUAL(empty->chunk.size, 0);
        empty->inner.n_datas = 0, empty->inner.datas = NULL;
        run_cycle(stream);
        free_buffer(empty);
        CHECK_EQUAL(report_of(stream).cycles, cycle.queued - 1); /* the last had no plane */
        cycle.is_scripted = false;
        cpw_stream_destroy(stream);
    });
    client_end(client);
    cpt_server_stop(server);
    cpw_ring_release(ring);
}

TEST("buffers", "capture reads within the buffer") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), false);
    cpw_ring *ring = cpw_ring_create(1, 3000);
    client_run(client, ^{
        cpw_stream *stream = make_stream(client, false, ring, "recorder", false);
        cycle = (struct cycle){.is_scripted = true};
        run_cycle(stream);
        for (size_t size = 0; size < SPA_N_ELEMENTS(chunk_sizes); size++) {
            for (size_t offset = 0; offset < SPA_N_ELEMENTS(chunk_sizes); offset++) {
                for (int kind = 0; kind < 4; kind++) {
                    struct buffer *buffer = make_buffer(256);
                    buffer->chunk.size = chunk_sizes[size];
                    buffer->chunk.offset = chunk_sizes[offset];
                    if (kind == 1)
                        free(buffer->plane.data), buffer->plane.data = NULL;
                    if (kind == 2)
                        ((float *)buffer->plane.data)[5] = NAN, ((float *)buffer->plane.data)[6] = -INFINITY;
                    cpw_capture_set_muted(stream, kind == 3);
                    cpw_stream_set_gate(stream, kind == 0 && size % 4 == 0);
                    cycle.buffers[0] = &buffer->outer;
                    run_cycle(stream);
                    buffer->inner.n_datas = 0, buffer->inner.datas = NULL;
                    run_cycle(stream);
                    free_buffer(buffer);
                }
            }
        }
        float samples[256];
        while (cpw_ring_read(ring, samples, 256) > 0)
            for (int i = 0; i < 256; i++)
                CHECK(samples[i] == 0 || samples[i] == 0.5f || !isfinite(samples[i]));
        cpw_capture_report report;
        cpw_capture_get_report(stream, &report);
        CHECK(report.levels[0].peak <= 0.5f);
        cycle.is_scripted = false;
        cpw_stream_destroy(stream);
    });
    client_end(client);
    cpt_server_stop(server);
    cpw_ring_release(ring);
}

TEST("buffers", "a tone writes within the buffer") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), false);
    client_run(client, ^{
        int error = 0;
        cpw_tone *tone = cpw_tone_create(client->connection, PROPERTIES("node.name", "tone"), 2, &node_events, "tone",
                                         &error);
        REQUIRE(tone != NULL);
        struct stream_listener listener = last_stream_listener;
        cycle = (struct cycle){.is_scripted = true};
        listener.calls->process(listener.data); /* without a buffer */
        CHECK_EQUAL(cycle.queued, 0);
        for (uint32_t size = 0; size < 300; size += 7) {
            for (uint64_t requested = 0; requested < 60; requested += 11) {
                struct buffer *buffer = make_buffer(size);
                cycle.buffers[0] = &buffer->outer;
                buffer->outer.requested = requested * (requested == 11 ? UINT32_MAX : 1);
                listener.calls->process(listener.data);
                CHECK(buffer->chunk.size <= size && buffer->chunk.size % 8 == 0);
                free_buffer(buffer);
            }
        }
        struct buffer *empty = make_buffer(0);
        free(empty->plane.data);
        empty->plane.data = NULL, empty->plane.maxsize = 4096;
        cycle.buffers[0] = &empty->outer;
        listener.calls->process(listener.data);
        CHECK_EQUAL(empty->chunk.size, 0);
        unsigned queued = cycle.queued;
        empty->inner.n_datas = 0, empty->inner.datas = NULL;
        listener.calls->process(listener.data);
        CHECK_EQUAL(cycle.queued, queued + 1); /* returned although it has no plane */
        free_buffer(empty);
        cycle.is_scripted = false;
        cpw_tone_destroy(tone);
    });
    client_end(client);
    cpt_server_stop(server);
}

TEST("buffers", "a tap reads within the buffer") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), false);
    client_run(client, ^{
        int error = 0;
        cpw_tap *tap = cpw_tap_create(client->connection, "sink", 0.1f, &tap_events, "tap", &error);
        REQUIRE(tap != NULL);
        const struct pw_filter_events *calls = tap->filter_listener.cb.funcs;
        struct spa_io_position position = {.clock = {.duration = 64, .rate = {1, 48000}, .nsec = 1000}};
        cycle = (struct cycle){.is_scripted = true};
        calls->process(tap, NULL);
        calls->process(tap, &position);
        for (size_t size = 0; size < SPA_N_ELEMENTS(chunk_sizes); size++) {
            for (uint32_t offset = 0; offset <= 260; offset += 1) {
                struct buffer *buffer = make_buffer(256), *other = make_buffer(64);
                buffer->chunk.size = other->chunk.size = chunk_sizes[size];
                buffer->chunk.offset = offset;
                other->inner.n_datas = size % 2;
                position.clock.duration = size % 3 == 0 ? UINT32_MAX : 64;
                position.clock.rate.denom = size % 5 == 0 ? 0 : 48000;
                position.clock.rate.num = size % 4 == 0 ? UINT32_MAX : 1;
                position.clock.rate.denom = size % 8 == 0 ? 1 : position.clock.rate.denom;
                cycle.buffers[1] = &buffer->outer, cycle.buffers[7] = &other->outer;
                cycle.next_port = 0;
                calls->process(tap, &position);
                free_buffer(buffer);
                free_buffer(other);
            }
        }
        cpw_tap_report report;
        cpw_tap_get_report(tap, &report);
        CHECK(report.peak == 0.5f && report.loud_frames > 0 && report.loud_frames <= report.frames);
        cpw_tap_reset(tap);
        cpw_tap_get_report(tap, &report);
        CHECK_EQUAL(report.frames, 0);
        cycle.is_scripted = false;
        cpw_tap_destroy(tap);
    });
    client_end(client);
    cpt_server_stop(server);
}
