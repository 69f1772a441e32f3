#include "Streams/gain.h"
#include "Streams/stream.h"

#include <math.h>

struct playback {
    struct cpw_stream stream;
    bool active; /* as last requested */

    /* Written by other threads, read by the real-time thread. */
    _Atomic float volume, duck;
    atomic_bool was_inactive; /* the ramp of ducking from before is obsolete */

    /* Real-time thread only. */
    cpw_gain gain;
    bool started;

    /* Written by the real-time thread. */
    _Atomic uint64_t last_sound_time;
};

static struct playback *of(cpw_stream *stream) { return SPA_CONTAINER_OF(stream, struct playback, stream); }

/* ---- Real-time thread */

/* Fills the buffer, and returns the number of frames that the program provided. */
static uint32_t take(cpw_stream *stream, float *samples, uint32_t frames, uint64_t now) {
    if (stream->ring != NULL)
        return cpw_ring_read(stream->ring, samples, frames);
    int64_t delay = cpw_stream_delay(stream);
    cpw_callback_render(stream->callback, samples, frames, stream->rate, delay > 0 ? now + (uint64_t)delay : now);
    return frames;
}

static void fill(struct playback *playback, float *samples, uint32_t frames, uint64_t now) {
    cpw_stream *stream = &playback->stream;
    cpw_gain target = {.volume = atomic_load_explicit(&playback->volume, memory_order_relaxed),
                       .duck = atomic_load_explicit(&playback->duck, memory_order_acquire)};
    uint32_t taken = 0;
    if (!playback->started)
        playback->gain = target;
    playback->started = true;
    if (atomic_exchange_explicit(&playback->was_inactive, false, memory_order_acquire))
        playback->gain.duck = target.duck;
    if (atomic_load_explicit(&stream->is_gate_closed, memory_order_acquire)) {
        /* The start of the ramp when the gate opens. */
        playback->gain = (cpw_gain){.volume = 0, .duck = target.duck};
    } else {
        taken = take(stream, samples, frames, now);
        if (taken == 0)
            playback->gain.duck = target.duck;
        cpw_gain_apply(&playback->gain, target, stream->rate, samples, taken, stream->channels);
        if (taken > 0)
            atomic_store_explicit(&playback->last_sound_time, now, memory_order_relaxed);
    }
    memset(samples + (size_t)taken * stream->channels, 0, (size_t)(frames - taken) * stream->channels * sizeof(float));
}

static void on_process(void *data) {
    cpw_stream *stream = data;
    struct pw_buffer *buffer = cpw_stream_begin_cycle(stream);
    if (buffer == NULL)
        return;
    struct spa_data *plane = &buffer->buffer->datas[0];
    uint32_t stride = stream->channels * (uint32_t)sizeof(float);
    uint32_t frames = plane->data != NULL ? plane->maxsize / stride : 0;
    if (buffer->requested != 0 && buffer->requested < frames)
        frames = (uint32_t)buffer->requested;
    uint64_t now = cpw_stream_update_timing(stream, frames);
    if (frames > 0)
        fill(of(stream), plane->data, frames, now);
    plane->chunk->offset = 0;
    plane->chunk->stride = (int32_t)stride;
    plane->chunk->size = frames * stride;
    buffer->size = frames;
    cpw_stream_end_cycle(stream, buffer, frames);
}

/* ---- Loop's thread */

static const struct pw_stream_events stream_events = {
    PW_VERSION_STREAM_EVENTS,
    .state_changed = cpw_stream_on_state,
    .io_changed = cpw_stream_on_io,
    .process = on_process,
};

static int prepare(cpw_stream *stream) {
    atomic_init(&of(stream)->volume, 1.0f);
    return 0;
}

static const struct cpw_stream_kind kind = {
    .size = sizeof(struct playback),
    .direction = PW_DIRECTION_OUTPUT,
    .category = "Playback",
    .name = "Playback",
    .events = &stream_events,
    .prepare = prepare,
};

cpw_stream *cpw_playback_create(cpw_connection *connection, const cpw_stream_options *options, cpw_ring *ring,
                                const cpw_stream_events *events, void *user, int *error) {
    return cpw_stream_create(&kind, connection, options, ring, events, user, error);
}

int cpw_playback_set_active(cpw_stream *stream, bool active) {
    struct playback *playback = of(stream);
    if (active && !playback->active)
        atomic_store_explicit(&playback->was_inactive, true, memory_order_release);
    playback->active = active;
    return pw_stream_set_active(stream->stream, active);
}

void cpw_playback_set_volume(cpw_stream *stream, float volume) {
    if (volume >= 0 && volume <= CPW_MAX_VOLUME) /* both are false for NaN */
        atomic_store_explicit(&of(stream)->volume, volume, memory_order_relaxed);
}

void cpw_playback_set_duck(cpw_stream *stream, float gain) {
    if (gain >= 0 && gain <= 1)
        atomic_store_explicit(&of(stream)->duck, fmaxf(20.0f * log10f(gain), CPW_LEAST_DUCK), memory_order_release);
}

uint64_t cpw_playback_last_sound_time(cpw_stream *stream) {
    return atomic_load_explicit(&of(stream)->last_sound_time, memory_order_relaxed);
}
