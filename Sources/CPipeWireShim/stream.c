#include "gain.h"
#include "ring.h"

#include <math.h>

/* Everything that the real-time thread and another one both touch is atomic; the rest is written before `ready` is
 * stored and never again, or belongs to the real-time thread alone. */
struct cpw_stream {
    cpw_connection *connection;
    struct spa_list link;
    struct pw_stream *stream;
    struct spa_hook listener;
    cpw_ring *ring;
    cpw_stream_events events;
    void *user;
    uint32_t rate, channels;
    bool active; /* as last asked for */
    bool quiet;  /* being made or destroyed: no callbacks */
    atomic_bool ready;

    /* Set by others, read by the real-time thread. */
    atomic_bool gated;
    _Atomic float volume, duck;
    atomic_bool fresh; /* was inactive: where ducking stood when it last ran is of no interest */

    /* Real-time thread only. */
    cpw_gain gain;
    bool started;

    /* Written by the real-time thread. `cycles` is stored last (release), so that whoever has seen it (acquire) has
     * everything that the thread did before. */
    _Atomic uint64_t cycles, frames, cycle_time, last_sound_time;
    struct cpw_timing timing;

    uint32_t guarded[CPW_MAX_GUARDED];
    size_t guarded_count;

    /* Written by the loop's thread. */
    _Atomic uint64_t gate_event_time, gate_time;
};

/* ---- Real-time thread */

/* The times of a cycle come with the graph's clock, which spares the system call. A driver without one (its time is
 * zero) leaves the vDSO's clock. */
static uint64_t note_time(cpw_stream *stream, uint32_t requested) {
    struct pw_time time = {0};
    pw_stream_get_time_n(stream->stream, &time, sizeof(time));
    uint64_t now = time.now > 0 ? (uint64_t)time.now : cpw_now();
    atomic_store_explicit(&stream->cycle_time, now, memory_order_relaxed);
    cpw_timing_note(&stream->timing, &time, requested, stream->rate);
    return now;
}

static void fill(cpw_stream *stream, float *samples, uint32_t frames, uint64_t now) {
    cpw_gain target = {.volume = atomic_load_explicit(&stream->volume, memory_order_relaxed),
                       .duck = atomic_load_explicit(&stream->duck, memory_order_acquire)};
    uint32_t taken = 0;
    if (!stream->started)
        stream->gain = target;
    stream->started = true;
    if (atomic_exchange_explicit(&stream->fresh, false, memory_order_acquire))
        stream->gain.duck = target.duck;
    if (atomic_load_explicit(&stream->gated, memory_order_acquire)) {
        stream->gain = (cpw_gain){.volume = 0, .duck = target.duck}; /* from where it glides when the gate opens */
    } else {
        taken = cpw_ring_take(stream->ring, samples, frames);
        if (taken == 0)
            stream->gain.duck = target.duck;
        cpw_gain_apply(&stream->gain, target, stream->rate, samples, taken, stream->channels);
        if (taken > 0)
            atomic_store_explicit(&stream->last_sound_time, now, memory_order_relaxed);
    }
    memset(samples + (size_t)taken * stream->channels, 0, (size_t)(frames - taken) * stream->channels * sizeof(float));
}

static void on_process(void *data) {
    cpw_stream *stream = data;
    if (!atomic_load_explicit(&stream->ready, memory_order_acquire))
        return;
    struct pw_buffer *buffer = pw_stream_dequeue_buffer(stream->stream);
    if (buffer == NULL)
        return;
    struct spa_data *plane = &buffer->buffer->datas[0];
    uint32_t stride = stream->channels * (uint32_t)sizeof(float);
    uint32_t frames = plane->data != NULL ? plane->maxsize / stride : 0;
    if (buffer->requested != 0 && buffer->requested < frames)
        frames = (uint32_t)buffer->requested;
    uint64_t now = note_time(stream, frames);
    if (frames > 0)
        fill(stream, plane->data, frames, now);
    plane->chunk->offset = 0;
    plane->chunk->stride = (int32_t)stride;
    plane->chunk->size = frames * stride;
    buffer->size = frames;
    pw_stream_queue_buffer(stream->stream, buffer);
    atomic_fetch_add_explicit(&stream->frames, frames, memory_order_relaxed);
    atomic_fetch_add_explicit(&stream->cycles, 1, memory_order_release);
}

/* ---- Loop's thread */

static void on_state(void *data, enum pw_stream_state old, enum pw_stream_state state, const char *error) {
    (void)old;
    cpw_stream *stream = data;
    if (stream->quiet)
        return;
    /* PipeWire also tells of an error when it is the server that complains, and goes on in the state that it has. */
    if (state == PW_STREAM_STATE_ERROR)
        state = pw_stream_get_state(stream->stream, NULL);
    uint32_t node = state >= PW_STREAM_STATE_PAUSED ? pw_stream_get_node_id(stream->stream) : UINT32_MAX;
    stream->events.state(stream->user, (cpw_stream_state)state, node, error);
}

static const struct pw_stream_events stream_events = {
    PW_VERSION_STREAM_EVENTS,
    .state_changed = on_state,
    .process = on_process,
};

