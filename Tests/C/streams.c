/* Sources/CPipeWireShim: streams that play and record, gates, tones and taps, against a daemon in
 * this process.
 *
 * There is no session manager: the test links nodes itself, and a null sink of the daemon drives
 * them. For cycles with odd buffers the test calls the process callbacks, and stands in for
 * PipeWire's queue of buffers (--wrap). */
#include "client.h"
#include "Streams/canceller.h"
#include "Streams/stream.h"
#include "Tap/tap.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

/* ---- A stand-in for the queue of buffers */

static struct cycle {
    bool is_scripted;
    struct pw_buffer *buffers[CPW_MAX_CHANNELS]; /* a stream's is the first; a filter's, one a port */
    struct pw_time time;
    unsigned queued;
} cycle;

struct pw_buffer *__real_pw_stream_dequeue_buffer(struct pw_stream *stream);
int __real_pw_stream_queue_buffer(struct pw_stream *stream, struct pw_buffer *buffer);
int __real_pw_stream_get_time_n(struct pw_stream *stream, struct pw_time *time, size_t size);
struct pw_buffer *__real_pw_filter_dequeue_buffer(void *port);
int __real_pw_filter_queue_buffer(void *port, struct pw_buffer *buffer);

struct pw_buffer *__wrap_pw_stream_dequeue_buffer(struct pw_stream *stream) {
    return cycle.is_scripted ? cycle.buffers[0] : __real_pw_stream_dequeue_buffer(stream);
}

int __wrap_pw_stream_queue_buffer(struct pw_stream *stream, struct pw_buffer *buffer) {
    cycle.queued++;
    return cycle.is_scripted ? 0 : __real_pw_stream_queue_buffer(stream, buffer);
}

int __wrap_pw_stream_get_time_n(struct pw_stream *stream, struct pw_time *time, size_t size) {
    if (!cycle.is_scripted)
        return __real_pw_stream_get_time_n(stream, time, size);
    *time = cycle.time;
    return 0;
}

/* The number of the port is the number of the call in this cycle. */
static unsigned next_port;

struct pw_buffer *__wrap_pw_filter_dequeue_buffer(void *port) {
    return cycle.is_scripted ? cycle.buffers[next_port++ % CPW_MAX_CHANNELS] : __real_pw_filter_dequeue_buffer(port);
}

int __wrap_pw_filter_queue_buffer(void *port, struct pw_buffer *buffer) {
    return cycle.is_scripted ? 0 : __real_pw_filter_queue_buffer(port, buffer);
}

/* A buffer of one plane, of exactly its size. */
struct buffer {
    struct pw_buffer outer;
    struct spa_buffer inner;
    struct spa_data plane;
    struct spa_chunk chunk;
};

static struct buffer *make_buffer(uint32_t size) {
    struct buffer *buffer = calloc(1, sizeof(*buffer));
    buffer->outer.buffer = &buffer->inner;
    buffer->inner.n_datas = 1;
    buffer->inner.datas = &buffer->plane;
    buffer->plane.data = aligned_alloc(16, SPA_ROUND_UP_N(size + 1, 16));
    buffer->plane.maxsize = size;
    buffer->plane.chunk = &buffer->chunk;
    for (uint32_t i = 0; i + 4 <= size; i += 4)
        *(float *)((uint8_t *)buffer->plane.data + i) = 0.5f;
    return buffer;
}

static void free_buffer(struct buffer *buffer) {
    free(buffer->plane.data);
    free(buffer);
}

static void run_cycle(cpw_stream *stream) {
    ((const struct pw_stream_events *)stream->listener.cb.funcs)->process(stream);
}

/* ---- Streams */

static void on_state(void *user, cpw_stream_state state, uint32_t node, const char *error) {
    journal("%s state %d %u %s", (const char *)user, state, node, error != NULL ? error : "-");
}

static const cpw_stream_events events = {on_state};

/* Without a session manager PipeWire's adapter creates the ports of a node. */
#define PORTS "adapter.auto-port-config", "{ mode = dsp monitor = true position = preserve }"

static cpw_stream *make(struct client *client, bool plays, cpw_ring *ring, const char *name, bool is_active) {
    int error = 1;
    const char *const list[] = {"node.name", name, PORTS};
    const cpw_stream_options options = {48000, 1, is_active, (const cpw_property *)list, 2};
    cpw_stream *stream =
        plays ? cpw_playback_create(client->connection, &options, ring, &events, (void *)name, &error)
              : cpw_capture_create(client->connection, &options, ring, &events, (void *)name, &error);
    REQUIRE(stream != NULL);
    CHECK(error >= 0);
    return stream;
}


