#include "ring.h"

#include <math.h>
#include <spa/param/param.h>

/* As in stream.c: what the real-time thread and another one both touch is atomic, the rest is written before `ready` is
 * stored and never again, or belongs to one thread alone. Here the real-time thread is the ring's writer. */

/* So many windows of the meter in a second. */
#define METER_RATE 20u
#define ZEROS 1024u

struct cpw_capture {
    cpw_connection *connection;
    struct spa_list link;
    struct pw_stream *stream;
    struct spa_hook listener;
    cpw_ring *ring;
    cpw_stream_events events;
    void *user;
    uint32_t rate, channels;
    bool quiet; /* being made or destroyed: no callbacks */
    atomic_bool ready;

    /* Set by others, read by the real-time thread. */
    atomic_bool gated, muted, foreign; /* foreign: what comes is not of our format */

    /* Real-time thread only. */
    float peaks[CPW_MAX_CHANNELS];
    double squares[CPW_MAX_CHANNELS];
    uint32_t metered;
    bool lossy; /* the last cycle found no room */

    /* Written by the real-time thread; `cycles` last (release). */
    _Atomic uint64_t cycles, frames, cycle_time, dropped, overruns;
    struct cpw_timing timing;
    _Atomic float peak[CPW_MAX_CHANNELS], square[CPW_MAX_CHANNELS];

    uint32_t guarded[CPW_MAX_GUARDED];
    size_t guarded_count;

    /* Written by the loop's thread. */
    _Atomic uint64_t gate_event_time, gate_time;
};

/* ---- Real-time thread */

static void show_levels(cpw_capture *capture) {
    for (uint32_t c = 0; c < capture->channels; c++) {
        double square = capture->metered > 0 ? capture->squares[c] / capture->metered : 0;
        atomic_store_explicit(&capture->peak[c], capture->peaks[c], memory_order_relaxed);
        atomic_store_explicit(&capture->square[c], (float)square, memory_order_relaxed);
        capture->peaks[c] = 0;
        capture->squares[c] = 0;
    }
    capture->metered = 0;
}

static void meter(cpw_capture *capture, const float *samples, uint32_t frames) {
    for (uint32_t i = 0; i < frames; i++) {
        for (uint32_t c = 0; c < capture->channels; c++) {
            float sample = *samples++;
            float amplitude = fabsf(sample);
            if (!(amplitude <= CPW_MAX_SAMPLE)) /* no number, or none that a microphone gives */
                continue;
            capture->peaks[c] = fmaxf(capture->peaks[c], amplitude);
            capture->squares[c] += (double)sample * sample;
        }
        if (++capture->metered >= capture->rate / METER_RATE)
            show_levels(capture);
    }
}

static void put(cpw_capture *capture, const float *samples, uint32_t frames) {
    uint32_t taken = cpw_ring_write(capture->ring, samples, frames);
    meter(capture, samples, frames);
    if (taken < frames) {
        atomic_fetch_add_explicit(&capture->dropped, frames - taken, memory_order_relaxed);
        if (!capture->lossy)
            atomic_fetch_add_explicit(&capture->overruns, 1, memory_order_relaxed);
    }
    capture->lossy = taken < frames;
}

/* The stream's buffers may be mapped for reading only. */
static void put_zeros(cpw_capture *capture, uint32_t frames) {
    static const float zeros[ZEROS];
    uint32_t most = ZEROS / capture->channels;
    for (uint32_t done = 0; done < frames;) {
        uint32_t part = SPA_MIN(most, frames - done);
        put(capture, zeros, part);
        done += part;
    }
}

static void take(cpw_capture *capture, const struct spa_data *plane) {
    uint32_t stride = capture->channels * (uint32_t)sizeof(float);
    uint32_t offset = SPA_MIN(plane->chunk->offset, plane->maxsize);
    uint32_t frames = SPA_MIN(plane->chunk->size, plane->maxsize - offset) / stride;
    if (plane->data == NULL || offset % sizeof(float) != 0)
        return;
    if (atomic_load_explicit(&capture->gated, memory_order_acquire) ||
        atomic_load_explicit(&capture->foreign, memory_order_acquire)) {
        capture->metered = 0;
        show_levels(capture);
        return;
    }
    if (atomic_load_explicit(&capture->muted, memory_order_acquire))
        put_zeros(capture, frames);
    else
        put(capture, SPA_PTROFF(plane->data, offset, const float), frames);
    atomic_fetch_add_explicit(&capture->frames, frames, memory_order_relaxed);
}