static int connect_stream(cpw_stream *stream, const cpw_stream_options *options) {
    struct spa_dict dict = SPA_DICT_INIT((const struct spa_dict_item *)options->properties,
                                         (uint32_t)options->property_count);
    struct pw_properties *properties = pw_properties_new(PW_KEY_MEDIA_TYPE, "Audio", PW_KEY_MEDIA_CATEGORY, "Playback",
                                                         NULL);
    if (properties == NULL)
        return -errno;
    pw_properties_update(properties, &dict);
    const char *name = pw_properties_get(properties, PW_KEY_MEDIA_NAME);
    stream->stream = pw_stream_new(stream->connection->core, name != NULL ? name : "Playback", properties);
    if (stream->stream == NULL)
        return -errno;
    pw_stream_add_listener(stream->stream, &stream->listener, &stream_events, stream);

    struct cpw_format_storage storage;
    const struct spa_pod *format = cpw_format_build(&storage, options->rate, options->channels);
    enum pw_stream_flags flags = PW_STREAM_FLAG_AUTOCONNECT | PW_STREAM_FLAG_MAP_BUFFERS | PW_STREAM_FLAG_RT_PROCESS;
    if (!options->start_active)
        flags |= PW_STREAM_FLAG_INACTIVE;
    atomic_store_explicit(&stream->ready, true, memory_order_release);
    return pw_stream_connect(stream->stream, PW_DIRECTION_OUTPUT, PW_ID_ANY, flags, &format, 1);
}

cpw_stream *cpw_stream_create(cpw_connection *connection, const cpw_stream_options *options, cpw_ring *ring,
                              const cpw_stream_events *events, void *user, int *error) {
    *error = -EINVAL;
    if (options->channels == 0 || options->channels > CPW_MAX_CHANNELS || options->channels != ring->channels ||
        options->rate == 0 || options->rate > CPW_MAX_RATE)
        return NULL;
    *error = -ENOTCONN;
    if (connection->failed)
        return NULL;
    *error = -ENOMEM;
    cpw_stream *stream = calloc(1, sizeof(*stream));
    if (stream == NULL)
        return NULL;
    stream->connection = connection;
    spa_list_append(&connection->streams, &stream->link);
    stream->ring = cpw_ring_retain(ring);
    stream->events = *events;
    stream->user = user;
    stream->rate = options->rate;
    stream->channels = options->channels;
    atomic_init(&stream->volume, 1.0f);
    stream->quiet = true;
    *error = connect_stream(stream, options);
    if (*error < 0) {
        cpw_stream_destroy(stream);
        return NULL;
    }
    stream->quiet = false;
    return stream;
}

void cpw_stream_destroy(cpw_stream *stream) {
    stream->quiet = true;
    spa_list_remove(&stream->link);
    if (stream->stream != NULL)
        pw_stream_destroy(stream->stream);
    /* PipeWire has waited for the real-time thread; this says so in terms of the language. */
    (void)atomic_load_explicit(&stream->cycles, memory_order_acquire);
    cpw_ring_release(stream->ring);
    free(stream);
}

int cpw_stream_set_active(cpw_stream *stream, bool active) {
    if (active && !stream->active)
        atomic_store_explicit(&stream->fresh, true, memory_order_release);
    stream->active = active;
    return pw_stream_set_active(stream->stream, active);
}

int cpw_stream_set_properties(cpw_stream *stream, const cpw_property *properties, size_t count) {
    struct spa_dict dict = SPA_DICT_INIT((const struct spa_dict_item *)properties, (uint32_t)count);
    return pw_stream_update_properties(stream->stream, &dict);
}

void cpw_stream_gate(cpw_stream *stream, bool closed) {
    if (atomic_exchange_explicit(&stream->gated, closed, memory_order_acq_rel) == closed || !closed)
        return;
    atomic_store_explicit(&stream->gate_time, cpw_now(), memory_order_relaxed);
    atomic_store_explicit(&stream->gate_event_time, stream->connection->event_time, memory_order_relaxed);
}

void cpw_stream_guard(cpw_stream *stream, const uint32_t *nodes, size_t count) {
    stream->guarded_count = SPA_MIN(count, (size_t)CPW_MAX_GUARDED);
    for (size_t i = 0; i < stream->guarded_count; i++)
        stream->guarded[i] = nodes[i];
}

void cpw_streams_lose(cpw_connection *connection, uint32_t id) {
    cpw_stream *stream;
    spa_list_for_each(stream, &connection->streams, link) {
        for (size_t i = 0; i < stream->guarded_count; i++)
            if (stream->guarded[i] == id)
                cpw_stream_gate(stream, true);
    }
}

void cpw_stream_set_volume(cpw_stream *stream, float volume) {
    if (volume >= 0 && volume <= CPW_MAX_VOLUME) /* neither is true of what is no number */
        atomic_store_explicit(&stream->volume, volume, memory_order_relaxed);
}

void cpw_stream_set_duck(cpw_stream *stream, float gain) {
    if (gain >= 0 && gain <= 1)
        atomic_store_explicit(&stream->duck, fmaxf(20.0f * log10f(gain), CPW_LEAST_DUCK), memory_order_release);
}

void cpw_stream_report_now(const cpw_stream *stream, cpw_stream_report *report) {
    *report = (cpw_stream_report){
        .cycles = atomic_load_explicit(&stream->cycles, memory_order_acquire),
        .frames = atomic_load_explicit(&stream->frames, memory_order_relaxed),
        .cycle_time = atomic_load_explicit(&stream->cycle_time, memory_order_relaxed),
        .last_sound_time = atomic_load_explicit(&stream->last_sound_time, memory_order_relaxed),
        .gate_event_time = atomic_load_explicit(&stream->gate_event_time, memory_order_relaxed),
        .gate_time = atomic_load_explicit(&stream->gate_time, memory_order_relaxed),
        .quantum = atomic_load_explicit(&stream->timing.quantum, memory_order_relaxed),
        .rate = atomic_load_explicit(&stream->timing.rate, memory_order_relaxed),
        .delay_ns = atomic_load_explicit(&stream->timing.delay_ns, memory_order_relaxed),
    };
}
