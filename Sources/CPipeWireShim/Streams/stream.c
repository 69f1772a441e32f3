#include "Streams/stream.h"

#include <spa/param/param.h>

/* ---- Real-time thread */

struct pw_buffer *cpw_dequeue_buffer(struct pw_stream *stream) {
    struct pw_buffer *buffer = pw_stream_dequeue_buffer(stream);
    if (buffer == NULL || buffer->buffer->n_datas > 0)
        return buffer;
    /* A buffer without data cannot be filled. */
    pw_stream_queue_buffer(stream, buffer);
    return NULL;
}

struct pw_buffer *cpw_stream_begin_cycle(cpw_stream *stream) {
    return atomic_load_explicit(&stream->ready, memory_order_acquire) ? cpw_dequeue_buffer(stream->stream) : NULL;
}

/* The graph's clock has the start of the cycle, which saves a system call. If the driver has no
 * clock, its time is zero. */
uint64_t cpw_stream_update_timing(cpw_stream *stream, uint32_t frames) {
    struct pw_time time = {0};
    pw_stream_get_time_n(stream->stream, &time, sizeof(time));
    uint64_t now = time.now > 0 ? (uint64_t)time.now : cpw_now();
    const struct spa_io_position *position = atomic_load_explicit(&stream->position, memory_order_acquire);
    cpw_timing_update(&stream->timing, &time, position, frames, stream->rate);
    return now;
}

struct cpw_samples cpw_stream_samples(const cpw_stream *stream, const struct pw_buffer *buffer) {
    const struct spa_data *plane = &buffer->buffer->datas[0];
    uint32_t offset = SPA_MIN(plane->chunk->offset, plane->maxsize);
    uint32_t size = SPA_MIN(plane->chunk->size, plane->maxsize - offset);
    if (plane->data == NULL || offset % sizeof(float) != 0)
        return (struct cpw_samples){0};
    return (struct cpw_samples){
        .data = SPA_PTROFF(plane->data, offset, const float),
        .frames = size / (stream->node_channels * (uint32_t)sizeof(float)),
    };
}

struct cpw_cycle cpw_stream_cycle(const cpw_stream *stream, uint64_t time) {
    struct cpw_cycle cycle = {.time = time, .delay_ns = cpw_stream_delay(stream)};
    const struct spa_io_position *position = atomic_load_explicit(&stream->position, memory_order_acquire);
    if (position != NULL && position->clock.rate.num == 1) {
        cycle.position = position->clock.position;
        cycle.duration = position->clock.duration;
        cycle.rate = position->clock.rate.denom;
    }
    return cycle;
}

int64_t cpw_stream_delay(const cpw_stream *stream) {
    return atomic_load_explicit(&stream->timing.delay_ns, memory_order_relaxed);
}

void cpw_stream_end_cycle(cpw_stream *stream, struct pw_buffer *buffer, uint32_t frames) {
    pw_stream_queue_buffer(stream->stream, buffer);
    atomic_fetch_add_explicit(&stream->frames, frames, memory_order_relaxed);
    atomic_fetch_add_explicit(&stream->cycles, 1, memory_order_release);
}

/* ---- Loop's thread */

/* libpipewire unmaps the former area after this event, so the real-time thread must have left it. */
void cpw_stream_on_io(void *data, uint32_t id, void *area, uint32_t size) {
    cpw_stream *stream = data;
    if (id != SPA_IO_Position)
        return;
    bool is_whole = area != NULL && size >= sizeof(struct spa_io_position);
    atomic_store_explicit(&stream->position, is_whole ? area : NULL, memory_order_release);
    cpw_stream_wait_for_data_loop(stream);
}

/* Called before the first buffer of the format. The stream offers one format only, but a server
 * that chooses another one must not be recorded as if it had that format. */
void cpw_stream_on_param(void *data, uint32_t id, const struct spa_pod *param) {
    cpw_stream *stream = data;
    if (id == SPA_PARAM_Format && param != NULL)
        atomic_store_explicit(&stream->has_other_format, !cpw_format_is(param, stream->rate, stream->node_channels),
                              memory_order_release);
}

void cpw_stream_on_state(void *data, enum pw_stream_state old, enum pw_stream_state state, const char *error) {
    (void)old;
    cpw_stream *stream = data;
    if (stream->is_ending)
        cpw_stream_request_removal(stream);
    if (stream->is_quiet)
        return;
    /* libpipewire also reports this state for a message of the server, after which the stream keeps
     * the state that it has. */
    if (state == PW_STREAM_STATE_ERROR)
        state = pw_stream_get_state(stream->stream, NULL);
    uint32_t node = state >= PW_STREAM_STATE_PAUSED ? pw_stream_get_node_id(stream->stream) : UINT32_MAX;
    stream->connection->loop->event_time = cpw_now();
    stream->events.state(stream->user, (cpw_stream_state)state, node, error);
}