static void on_process(void *data) {
    cpw_capture *capture = data;
    if (!atomic_load_explicit(&capture->ready, memory_order_acquire))
        return;
    struct pw_buffer *buffer = pw_stream_dequeue_buffer(capture->stream);
    if (buffer == NULL)
        return;
    struct pw_time time = {0};
    pw_stream_get_time_n(capture->stream, &time, sizeof(time));
    atomic_store_explicit(&capture->cycle_time, time.now > 0 ? (uint64_t)time.now : cpw_now(), memory_order_relaxed);
    uint32_t size = buffer->buffer->datas[0].chunk->size;
    cpw_timing_note(&capture->timing, &time, size / (capture->channels * (uint32_t)sizeof(float)), capture->rate);
    take(capture, &buffer->buffer->datas[0]);
    pw_stream_queue_buffer(capture->stream, buffer);
    atomic_fetch_add_explicit(&capture->cycles, 1, memory_order_release);
}

/* ---- Loop's thread */

static void on_state(void *data, enum pw_stream_state old, enum pw_stream_state state, const char *error) {
    (void)old;
    cpw_capture *capture = data;
    if (capture->quiet)
        return;
    /* An error may be the server's complaint, after which the stream goes on in the state that it has. */
    if (state == PW_STREAM_STATE_ERROR)
        state = pw_stream_get_state(capture->stream, NULL);
    uint32_t node = state >= PW_STREAM_STATE_PAUSED ? pw_stream_get_node_id(capture->stream) : UINT32_MAX;
    capture->events.state(capture->user, (cpw_stream_state)state, node, error);
}

/* Comes before the first buffer of that format. The server has no other to choose from; whoever gives one all the same is
 * not to be taken for what was asked for. */
static void on_param(void *data, uint32_t id, const struct spa_pod *param) {
    cpw_capture *capture = data;
    if (id == SPA_PARAM_Format && param != NULL)
        atomic_store_explicit(&capture->foreign, !cpw_format_is(param, capture->rate, capture->channels),
                              memory_order_release);
}

static const struct pw_stream_events stream_events = {
    PW_VERSION_STREAM_EVENTS,
    .state_changed = on_state,
    .param_changed = on_param,
    .process = on_process,
};

static int connect_stream(cpw_capture *capture, const cpw_stream_options *options) {
    struct spa_dict dict = SPA_DICT_INIT((const struct spa_dict_item *)options->properties,
                                         (uint32_t)options->property_count);
    struct pw_properties *properties = pw_properties_new(PW_KEY_MEDIA_TYPE, "Audio", PW_KEY_MEDIA_CATEGORY, "Capture",
                                                         NULL);
    if (properties == NULL)
        return -errno;
    pw_properties_update(properties, &dict);
    const char *name = pw_properties_get(properties, PW_KEY_MEDIA_NAME);
    capture->stream = pw_stream_new(capture->connection->core, name != NULL ? name : "Recording", properties);
    if (capture->stream == NULL)
        return -errno;
    pw_stream_add_listener(capture->stream, &capture->listener, &stream_events, capture);

    struct cpw_format_storage storage;
    const struct spa_pod *format = cpw_format_build(&storage, options->rate, options->channels);
    enum pw_stream_flags flags = PW_STREAM_FLAG_AUTOCONNECT | PW_STREAM_FLAG_MAP_BUFFERS | PW_STREAM_FLAG_RT_PROCESS;
    if (!options->start_active)
        flags |= PW_STREAM_FLAG_INACTIVE;
    atomic_store_explicit(&capture->ready, true, memory_order_release);
    return pw_stream_connect(capture->stream, PW_DIRECTION_INPUT, PW_ID_ANY, flags, &format, 1);
}

