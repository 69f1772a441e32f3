#include "Streams/stream.h"

/* A stream that records a sink's monitor for a canceller. */

/* ---- Real-time thread */

static void on_process(void *data) {
    cpw_stream *stream = data;
    struct pw_buffer *buffer = cpw_stream_begin_cycle(stream);
    if (buffer == NULL)
        return;
    struct cpw_samples samples = cpw_stream_samples(stream, buffer);
    uint64_t now = cpw_stream_update_timing(stream, samples.frames);
    if (samples.frames > 0 && !atomic_load_explicit(&stream->has_other_format, memory_order_acquire)) {
        struct cpw_cycle cycle = cpw_stream_cycle(stream, now);
        cpw_canceller_play(stream->canceller, samples.data, samples.frames, &cycle);
    }
    cpw_stream_end_cycle(stream, buffer, samples.frames);
}

/* ---- Loop's thread */

static const struct pw_stream_events stream_events = {
    PW_VERSION_STREAM_EVENTS,
    .state_changed = cpw_stream_on_state,
    .io_changed = cpw_stream_on_io,
    .param_changed = cpw_stream_on_param,
    .process = on_process,
};

static const struct cpw_stream_kind kind = {
    .size = sizeof(struct cpw_stream),
    .direction = PW_DIRECTION_INPUT,
    .is_reference = true,
    .category = "Capture",
    .name = "Echo reference",
    .events = &stream_events,
};

cpw_stream *cpw_reference_create(cpw_connection *connection, const cpw_stream_options *options,
                                 const cpw_stream_events *events, void *user, int *error) {
    return cpw_stream_create(&kind, connection, options, NULL, events, user, error);
}