static cpw_stream *allocate(const struct cpw_stream_kind *kind, cpw_connection *connection,
                            const cpw_stream_options *options, cpw_ring *ring, const cpw_stream_events *events,
                            void *user, int *error) {
    *error = -EINVAL;
    cpw_callback *callback = options->callback;
    cpw_canceller *canceller = options->canceller;
    if ((ring != NULL) + (callback != NULL) != !kind->is_reference ||
        (kind->is_reference && canceller == NULL) ||
        (callback != NULL && (callback->render != NULL) != (kind->direction == PW_DIRECTION_OUTPUT)))
        return NULL;
    uint32_t channels = ring != NULL ? ring->channels : callback != NULL ? callback->channels : 1;
    if (options->channels == 0 || options->channels > CPW_MAX_CHANNELS || options->channels != channels ||
        options->rate == 0 || options->rate > CPW_MAX_RATE)
        return NULL;
    if (canceller != NULL &&
        (kind->direction != PW_DIRECTION_INPUT || options->rate != cpw_canceller_rate(canceller)))
        return NULL;
    *error = -ENOTCONN;
    if (connection->failed)
        return NULL;
    *error = -ENOMEM;
    cpw_stream *stream = calloc(1, kind->size);
    if (stream == NULL)
        return NULL;
    stream->connection = connection;
    spa_list_append(&connection->streams, &stream->link);
    stream->ring = ring != NULL ? cpw_ring_retain(ring) : NULL;
    stream->callback = callback != NULL ? cpw_callback_retain(callback) : NULL;
    stream->canceller = canceller != NULL ? cpw_canceller_retain(canceller) : NULL;
    stream->events = *events;
    stream->user = user;
    stream->rate = options->rate;
    stream->channels = options->channels;
    stream->node_channels = canceller != NULL ? 1 : options->channels;
    stream->is_quiet = true;
    return stream;
}

static int open_stream(cpw_stream *stream, const struct cpw_stream_kind *kind, const cpw_stream_options *options) {
    struct spa_dict dict = SPA_DICT_INIT((const struct spa_dict_item *)options->properties,
                                         (uint32_t)options->property_count);
    struct pw_properties *properties = pw_properties_new(PW_KEY_MEDIA_TYPE, "Audio", PW_KEY_MEDIA_CATEGORY,
                                                         kind->category, NULL);
    if (properties == NULL)
        return -errno;
    pw_properties_update(properties, &dict);
    const char *name = pw_properties_get(properties, PW_KEY_MEDIA_NAME);
    stream->stream = pw_stream_new(stream->connection->core, name != NULL ? name : kind->name, properties);
    if (stream->stream == NULL)
        return -errno;
    pw_stream_add_listener(stream->stream, &stream->listener, kind->events, stream);

    struct cpw_format_storage storage;
    const struct spa_pod *format = cpw_format_build(&storage, options->rate, stream->node_channels);
    enum pw_stream_flags flags = PW_STREAM_FLAG_AUTOCONNECT | PW_STREAM_FLAG_MAP_BUFFERS | PW_STREAM_FLAG_RT_PROCESS;
    if (!options->start_active)
        flags |= PW_STREAM_FLAG_INACTIVE;
    atomic_store_explicit(&stream->ready, true, memory_order_release);
    return pw_stream_connect(stream->stream, kind->direction, PW_ID_ANY, flags, &format, 1);
}

cpw_stream *cpw_stream_create(const struct cpw_stream_kind *kind, cpw_connection *connection,
                              const cpw_stream_options *options, cpw_ring *ring, const cpw_stream_events *events,
                              void *user, int *error) {
    cpw_stream *stream = allocate(kind, connection, options, ring, events, user, error);
    if (stream == NULL)
        return NULL;
    *error = kind->prepare != NULL ? kind->prepare(stream) : 0;
    if (*error == 0)
        *error = open_stream(stream, kind, options);
    if (*error < 0) {
        cpw_stream_free(stream);
        return NULL;
    }
    stream->is_quiet = false;
    return stream;
}

int cpw_stream_set_properties(cpw_stream *stream, const cpw_property *properties, size_t count) {
    struct spa_dict dict = SPA_DICT_INIT((const struct spa_dict_item *)properties, (uint32_t)count);
    return pw_stream_update_properties(stream->stream, &dict);
}

void cpw_stream_set_gate(cpw_stream *stream, bool closed) {
    if (atomic_exchange_explicit(&stream->is_gate_closed, closed, memory_order_acq_rel) == closed || !closed)
        return;
    atomic_store_explicit(&stream->gate_time, cpw_now(), memory_order_relaxed);
    atomic_store_explicit(&stream->gate_event_time, stream->connection->loop->event_time, memory_order_relaxed);
}

void cpw_stream_set_gate_triggers(cpw_stream *stream, const uint32_t *nodes, size_t count) {
    stream->gate_trigger_count = SPA_MIN(count, (size_t)CPW_MAX_GATE_TRIGGERS);
    for (size_t i = 0; i < stream->gate_trigger_count; i++)
        stream->gate_triggers[i] = nodes[i];
}

void cpw_streams_close_gates(cpw_connection *connection, uint32_t id) {
    cpw_stream *stream;
    spa_list_for_each(stream, &connection->streams, link) {
        for (size_t i = 0; i < stream->gate_trigger_count; i++)
            if (stream->gate_triggers[i] == id)
                cpw_stream_set_gate(stream, true);
    }
}

void cpw_stream_get_report(const cpw_stream *stream, cpw_stream_report *report) {
    *report = (cpw_stream_report){.cycles = atomic_load_explicit(&stream->cycles, memory_order_acquire)};
    report->frames = atomic_load_explicit(&stream->frames, memory_order_relaxed);
    report->gate_event_time = atomic_load_explicit(&stream->gate_event_time, memory_order_relaxed);
    report->gate_time = atomic_load_explicit(&stream->gate_time, memory_order_relaxed);
    report->quantum = atomic_load_explicit(&stream->timing.quantum, memory_order_relaxed);
    report->rate = atomic_load_explicit(&stream->timing.rate, memory_order_relaxed);
    report->delay_ns = atomic_load_explicit(&stream->timing.delay_ns, memory_order_relaxed);
}