static void destroy(struct client *client, cpw_stream *stream) {
    client_run(client, ^{
        cpw_stream_destroy(stream);
    });
}

/* A sink of the daemon that drives the graph, with one channel. */
static uint32_t add_sink(cpt_server *server, struct client *client) {
    REQUIRE(cpt_server_create_node(server, PROPERTIES("factory.name", "support.null-audio-sink", "node.name", "sink",
                                                      "media.class", "Audio/Sink", "audio.position", "MONO",
                                                      "audio.channels", "1", PORTS)) == 0);
    return (uint32_t)AWAIT_NUMBER("%s named sink", client->name);
}

/* Links a free port of one node to one of the other. */
static struct pw_proxy *link_nodes(struct client *client, uint32_t output, uint32_t input) {
    __block struct pw_proxy *link = NULL;
    client_run(client, ^{
        char out[12], in[12];
        snprintf(out, sizeof(out), "%u", output);
        snprintf(in, sizeof(in), "%u", input);
        const struct spa_dict_item items[] = {{PW_KEY_LINK_OUTPUT_NODE, out}, {PW_KEY_LINK_INPUT_NODE, in}};
        link = pw_core_create_object(client->connection->core, "link-factory", PW_TYPE_INTERFACE_Link,
                                     PW_VERSION_LINK, &SPA_DICT_INIT(items, 2), 0);
        REQUIRE(link != NULL);
    });
    return link;
}

static cpw_stream_report report_of(cpw_stream *stream) {
    cpw_stream_report report;
    cpw_stream_get_report(stream, &report);
    return report;
}

static void unlink_nodes(struct client *client, struct pw_proxy *link) {
    client_run(client, ^{
        pw_proxy_destroy(link);
    });
}

/* A mono ring that is full of 0.5. */
static cpw_ring *make_ring(uint32_t frames) {
    cpw_ring *ring = cpw_ring_create(1, frames);
    float *samples = malloc(frames * sizeof(float));
    for (uint32_t i = 0; i < frames; i++)
        samples[i] = 0.5f;
    CHECK_EQUAL(cpw_ring_write(ring, samples, frames), frames);
    free(samples);
    return ring;
}

static void await_cycles(cpw_stream *stream) {
    uint64_t seen = report_of(stream).cycles;
    AWAIT_TRUE("cycles", report_of(stream).cycles > seen + 3);
}

static void on_attached(void *user, uint32_t sink) { journal("%s attached %d", (const char *)user, (int)sink); }
static void on_failure(void *user, int32_t error, const char *message) {
    journal("%s failure %d %s", (const char *)user, error, message);
}
static const cpw_tap_events tap_events = {on_attached, on_failure};

static cpw_tap *make_tap(struct client *client, const char *sink) {
    __block cpw_tap *tap = NULL;
    client_run(client, ^{
        int error = 0;
        tap = cpw_tap_create(client->connection, sink, 0.1f, &tap_events, "tap", &error);
        REQUIRE(tap != NULL);
    });
    return tap;
}

static void destroy_tap(struct client *client, cpw_tap *tap) {
    client_run(client, ^{
        cpw_tap_destroy(tap);
    });
}

/* Whether any frame that the tap receives from now on is loud. */
static bool is_loud(cpw_tap *tap, cpw_stream *stream) {
    __block cpw_tap_report report;
    await_cycles(stream); /* frames under way */
    cpw_tap_reset(tap);
    AWAIT_TRUE("cycles of the tap", (cpw_tap_get_report(tap, &report), report.cycles > 3));
    return report.loud_frames > 0;
}

/* The largest amplitude of the next frames that the tap receives. */
static float peak_of(cpw_tap *tap, cpw_stream *stream, uint64_t frames) {
    __block cpw_tap_report report;
    await_cycles(stream);
    cpw_tap_reset(tap);
    AWAIT_TRUE("frames of the tap", (cpw_tap_get_report(tap, &report), report.frames >= frames));
    return report.peak;
}

#define AWAIT_SOUND AWAIT_TRUE("sound", is_loud(tap, stream))
#define AWAIT_SILENCE AWAIT_TRUE("silence", !is_loud(tap, stream))

