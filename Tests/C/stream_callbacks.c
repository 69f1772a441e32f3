/* Sources/CPipeWireShim: streams with a callback or a canceller. callbacks.c and canceller.c have
 * what needs no daemon. */
#include "Streams/canceller.h"
#include "stage.h"

#include <errno.h>

/* ---- Callbacks */

/* The arguments of a callback. */
struct calls {
    atomic_uint count;
    _Atomic uint64_t frames, time;
    _Atomic float value; /* to render, or received last */
    atomic_bool is_destroyed;
};

static void render(void *context, float *samples, uint32_t frames, uint32_t channels, uint32_t rate, uint64_t time) {
    struct calls *calls = context;
    float value = atomic_load(&calls->value);
    for (uint32_t i = 0; i < frames * channels; i++)
        samples[i] = value;
    (void)rate;
    atomic_store(&calls->time, time);
    atomic_fetch_add(&calls->frames, frames);
    atomic_fetch_add(&calls->count, 1);
}

static void receive(void *context, const float *samples, uint32_t frames, uint32_t channels, uint32_t rate,
                    uint64_t time) {
    struct calls *calls = context;
    (void)rate;
    for (uint32_t i = 0; i < frames * channels; i++)
        atomic_store(&calls->value, samples[i]);
    atomic_store(&calls->time, time);
    atomic_fetch_add(&calls->frames, frames);
    atomic_fetch_add(&calls->count, 1);
}

static void destroy_calls(void *context) {
    struct calls *calls = context;
    atomic_store(&calls->is_destroyed, true);
}

static cpw_stream *make_calling(struct client *client, bool plays, cpw_callback *callback, const char *name) {
    int error = 0;
    const char *const list[] = {"node.name", name, PORTS};
    cpw_stream_options options = {48000, 1, true, (const cpw_property *)list, 2, callback};
    cpw_stream *stream =
        plays ? cpw_playback_create(client->connection, &options, NULL, &state_events, (void *)name, &error)
              : cpw_capture_create(client->connection, &options, NULL, &state_events, (void *)name, &error);
    REQUIRE(stream != NULL);
    return stream;
}

TEST("streams", "a sink receives what a callback renders, which is not called behind a closed gate") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), true);
    uint32_t sink = add_sink(server, client);
    struct calls calls = {.value = 0.5f};
    cpw_callback *callback = cpw_callback_create_render(1, render, &calls, destroy_calls);
    __block cpw_stream *made = NULL;
    client_run(client, ^{
        made = make_calling(client, true, callback, "player");
    });
    cpw_stream *stream = made;
    cpw_callback_release(callback); /* the stream has it */
    cpw_tap *tap = make_tap(client, "sink");
    struct pw_proxy *link = link_nodes(client, (uint32_t)AWAIT_NUMBER("player state 2"), sink);
    AWAIT("player state 3");
    AWAIT("tap attached %u", sink);
    AWAIT_SOUND;
    CHECK(atomic_load(&calls.time) >= cpw_playback_last_sound_time(stream) - SPA_NSEC_PER_SEC);
    cpw_playback_set_volume(stream, 0.1f);
    AWAIT_SILENCE;
    cpw_playback_set_volume(stream, 1);
    AWAIT_SOUND;
    client_run(client, ^{
        cpw_stream_set_gate(stream, true);
    });
    await_cycles(stream); /* one may be under way */
    unsigned count = atomic_load(&calls.count);
    AWAIT_SILENCE;
    CHECK_EQUAL(atomic_load(&calls.count), count);
    client_run(client, ^{
        cpw_stream_set_gate(stream, false);
    });
    AWAIT_SOUND;
    CHECK(cpw_playback_last_sound_time(stream) > 0);
    unlink_nodes(client, link);
    destroy_tap(client, tap);
    CHECK(!atomic_load(&calls.is_destroyed));
    destroy_stream(client, stream);
    count = atomic_load(&calls.count);
    client_settle(client);
    client_end(client);
    cpt_server_stop(server);
    CHECK(atomic_load(&calls.is_destroyed));
    CHECK_EQUAL(atomic_load(&calls.count), count);
}

static void run_without_allocation(cpw_stream *stream, uint32_t size) {
    struct buffer *buffer = make_buffer(size);
    cycle.buffers[0] = &buffer->outer;
    buffer->chunk.size = size;
    CHECK_EQUAL(with_failing_allocations(^{
        run_cycle(stream);
    }), 0);
    free_buffer(buffer);
}

