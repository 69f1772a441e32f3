#include "Streams/stream.h"

#include <math.h>

/* The real-time thread is the writer of the ring, or calls the callback. */

/* Windows of the meter per second. */
#define METER_RATE 20u
#define ZEROS 1024u
/* The longest block of a canceller. */
#define MAX_BLOCK 480u

struct capture {
    struct cpw_stream stream;

    atomic_bool muted; /* written by other threads, read by the real-time thread */

    /* Real-time thread only. */
    float peaks[CPW_MAX_CHANNELS];
    double squares[CPW_MAX_CHANNELS];
    uint32_t metered;

    /* Written by the real-time thread. */
    _Atomic uint64_t dropped;
    _Atomic float peak[CPW_MAX_CHANNELS], square[CPW_MAX_CHANNELS];
};

static struct capture *of(cpw_stream *stream) { return SPA_CONTAINER_OF(stream, struct capture, stream); }

/* ---- Real-time thread */

static void publish_levels(struct capture *capture) {
    for (uint32_t c = 0; c < capture->stream.channels; c++) {
        double square = capture->metered > 0 ? capture->squares[c] / capture->metered : 0;
        atomic_store_explicit(&capture->peak[c], capture->peaks[c], memory_order_relaxed);
        atomic_store_explicit(&capture->square[c], (float)square, memory_order_relaxed);
        capture->peaks[c] = 0;
        capture->squares[c] = 0;
    }
    capture->metered = 0;
}

static void meter(struct capture *capture, const float *samples, uint32_t frames) {
    for (uint32_t i = 0; i < frames; i++) {
        for (uint32_t c = 0; c < capture->stream.channels; c++) {
            float sample = *samples++;
            float amplitude = fabsf(sample);
            if (!(amplitude <= CPW_MAX_SAMPLE)) /* NaN, or beyond what any microphone delivers */
                continue;
            capture->peaks[c] = fmaxf(capture->peaks[c], amplitude);
            capture->squares[c] += (double)sample * sample;
        }
        if (++capture->metered >= capture->stream.rate / METER_RATE)
            publish_levels(capture);
    }
}

/* `time` is when the first frame was at the microphone. */
static void record(struct capture *capture, const float *samples, uint32_t frames, uint64_t time) {
    meter(capture, samples, frames);
    if (capture->stream.callback != NULL) {
        cpw_callback_receive(capture->stream.callback, samples, frames, capture->stream.rate, time);
        return;
    }
    uint32_t taken = cpw_ring_write(capture->stream.ring, samples, frames);
    if (taken < frames)
        atomic_fetch_add_explicit(&capture->dropped, frames - taken, memory_order_relaxed);
}

/* Zeros are written from a buffer of their own, because the stream's may be mapped read-only. */
static void record_zeros(struct capture *capture, uint32_t frames, uint64_t time) {
    static const float zeros[ZEROS];
    uint32_t most = ZEROS / capture->stream.channels;
    for (uint32_t done = 0; done < frames;) {
        uint32_t part = SPA_MIN(most, frames - done);
        record(capture, zeros, part, time + done * SPA_NSEC_PER_SEC / capture->stream.rate);
        done += part;
    }
}

static bool is_closed(const struct capture *capture) {
    return atomic_load_explicit(&capture->stream.is_gate_closed, memory_order_acquire) ||
           atomic_load_explicit(&capture->stream.has_other_format, memory_order_acquire);
}

static void deliver(struct capture *capture, const float *samples, uint32_t frames, uint64_t time) {
    if (atomic_load_explicit(&capture->muted, memory_order_acquire))
        record_zeros(capture, frames, time);
    else if (frames > 0)
        record(capture, samples, frames, time);
}

static void publish_silence(struct capture *capture) {
    memset(capture->peaks, 0, sizeof(capture->peaks));
    capture->metered = 0;
    publish_levels(capture);
}

/* What the canceller left of one channel goes to all. The gate may have closed since the cycle. */
static void deliver_cancelled(void *context, const float *samples, uint32_t frames, uint64_t time) {
    struct capture *capture = context;
    float spread[MAX_BLOCK * CPW_MAX_CHANNELS], *next = spread;
    if (is_closed(capture)) {
        publish_silence(capture);
        return;
    }
    for (uint32_t i = 0; i < frames; i++)
        for (uint32_t c = 0; c < capture->stream.channels; c++)
            *next++ = samples[i];
    deliver(capture, spread, frames, time);
}

/* Returns how many frames were received with an open gate. */
static uint32_t receive(struct capture *capture, struct cpw_samples samples, uint64_t now) {
    cpw_stream *stream = &capture->stream;
    if (samples.data == NULL)
        return 0;
    if (is_closed(capture)) {
        if (stream->canceller != NULL)
            cpw_canceller_interrupt(stream->canceller);
        else
            publish_silence(capture);
        return 0;
    }
    int64_t delay = cpw_stream_delay(stream);
    uint64_t time = delay > 0 && (uint64_t)delay < now ? now - (uint64_t)delay : now;
    if (stream->canceller == NULL) {
        deliver(capture, samples.data, samples.frames, time);
    } else if (samples.frames > 0) {
        struct cpw_cycle cycle = cpw_stream_cycle(stream, time);
        cpw_canceller_record(stream->canceller, samples.data, samples.frames, &cycle);
    }
    return samples.frames;
}

static void on_process(void *data) {
    cpw_stream *stream = data;
    struct pw_buffer *buffer = cpw_stream_begin_cycle(stream);
    if (buffer == NULL)
        return;
    struct cpw_samples samples = cpw_stream_samples(stream, buffer);
    uint64_t now = cpw_stream_update_timing(stream, samples.frames);
    cpw_stream_end_cycle(stream, buffer, receive(of(stream), samples, now));
}

/* ---- Loop's thread */

static const struct pw_stream_events stream_events = {
    PW_VERSION_STREAM_EVENTS,
    .state_changed = cpw_stream_on_state,
    .io_changed = cpw_stream_on_io,
    .param_changed = cpw_stream_on_param,
    .process = on_process,
};

static int prepare(cpw_stream *stream) {
    return stream->canceller != NULL ? cpw_canceller_attach(stream->canceller, deliver_cancelled, of(stream)) : 0;
}

static const struct cpw_stream_kind kind = {
    .size = sizeof(struct capture),
    .direction = PW_DIRECTION_INPUT,
    .category = "Capture",
    .name = "Recording",
    .events = &stream_events,
    .prepare = prepare,
};

cpw_stream *cpw_capture_create(cpw_connection *connection, const cpw_stream_options *options, cpw_ring *ring,
                               const cpw_stream_events *events, void *user, int *error) {
    return cpw_stream_create(&kind, connection, options, ring, events, user, error);
}

void cpw_capture_set_muted(cpw_stream *stream, bool muted) {
    atomic_store_explicit(&of(stream)->muted, muted, memory_order_release);
}

void cpw_capture_get_report(const cpw_stream *stream, cpw_capture_report *report) {
    const struct capture *capture = SPA_CONTAINER_OF(stream, const struct capture, stream);
    *report = (cpw_capture_report){.dropped = atomic_load_explicit(&capture->dropped, memory_order_relaxed)};
    // A stream without a link has no cycle that would reset the levels.
    for (uint32_t c = 0; c < stream->channels && !is_closed(capture); c++) {
        report->levels[c].peak = atomic_load_explicit(&capture->peak[c], memory_order_relaxed);
        report->levels[c].mean_square = atomic_load_explicit(&capture->square[c], memory_order_relaxed);
    }
}