TEST("streams", "a sink receives a stream's sound with volume, ducking and gate applied") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), true);
    uint32_t sink = add_sink(server, client);
    cpw_ring *ring = make_ring(4800000);
    __block cpw_stream *made = NULL;
    client_run(client, ^{
        made = make(client, true, ring, "player", true);
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
    destroy(client, stream);
    client_end(client);
    cpt_server_stop(server);
    cpw_ring_release(ring);
}

static void on_bound(void *user, uint32_t id) { journal("%s bound %u", (const char *)user, id); }
static void on_gone(void *user) { journal("%s gone", (const char *)user); }
static const cpw_node_events node_events = {on_bound, on_gone, on_failure};

TEST("streams", "a tone is recorded, muted and gated, and overruns are counted") {
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
        made = make(client, false, ring, "recorder", true);
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
    AWAIT_TRUE("overrun", (cpw_capture_get_report(stream, &report), report.overruns == 1 && report.dropped > 0));
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

/* ---- Lifetimes */

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
        plays ? cpw_playback_create(client->connection, &options, NULL, &events, (void *)name, &error)
              : cpw_capture_create(client->connection, &options, NULL, &events, (void *)name, &error);
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
    CHECK(atomic_load(&calls.time) >= report_of(stream).cycle_time - SPA_NSEC_PER_SEC);
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
    destroy(client, stream);
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
        cpw_stream *recorder = cpw_capture_create(client->connection, &both, NULL, &events, "recorder", &error);
        cpw_stream *reference = cpw_reference_create(client->connection, &sink, &events, "reference", &error);
        REQUIRE(recorder != NULL && reference != NULL);

        CHECK(cpw_capture_create(client->connection, &both, NULL, &events, "second", &error) == NULL);
        CHECK_EQUAL(error, -EBUSY);
        both.rate = 16000;
        CHECK(cpw_capture_create(client->connection, &both, NULL, &events, "other rate", &error) == NULL);
        CHECK_EQUAL(error, -EINVAL);
        sink.canceller = NULL;
        CHECK(cpw_reference_create(client->connection, &sink, &events, "none", &error) == NULL);
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
            CHECK(cpw_playback_create(client->connection, &options, wrong, &events, "bad", &error) == NULL);
            CHECK_EQUAL(error, -EINVAL);
            CHECK(cpw_capture_create(client->connection, &options, wrong, &events, "bad", &error) == NULL);
            CHECK_EQUAL(error, -EINVAL);
        }
        cpw_stream_options options = {48000, 1, false, NULL, 0, receives};
        int error = 0;
        CHECK(cpw_playback_create(client->connection, &options, NULL, &events, "bad", &error) == NULL);
        CHECK_EQUAL(error, -EINVAL);
        options.callback = renders;
        CHECK(cpw_capture_create(client->connection, &options, NULL, &events, "bad", &error) == NULL);
        CHECK_EQUAL(error, -EINVAL);
        options.channels = 2;
        CHECK(cpw_playback_create(client->connection, &options, NULL, &events, "bad", &error) == NULL);
        CHECK_EQUAL(error, -EINVAL);
    });
    cpw_callback_release(renders);
    cpw_callback_release(receives);
    client_end(client);
    cpt_server_stop(server);
    cpw_ring_release(ring);
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
            CHECK(cpw_playback_create(client->connection, &bad[i], ring, &events, "bad", &error) == NULL);
            CHECK_EQUAL(error, -EINVAL);
            CHECK(cpw_capture_create(client->connection, &bad[i], ring, &events, "bad", &error) == NULL);
            CHECK_EQUAL(error, -EINVAL);
        }
        const cpw_stream_options good = {CPW_MAX_RATE, 2, false, NULL, 0};
        CHECK(with_failing_allocations(^{
            int own = 0;
            cpw_stream *stream = cpw_playback_create(client->connection, &good, ring, &events, "s", &own);
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
        CHECK(cpw_playback_create(client->connection, &good, ring, &events, "dead", &error) == NULL);
        CHECK_EQUAL(error, -ENOTCONN);
        CHECK(cpw_tone_create(client->connection, NULL, 0, 1, &node_events, "dead", &error) == NULL);
        CHECK_EQUAL(error, -ENOTCONN);
    });
    client_end(client);
    cpw_ring_release(ring);
}

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
            made[i] = make(client, i == 0, all[i], names[i], i == 0);
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
        made = make(client, true, ring, "player", false);
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
        made = make(client, true, ring, "player", false);
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
    destroy(client, stream);
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
        made = make(client, true, ring, "player", false);
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
    destroy(client, stream);
    client_end(client);
    cpt_server_stop(server);
    cpw_ring_release(ring);
}

/* ---- Odd buffers */

static const uint32_t chunk_sizes[] = {0, 1, 3, 4, 5, 64, 255, 256, 257, UINT32_MAX - 3, UINT32_MAX};

TEST("buffers", "playback writes within the buffer") {
    cpt_server *server = server_start();
    struct client *client = client_start("client", test_path("daemon"), false);
    cpw_ring *ring = make_ring(100000);
    client_run(client, ^{
        cpw_stream *stream = make(client, true, ring, "player", false);
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
        cpw_stream *stream = make(client, false, ring, "recorder", false);
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
                next_port = 0;
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

/* ---- Taps */

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