/* PipeWire's functions are replaced, so that only allocations of the shim are counted. */
TEST("streams", "a cycle with a callback allocates nothing, and the frames are those of the buffer") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), false);
    struct calls rendered = {.value = 0.5f}, received = {.value = 0};
    struct calls *player_calls = &rendered, *recorder_calls = &received;
    client_run(client, ^{
        cpw_callback *player = cpw_callback_create_render(1, render, player_calls, destroy_calls);
        cpw_callback *recorder = cpw_callback_create_receive(1, receive, recorder_calls, destroy_calls);
        cpw_callback_set_timed(player, true);
        cpw_stream *streams[] = {make_calling(client, true, player, "player"),
                                 make_calling(client, false, recorder, "recorder")};
        cycle = (struct cycle){.is_scripted = true};
        for (uint32_t frames = 0; frames < 100; frames += 33) {
            for (size_t i = 0; i < 2; i++)
                run_without_allocation(streams[i], frames * 4);
            CHECK_EQUAL(cpw_callback_frames(player), atomic_load(&player_calls->frames));
            CHECK_EQUAL(cpw_callback_frames(recorder), atomic_load(&recorder_calls->frames));
        }
        CHECK_EQUAL(atomic_load(&player_calls->frames), 33 + 66 + 99);
        CHECK_EQUAL(atomic_load(&recorder_calls->frames), 33 + 66 + 99);
        CHECK(atomic_load(&recorder_calls->value) == 0.5f);
        cpw_capture_set_muted(streams[1], true);
        run_without_allocation(streams[1], 4 * 4096);
        CHECK_EQUAL(atomic_load(&recorder_calls->frames), 33 + 66 + 99 + 4096);
        CHECK(atomic_load(&recorder_calls->value) == 0);
        for (size_t i = 0; i < 2; i++) {
            cpw_stream_set_gate(streams[i], true);
            run_without_allocation(streams[i], 400);
        }
        CHECK_EQUAL(atomic_load(&player_calls->frames), 33 + 66 + 99);
        CHECK_EQUAL(atomic_load(&recorder_calls->frames), 33 + 66 + 99 + 4096);
        cycle.is_scripted = false;
        for (size_t i = 0; i < 2; i++)
            cpw_stream_destroy(streams[i]);
        cpw_callback_release(player);
        cpw_callback_release(recorder);
    });
    client_end(client);
    cpt_server_stop(server);
    CHECK(atomic_load(&rendered.is_destroyed) && atomic_load(&received.is_destroyed));
}

/* ---- Cancellers */

static int halve_and_add(void *context, const float *recorded, const float *played, float *output, uint32_t frames) {
    (void)context;
    for (uint32_t i = 0; i < frames; i++)
        output[i] = recorded[i] / 2 + played[i];
    return 0;
}

static void note_destruction(void *context) { *(bool *)context = true; }