cpw_capture *cpw_capture_create(cpw_connection *connection, const cpw_stream_options *options, cpw_ring *ring,
                                const cpw_stream_events *events, void *user, int *error) {
    *error = -EINVAL;
    if (options->channels == 0 || options->channels > CPW_MAX_CHANNELS || options->channels != ring->channels ||
        options->rate == 0 || options->rate > CPW_MAX_RATE)
        return NULL;
    *error = -ENOTCONN;
    if (connection->failed)
        return NULL;
    *error = -ENOMEM;
    cpw_capture *capture = calloc(1, sizeof(*capture));
    if (capture == NULL)
        return NULL;
    capture->connection = connection;
    spa_list_append(&connection->captures, &capture->link);
    capture->ring = cpw_ring_retain(ring);
    capture->events = *events;
    capture->user = user;
    capture->rate = options->rate;
    capture->channels = options->channels;
    capture->quiet = true;
    *error = connect_stream(capture, options);
    if (*error < 0) {
        cpw_capture_destroy(capture);
        return NULL;
    }
    capture->quiet = false;
    return capture;
}

void cpw_capture_destroy(cpw_capture *capture) {
    capture->quiet = true;
    spa_list_remove(&capture->link);
    if (capture->stream != NULL)
        pw_stream_destroy(capture->stream);
    /* PipeWire has waited for the real-time thread; this says so in terms of the language. */
    (void)atomic_load_explicit(&capture->cycles, memory_order_acquire);
    cpw_ring_release(capture->ring);
    free(capture);
}

void cpw_capture_gate(cpw_capture *capture, bool closed) {
    if (atomic_exchange_explicit(&capture->gated, closed, memory_order_acq_rel) == closed || !closed)
        return;
    atomic_store_explicit(&capture->gate_time, cpw_now(), memory_order_relaxed);
    atomic_store_explicit(&capture->gate_event_time, capture->connection->event_time, memory_order_relaxed);
}

void cpw_capture_mute(cpw_capture *capture, bool muted) {
    atomic_store_explicit(&capture->muted, muted, memory_order_release);
}

void cpw_capture_guard(cpw_capture *capture, const uint32_t *nodes, size_t count) {
    capture->guarded_count = SPA_MIN(count, (size_t)CPW_MAX_GUARDED);
    for (size_t i = 0; i < capture->guarded_count; i++)
        capture->guarded[i] = nodes[i];
}

void cpw_captures_lose(cpw_connection *connection, uint32_t id) {
    cpw_capture *capture;
    spa_list_for_each(capture, &connection->captures, link) {
        for (size_t i = 0; i < capture->guarded_count; i++)
            if (capture->guarded[i] == id)
                cpw_capture_gate(capture, true);
    }
}

int cpw_capture_set_properties(cpw_capture *capture, const cpw_property *properties, size_t count) {
    struct spa_dict dict = SPA_DICT_INIT((const struct spa_dict_item *)properties, (uint32_t)count);
    return pw_stream_update_properties(capture->stream, &dict);
}

void cpw_capture_report_now(const cpw_capture *capture, cpw_capture_report *report) {
    *report = (cpw_capture_report){
        .cycles = atomic_load_explicit(&capture->cycles, memory_order_acquire),
        .frames = atomic_load_explicit(&capture->frames, memory_order_relaxed),
        .dropped = atomic_load_explicit(&capture->dropped, memory_order_relaxed),
        .overruns = atomic_load_explicit(&capture->overruns, memory_order_relaxed),
        .cycle_time = atomic_load_explicit(&capture->cycle_time, memory_order_relaxed),
        .gate_event_time = atomic_load_explicit(&capture->gate_event_time, memory_order_relaxed),
        .gate_time = atomic_load_explicit(&capture->gate_time, memory_order_relaxed),
        .quantum = atomic_load_explicit(&capture->timing.quantum, memory_order_relaxed),
        .rate = atomic_load_explicit(&capture->timing.rate, memory_order_relaxed),
        .delay_ns = atomic_load_explicit(&capture->timing.delay_ns, memory_order_relaxed),
    };
    for (uint32_t c = 0; c < capture->channels; c++) {
        report->levels[c].peak = atomic_load_explicit(&capture->peak[c], memory_order_relaxed);
        report->levels[c].mean_square = atomic_load_explicit(&capture->square[c], memory_order_relaxed);
    }
}
