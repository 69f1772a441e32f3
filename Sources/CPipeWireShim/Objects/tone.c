#include "internal.h"

#include <math.h>
#include <spa/param/props.h>

#define RATE 48000u
/* 440 Hz is exactly eleven periods in 1,200 frames, so that no rounding errors add up. */
#define CYCLE_FRAMES 1200u
#define CYCLE_PERIODS 11u

/* `phase` belongs to the real-time thread. Its other fields are constant after `ready` is
 * stored. */
struct cpw_tone {
    cpw_connection *connection;
    struct pw_stream *stream;
    struct spa_hook listener;
    cpw_own_object_events events;
    void *user;
    uint32_t channels;
    bool is_quiet; /* being created or destroyed: sends no events */
    bool bound;
    bool is_removed; /* from the daemon, for good */
    atomic_bool ready;
    uint32_t phase; /* in units of 1/CYCLE_FRAMES of a period */
    _Atomic uint64_t cycles;
};

/* ---- Real-time thread */

static void fill(struct cpw_tone *tone, float *samples, uint32_t frames) {
    for (uint32_t frame = 0; frame < frames; frame++) {
        float sample = sinf(2.0f * (float)M_PI * (float)tone->phase / (float)CYCLE_FRAMES);
        tone->phase = (tone->phase + CYCLE_PERIODS) % CYCLE_FRAMES;
        for (uint32_t channel = 0; channel < tone->channels; channel++)
            *samples++ = sample;
    }
}

static void on_process(void *data) {
    struct cpw_tone *tone = data;
    if (!atomic_load_explicit(&tone->ready, memory_order_acquire))
        return;
    struct pw_buffer *buffer = cpw_dequeue_buffer(tone->stream);
    if (buffer == NULL)
        return;
    struct spa_data *plane = &buffer->buffer->datas[0];
    uint32_t stride = tone->channels * (uint32_t)sizeof(float);
    uint32_t frames = plane->data != NULL ? plane->maxsize / stride : 0;
    if (buffer->requested != 0 && buffer->requested < frames)
        frames = (uint32_t)buffer->requested;
    if (frames > 0)
        fill(tone, plane->data, frames);
    plane->chunk->offset = 0;
    plane->chunk->stride = (int32_t)stride;
    plane->chunk->size = frames * stride;
    buffer->size = frames;
    pw_stream_queue_buffer(tone->stream, buffer);
    atomic_fetch_add_explicit(&tone->cycles, 1, memory_order_release);
}

/* ---- Loop's thread */

static void on_state(void *data, enum pw_stream_state old, enum pw_stream_state state, const char *error) {
    (void)old;
    struct cpw_tone *tone = data;
    if (tone->is_quiet || tone->is_removed || tone->connection->failed)
        return;
    if (state == PW_STREAM_STATE_ERROR) {
        tone->events.failed(tone->user, -EIO, error ? error : spa_strerror(-EIO));
    } else if (state == PW_STREAM_STATE_UNCONNECTED) {
        tone->is_removed = true;
        tone->events.removed(tone->user);
    } else if (state == PW_STREAM_STATE_PAUSED && !tone->bound) {
        tone->bound = true;
        tone->events.bound(tone->user, pw_stream_get_node_id(tone->stream));
    }
}

static const struct pw_stream_events stream_events = {
    PW_VERSION_STREAM_EVENTS,
    .state_changed = on_state,
    .process = on_process,
};

static int start(struct cpw_tone *tone, const cpw_property *list, size_t count) {
    struct spa_dict dict = SPA_DICT_INIT((const struct spa_dict_item *)list, (uint32_t)count);
    struct pw_properties *properties = pw_properties_new_dict(&dict);
    if (properties == NULL)
        return -errno;
    tone->stream = pw_stream_new(tone->connection->core, "Tone", properties);
    if (tone->stream == NULL)
        return -errno;
    pw_stream_add_listener(tone->stream, &tone->listener, &stream_events, tone);

    struct cpw_format_storage storage;
    const struct spa_pod *format =
        cpw_format_build_positions(&storage, RATE, tone->channels, cpw_card_positions(tone->channels));
    atomic_store_explicit(&tone->ready, true, memory_order_release);
    return pw_stream_connect(tone->stream, PW_DIRECTION_OUTPUT, PW_ID_ANY,
                             PW_STREAM_FLAG_MAP_BUFFERS | PW_STREAM_FLAG_RT_PROCESS, &format, 1);
}

cpw_tone *cpw_tone_create(cpw_connection *connection, const cpw_property *properties, size_t count, uint32_t channels,
                          const cpw_own_object_events *events, void *user, int *error) {
    *error = channels < 1 || channels > CPW_MAX_CHANNELS ? -EINVAL : connection->failed ? -ENOTCONN : 0;
    if (*error < 0)
        return NULL;
    cpw_tone *tone = calloc(1, sizeof(*tone));
    if (tone == NULL) {
        *error = -ENOMEM;
        return NULL;
    }
    tone->connection = connection;
    tone->events = *events;
    tone->user = user;
    tone->channels = channels;
    tone->is_quiet = true;
    *error = start(tone, properties, count);
    if (*error < 0) {
        cpw_tone_destroy(tone);
        return NULL;
    }
    tone->is_quiet = false;
    return tone;
}

int cpw_tone_set_volume(cpw_tone *tone, float volume, bool mute) {
    float volumes[CPW_MAX_CHANNELS], muted = mute ? 1 : 0;
    if (tone->is_removed || tone->connection->failed)
        return -ENOTCONN;
    for (uint32_t i = 0; i < tone->channels; i++)
        volumes[i] = volume;
    return pw_stream_set_control(tone->stream, SPA_PROP_mute, 1, &muted, SPA_PROP_channelVolumes, tone->channels,
                                 volumes, 0);
}

void cpw_tone_destroy(cpw_tone *tone) {
    tone->is_quiet = true;
    if (tone->stream != NULL)
        pw_stream_destroy(tone->stream);
    /* PipeWire has waited for the real-time thread. This load makes that visible to the memory
     * model. */
    (void)atomic_load_explicit(&tone->cycles, memory_order_acquire);
    free(tone);
}
