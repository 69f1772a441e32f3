#include "Streams/canceller.h"
#include "Streams/stream.h"
#include "cpw_canceller.h"

#include <spa/param/param.h>

/* A stream that records a sink's monitor for a canceller. */
struct reference {
    struct cpw_stream stream;
    atomic_bool has_other_format; /* the negotiated format is not that of the options */
};

static struct reference *of(cpw_stream *stream) { return SPA_CONTAINER_OF(stream, struct reference, stream); }

/* ---- Real-time thread */

static void on_process(void *data) {
    cpw_stream *stream = data;
    struct pw_buffer *buffer = cpw_stream_begin_cycle(stream);
    if (buffer == NULL)
        return;
    struct cpw_samples samples = cpw_stream_samples(stream, buffer);
    uint64_t now = cpw_stream_update_timing(stream, samples.frames);
    if (samples.frames > 0 && !atomic_load_explicit(&of(stream)->has_other_format, memory_order_acquire)) {
        struct cpw_cycle cycle = cpw_stream_cycle(stream, now);
        cpw_canceller_play(stream->canceller, samples.data, samples.frames, &cycle);
    }
    cpw_stream_end_cycle(stream, buffer, samples.frames);
}

/* ---- Loop's thread */

static void on_param(void *data, uint32_t id, const struct spa_pod *param) {
    cpw_stream *stream = data;
    if (id == SPA_PARAM_Format && param != NULL)
        atomic_store_explicit(&of(stream)->has_other_format, !cpw_format_is(param, stream->rate, 1),
                              memory_order_release);
}

static const struct pw_stream_events stream_events = {
    PW_VERSION_STREAM_EVENTS,
    .state_changed = cpw_stream_on_state,
    .io_changed = cpw_stream_on_io,
    .param_changed = on_param,
    .process = on_process,
};

static const struct cpw_stream_kind kind = {
    .size = sizeof(struct reference),
    .direction = PW_DIRECTION_INPUT,
    .is_reference = true,
    .category = "Capture",
    .name = "Echo reference",
    .events = &stream_events,
};

cpw_stream *cpw_reference_create(cpw_connection *connection, const cpw_stream_options *options,
                                 const cpw_stream_events *events, void *user, int *error) {
    cpw_stream *stream = cpw_stream_new(&kind, connection, options, NULL, events, user, error);
    return stream != NULL ? cpw_stream_connect(stream, &kind, options, error) : NULL;
}
