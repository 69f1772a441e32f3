#include "Tap/tap.h"

#include <math.h>
#include <spa/node/io.h>

static void publish(struct cpw_tap *tap) {
    struct cpw_tap_published *out = &tap->published;
    const cpw_tap_report *report = &tap->counts.report;
    uint32_t version = atomic_load_explicit(&out->version, memory_order_relaxed);
    atomic_store_explicit(&out->version, version + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&out->generation, tap->counts.generation, memory_order_relaxed);
    atomic_store_explicit(&out->cycles, report->cycles, memory_order_relaxed);
    atomic_store_explicit(&out->frames, report->frames, memory_order_relaxed);
    atomic_store_explicit(&out->loud_frames, report->loud_frames, memory_order_relaxed);
    atomic_store_explicit(&out->gap_frames, report->gap_frames, memory_order_relaxed);
    atomic_store_explicit(&out->first_loud_time, report->first_loud_time, memory_order_relaxed);
    atomic_store_explicit(&out->last_loud_time, report->last_loud_time, memory_order_relaxed);
    atomic_store_explicit(&out->peak, report->peak, memory_order_relaxed);
    atomic_store_explicit(&out->version, version + 2, memory_order_release);
}

/* One channel's samples of a cycle. */
struct channel {
    const float *samples;
    uint32_t frames;
};

static struct channel channel_of(const struct pw_buffer *buffer, uint32_t frames) {
    const struct spa_data *data = &buffer->buffer->datas[0];
    if (buffer->buffer->n_datas == 0 || data->data == NULL)
        return (struct channel){0};
    uint32_t offset = data->chunk->offset; /* once: another process may write it */
    if (offset >= data->maxsize || offset % sizeof(float) != 0)
        return (struct channel){0};
    uint32_t size = SPA_MIN(data->chunk->size, data->maxsize - offset);
    return (struct channel){
        .samples = SPA_PTROFF(data->data, offset, const float),
        .frames = SPA_MIN(frames, size / (uint32_t)sizeof(float)),
    };
}

static float amplitude_of(const struct channel *channels, uint32_t count, uint32_t frame) {
    float amplitude = 0;
    for (uint32_t i = 0; i < count; i++)
        if (frame < channels[i].frames && fabsf(channels[i].samples[frame]) > amplitude)
            amplitude = fabsf(channels[i].samples[frame]);
    return amplitude;
}

/* When the first frame of this cycle was played. A sink that drives the graph is the last node of
 * each cycle, so its monitor's frames are received in the next one. */
static uint64_t start_of(const struct cpw_tap *tap, const struct spa_io_clock *clock) {
    uint64_t start = clock->nsec ? clock->nsec : cpw_now();
    bool is_driver = clock->id == atomic_load_explicit(&tap->sink, memory_order_relaxed);
    if (!is_driver || clock->rate.denom == 0)
        return start;
    return start - clock->duration * SPA_NSEC_PER_SEC * clock->rate.num / clock->rate.denom;
}

static void count(struct cpw_tap *tap, const struct channel *channels, uint32_t n_channels, uint32_t frames,
                  const struct spa_io_position *position) {
    cpw_tap_report *report = &tap->counts.report;
    uint64_t start = start_of(tap, &position->clock);
    double frame_ns = position->clock.rate.denom ? 1e9 * position->clock.rate.num / position->clock.rate.denom : 0;
    uint64_t first = report->frames;
    report->cycles++;
    report->frames += frames;
    for (uint32_t frame = 0; frame < frames; frame++) {
        float amplitude = amplitude_of(channels, n_channels, frame);
        report->peak = SPA_MAX(report->peak, amplitude);
        if (!(amplitude > tap->threshold))
            continue;
        report->last_loud_time = start + (uint64_t)fmin(frame * frame_ns, 1e18);
        if (report->loud_frames++ == 0)
            report->first_loud_time = report->last_loud_time;
        else
            report->gap_frames += first + frame - tap->counts.last_loud_frame - 1;
        tap->counts.last_loud_frame = first + frame;
    }
}

/* Real-time thread, as all functions before it. */
static void on_process(void *data, struct spa_io_position *position) {
    struct cpw_tap *tap = data;
    struct pw_buffer *buffers[CPW_MAX_CHANNELS];
    struct channel channels[CPW_MAX_CHANNELS];
    uint32_t received = 0, frames = 0;

    uint32_t resets = atomic_load_explicit(&tap->resets, memory_order_acquire);
    if (tap->counts.generation != resets)
        tap->counts = (struct cpw_tap_counts){.generation = resets};
    if (position == NULL)
        return;
    for (uint32_t i = 0; i < CPW_MAX_CHANNELS; i++) {
        buffers[i] = pw_filter_dequeue_buffer(tap->inputs[i]);
        if (buffers[i] == NULL)
            continue;
        channels[received] = channel_of(buffers[i], (uint32_t)position->clock.duration);
        frames = SPA_MAX(frames, channels[received].frames);
        received++;
    }
    if (frames > 0)
        count(tap, channels, received, frames, position);
    for (uint32_t i = 0; i < CPW_MAX_CHANNELS; i++)
        if (buffers[i] != NULL)
            pw_filter_queue_buffer(tap->inputs[i], buffers[i]);
    publish(tap);
}