TEST("streams", "a canceller gets one channel and its reference, and what is left goes to all channels") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), false);
    struct calls received = {.value = 0};
    struct calls *calls = &received;
    bool is_destroyed = false, *destroyed = &is_destroyed;
    client_run(client, ^{
        int error = 0;
        cpw_callback *callback = cpw_callback_create_receive(2, receive, calls, destroy_calls);
        cpw_canceller *canceller = cpw_canceller_new(
            48000, &(struct cpw_cancelling){halve_and_add, destroyed, note_destruction, false}, &error);
        REQUIRE(canceller != NULL);
        cpw_stream_options both = {48000, 2, true, NULL, 0, callback, canceller};
        cpw_stream_options sink = {48000, 1, true, NULL, 0, NULL, canceller};
        cpw_stream *recorder = cpw_capture_create(client->connection, &both, NULL, &state_events, "recorder", &error);
        cpw_stream *reference = cpw_reference_create(client->connection, &sink, &state_events, "reference", &error);
        REQUIRE(recorder != NULL && reference != NULL);

        CHECK(cpw_capture_create(client->connection, &both, NULL, &state_events, "second", &error) == NULL);
        CHECK_EQUAL(error, -EBUSY);
        both.rate = 16000;
        CHECK(cpw_capture_create(client->connection, &both, NULL, &state_events, "other rate", &error) == NULL);
        CHECK_EQUAL(error, -EINVAL);
        sink.canceller = NULL;
        CHECK(cpw_reference_create(client->connection, &sink, &state_events, "none", &error) == NULL);
        CHECK_EQUAL(error, -EINVAL);

        struct spa_io_position position = {.clock = {.position = 4800, .duration = 480, .rate = {1, 48000}}};
        cpw_stream_on_io(recorder, SPA_IO_Position, &position, sizeof(position));
        cpw_stream_on_io(reference, SPA_IO_Position, &position, sizeof(position));
        cycle = (struct cycle){.is_scripted = true};
        run_without_allocation(recorder, 480 * 4);
        CHECK_EQUAL(atomic_load(&calls->frames), 480);
        CHECK(atomic_load(&calls->value) == 0.25f);
        run_without_allocation(reference, 480 * 4);
        position.clock.position += 480;
        run_without_allocation(recorder, 480 * 4);
        CHECK_EQUAL(atomic_load(&calls->frames), 480); /* the reference's cycle may still arrive */
        run_without_allocation(reference, 480 * 4);
        CHECK_EQUAL(atomic_load(&calls->frames), 960);
        CHECK(atomic_load(&calls->value) == 0.75f);
        cpw_capture_report report;
        cpw_capture_set_muted(recorder, true);
        position.clock.position += 480;
        run_without_allocation(reference, 480 * 4);
        run_without_allocation(recorder, 480 * 4);
        CHECK_EQUAL(atomic_load(&calls->frames), 1440);
        CHECK(atomic_load(&calls->value) == 0);
        cpw_stream_set_gate(recorder, true);
        position.clock.position += 480;
        run_without_allocation(reference, 480 * 4);
        run_without_allocation(recorder, 480 * 4);
        CHECK_EQUAL(atomic_load(&calls->frames), 1440);
        CHECK((cpw_capture_get_report(recorder, &report), report.levels[0].peak == 0));
        /* The first 20 ms after that are obsolete. Without a clock no reference is found. */
        cpw_capture_set_muted(recorder, false);
        cpw_stream_set_gate(recorder, false);
        cpw_stream_on_io(recorder, SPA_IO_Position, NULL, 0);
        for (int i = 0; i < 8; i++)
            run_without_allocation(recorder, 480 * 4);
        CHECK(atomic_load(&calls->frames) >= 1440 + 5 * 480);
        CHECK(atomic_load(&calls->value) == 0.25f);
        cycle.is_scripted = false;

        cpw_stream_destroy(reference);
        cpw_stream_destroy(recorder);
        cpw_canceller_release(canceller);
        cpw_callback_release(callback);
    });
    client_end(client);
    cpt_server_stop(server);
    CHECK(is_destroyed && atomic_load(&received.is_destroyed));
}

TEST("streams", "a stream has either a ring or a callback of its own direction") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), false);
    cpw_ring *ring = make_ring(100);
    cpw_callback *renders = cpw_callback_create_render(1, render, NULL, NULL);
    cpw_callback *receives = cpw_callback_create_receive(1, receive, NULL, NULL);
    client_run(client, ^{
        cpw_callback *const callbacks[] = {NULL, renders, receives};
        for (size_t i = 0; i < 3; i++) {
            cpw_stream_options options = {48000, 1, false, NULL, 0, callbacks[i]};
            cpw_ring *wrong = callbacks[i] != NULL ? ring : NULL;
            int error = 0;
            CHECK(cpw_playback_create(client->connection, &options, wrong, &state_events, "bad", &error) == NULL);
            CHECK_EQUAL(error, -EINVAL);
            CHECK(cpw_capture_create(client->connection, &options, wrong, &state_events, "bad", &error) == NULL);
            CHECK_EQUAL(error, -EINVAL);
        }
        cpw_stream_options options = {48000, 1, false, NULL, 0, receives};
        int error = 0;
        CHECK(cpw_playback_create(client->connection, &options, NULL, &state_events, "bad", &error) == NULL);
        CHECK_EQUAL(error, -EINVAL);
        options.callback = renders;
        CHECK(cpw_capture_create(client->connection, &options, NULL, &state_events, "bad", &error) == NULL);
        CHECK_EQUAL(error, -EINVAL);
        options.channels = 2;
        CHECK(cpw_playback_create(client->connection, &options, NULL, &state_events, "bad", &error) == NULL);
        CHECK_EQUAL(error, -EINVAL);
    });
    cpw_callback_release(renders);
    cpw_callback_release(receives);
    client_end(client);
    cpt_server_stop(server);
    cpw_ring_release(ring);
}
