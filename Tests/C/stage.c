#include "stage.h"

#include <stdio.h>

/* ---- A stand-in for the queue of buffers */

struct cycle cycle;
struct stream_listener last_stream_listener;

void __real_pw_stream_add_listener(struct pw_stream *stream, struct spa_hook *listener,
                                   const struct pw_stream_events *events, void *data);
struct pw_buffer *__real_pw_stream_dequeue_buffer(struct pw_stream *stream);
int __real_pw_stream_queue_buffer(struct pw_stream *stream, struct pw_buffer *buffer);
int __real_pw_stream_get_time_n(struct pw_stream *stream, struct pw_time *time, size_t size);
struct pw_buffer *__real_pw_filter_dequeue_buffer(void *port);
int __real_pw_filter_queue_buffer(void *port, struct pw_buffer *buffer);

void __wrap_pw_stream_add_listener(struct pw_stream *stream, struct spa_hook *listener,
                                   const struct pw_stream_events *events, void *data) {
    last_stream_listener = (struct stream_listener){events, data};
    __real_pw_stream_add_listener(stream, listener, events, data);
}

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

struct pw_buffer *__wrap_pw_filter_dequeue_buffer(void *port) {
    return cycle.is_scripted ? cycle.buffers[cycle.next_port++ % CPW_MAX_CHANNELS] : __real_pw_filter_dequeue_buffer(port);
}

int __wrap_pw_filter_queue_buffer(void *port, struct pw_buffer *buffer) {
    return cycle.is_scripted ? 0 : __real_pw_filter_queue_buffer(port, buffer);
}

struct buffer *make_buffer(uint32_t size) {
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

void free_buffer(struct buffer *buffer) {
    free(buffer->plane.data);
    free(buffer);
}

void run_cycle(cpw_stream *stream) {
    ((const struct pw_stream_events *)stream->listener.cb.funcs)->process(stream);
}

/* ---- Streams */

static void on_state(void *user, cpw_stream_state state, uint32_t node, const char *error) {
    journal("%s state %d %u %s", (const char *)user, state, node, error != NULL ? error : "-");
}

const cpw_stream_events state_events = {on_state};

cpw_stream *make_stream(struct client *client, bool plays, cpw_ring *ring, const char *name, bool is_active) {
    int error = 1;
    const char *const list[] = {"node.name", name, PORTS};
    const cpw_stream_options options = {48000, 1, is_active, (const cpw_property *)list, 2};
    cpw_stream *stream =
        plays ? cpw_playback_create(client->connection, &options, ring, &state_events, (void *)name, &error)
              : cpw_capture_create(client->connection, &options, ring, &state_events, (void *)name, &error);
    REQUIRE(stream != NULL);
    CHECK(error >= 0);
    return stream;
}

void destroy_stream(struct client *client, cpw_stream *stream) {
    client_run(client, ^{
        cpw_stream_destroy(stream);
    });
}

uint32_t add_sink(cpt_server *server, struct client *client) {
    REQUIRE(cpt_server_create_node(server, PROPERTIES("factory.name", "support.null-audio-sink", "node.name", "sink",
                                                      "media.class", "Audio/Sink", "audio.position", "MONO",
                                                      "audio.channels", "1", PORTS)) == 0);
    return (uint32_t)AWAIT_NUMBER("%s named sink", client->name);
}

struct pw_proxy *link_nodes(struct client *client, uint32_t output, uint32_t input) {
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

cpw_stream_report report_of(cpw_stream *stream) {
    cpw_stream_report report;
    cpw_stream_get_report(stream, &report);
    return report;
}

void unlink_nodes(struct client *client, struct pw_proxy *link) {
    client_run(client, ^{
        pw_proxy_destroy(link);
    });
}

cpw_ring *make_ring(uint32_t frames) {
    cpw_ring *ring = cpw_ring_create(1, frames);
    float *samples = malloc(frames * sizeof(float));
    for (uint32_t i = 0; i < frames; i++)
        samples[i] = 0.5f;
    CHECK_EQUAL(cpw_ring_write(ring, samples, frames), frames);
    free(samples);
    return ring;
}

void await_cycles(cpw_stream *stream) {
    uint64_t seen = report_of(stream).cycles;
    AWAIT_TRUE("cycles", report_of(stream).cycles > seen + 3);
}

static void on_attached(void *user, uint32_t sink) { journal("%s attached %d", (const char *)user, (int)sink); }
static void on_failure(void *user, int32_t error, const char *message) {
    journal("%s failure %d %s", (const char *)user, error, message);
}
const cpw_tap_events tap_events = {on_attached, on_failure};

cpw_tap *make_tap(struct client *client, const char *sink) {
    __block cpw_tap *tap = NULL;
    client_run(client, ^{
        int error = 0;
        tap = cpw_tap_create(client->connection, sink, 0.1f, &tap_events, "tap", &error);
        REQUIRE(tap != NULL);
    });
    return tap;
}

void destroy_tap(struct client *client, cpw_tap *tap) {
    client_run(client, ^{
        cpw_tap_destroy(tap);
    });
}

bool is_loud(cpw_tap *tap, cpw_stream *stream) {
    __block cpw_tap_report report;
    await_cycles(stream); /* frames under way */
    cpw_tap_reset(tap);
    AWAIT_TRUE("cycles of the tap", (cpw_tap_get_report(tap, &report), report.cycles > 3));
    return report.loud_frames > 0;
}

float peak_of(cpw_tap *tap, cpw_stream *stream, uint64_t frames) {
    __block cpw_tap_report report;
    await_cycles(stream);
    cpw_tap_reset(tap);
    AWAIT_TRUE("frames of the tap", (cpw_tap_get_report(tap, &report), report.frames >= frames));
    return report.peak;
}

static void on_bound(void *user, uint32_t id) { journal("%s bound %u", (const char *)user, id); }
static void on_gone(void *user) { journal("%s gone", (const char *)user); }
const cpw_own_object_events node_events = {on_bound, on_gone, on_failure};