static void on_state(void *data, enum pw_filter_state old, enum pw_filter_state state, const char *error) {
    (void)old;
    struct cpw_tap *tap = data;
    int result = 0;
    if (state == PW_FILTER_STATE_PAUSED && tap->registry == NULL)
        result = cpw_tap_links_start(tap);
    else if (state == PW_FILTER_STATE_ERROR)
        result = -EIO;
    if (result < 0)
        tap->events.failed(tap->user, result, error ? error : spa_strerror(result));
}

static const struct pw_filter_events filter_events = {
    PW_VERSION_FILTER_EVENTS,
    .state_changed = on_state,
    .process = on_process,
};

static int add_inputs(struct cpw_tap *tap) {
    for (int i = 0; i < CPW_MAX_CHANNELS; i++) {
        struct pw_properties *properties =
            pw_properties_new(PW_KEY_FORMAT_DSP, "32 bit float mono audio", PW_KEY_PORT_TERMINAL, "true", NULL);
        pw_properties_setf(properties, PW_KEY_PORT_NAME, "input_%d", i + 1);
        tap->inputs[i] = pw_filter_add_port(tap->filter, PW_DIRECTION_INPUT, PW_FILTER_PORT_FLAG_MAP_BUFFERS,
                                            sizeof(void *), properties, NULL, 0);
        if (tap->inputs[i] == NULL)
            return -errno;
    }
    return 0;
}

static int start(struct cpw_tap *tap) {
    /* Without media.class session managers ignore the filter. Without a driver of its own it runs
     * only while it is linked, driven by the sink's driver. */
    struct pw_properties *properties = pw_properties_new(PW_KEY_MEDIA_TYPE, "Audio", PW_KEY_MEDIA_CATEGORY, "Monitor",
                                                         PW_KEY_NODE_WANT_DRIVER, "false", NULL);
    if (tap->sink_name == NULL || properties == NULL) {
        pw_properties_free(properties);
        return -ENOMEM;
    }
    pw_properties_setf(properties, PW_KEY_NODE_NAME, "audiosession-tap.%s", tap->sink_name);
    tap->filter = pw_filter_new(tap->connection->core, "tap", properties);
    if (tap->filter == NULL)
        return -errno;
    pw_filter_add_listener(tap->filter, &tap->filter_listener, &filter_events, tap);
    int result = add_inputs(tap);
    return result < 0 ? result : pw_filter_connect(tap->filter, PW_FILTER_FLAG_RT_PROCESS, NULL, 0);
}

cpw_tap *cpw_tap_create(cpw_connection *connection, const char *sink, float threshold, const cpw_tap_events *events,
                        void *user, int *error) {
    cpw_tap *tap = calloc(1, sizeof(*tap));
    if (tap == NULL) {
        *error = -ENOMEM;
        return NULL;
    }
    tap->connection = connection;
    tap->sink_name = strdup(sink);
    tap->threshold = threshold;
    tap->events = *events;
    tap->user = user;
    atomic_init(&tap->sink, SPA_ID_INVALID);
    tap->next_sink = SPA_ID_INVALID;
    spa_list_init(&tap->monitors);
    *error = start(tap);
    if (*error < 0) {
        cpw_tap_destroy(tap);
        return NULL;
    }
    return tap;
}

void cpw_tap_get_report(const cpw_tap *tap, cpw_tap_report *report) {
    const struct cpw_tap_published *in = &tap->published;
    uint32_t before, after, generation;
    do {
        before = atomic_load_explicit(&in->version, memory_order_acquire);
        generation = atomic_load_explicit(&in->generation, memory_order_relaxed);
        report->cycles = atomic_load_explicit(&in->cycles, memory_order_relaxed);
        report->frames = atomic_load_explicit(&in->frames, memory_order_relaxed);
        report->loud_frames = atomic_load_explicit(&in->loud_frames, memory_order_relaxed);
        report->gap_frames = atomic_load_explicit(&in->gap_frames, memory_order_relaxed);
        report->first_loud_time = atomic_load_explicit(&in->first_loud_time, memory_order_relaxed);
        report->last_loud_time = atomic_load_explicit(&in->last_loud_time, memory_order_relaxed);
        report->peak = atomic_load_explicit(&in->peak, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        after = atomic_load_explicit(&in->version, memory_order_relaxed);
    } while (before != after || (before & 1) != 0);
    if (generation != atomic_load_explicit(&tap->resets, memory_order_acquire))
        *report = (cpw_tap_report){0};
}

void cpw_tap_reset(cpw_tap *tap) { atomic_fetch_add_explicit(&tap->resets, 1, memory_order_acq_rel); }

void cpw_tap_destroy(cpw_tap *tap) {
    cpw_tap_links_stop(tap);
    if (tap->filter != NULL)
        pw_filter_destroy(tap->filter);
    free(tap->sink_name);
    free(tap);
}
