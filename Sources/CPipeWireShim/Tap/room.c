#include "internal.h"

#include <math.h>
#include <pipewire/filter.h>
#include <spa/param/latency-utils.h>

#define HISTORY 65536u /* frames; a power of two */
#define MAX_DELAY 60000u
/* Length of the filter that reads between two frames, when the clocks drift. */
#define WIDTH 32

/* The real-time thread has all but the first part, from `ready` on. */
struct cpw_room {
    cpw_connection *connection;
    struct pw_filter *filter;
    struct spa_hook listener;
    void *in, *out;
    cpw_own_object_events events;
    void *user;
    bool is_quiet; /* being created or destroyed: sends no events */
    bool bound;
    atomic_bool ready;

    cpw_room_options options;
    float *voice;
    float heard[HISTORY], played[HISTORY]; /* at the clock of the loudspeaker, and of the microphone */
    uint64_t frame;
    double lag; /* frames by which the clocks have drifted apart */
    uint32_t random;
    bool is_voice_on;
    _Atomic uint64_t said;
};

/* ---- Real-time thread */

/* Between two frames of what was heard, `lag` frames ago, by a windowed sinc. */
static float read_between(const struct cpw_room *room, double lag) {
    uint64_t whole = (uint64_t)lag;
    double part = lag - (double)whole, sum = 0;
    if (part == 0)
        return room->heard[(room->frame - whole) & (HISTORY - 1)];
    for (int i = 1 - WIDTH / 2; i <= WIDTH / 2; i++) {
        double x = i - part, window = 0.5 + 0.5 * cos(M_PI * x / (WIDTH / 2 + 1));
        double sinc = x == 0 ? 1 : sin(M_PI * x) / (M_PI * x);
        sum += room->heard[(room->frame - whole - (uint64_t)(int64_t)i) & (HISTORY - 1)] * sinc * window;
    }
    return (float)sum;
}

static float next_noise(struct cpw_room *room) {
    room->random = room->random * 1664525u + 1013904223u;
    return (float)(int32_t)room->random / 2147483648.0f * room->options.noise;
}

static float next_voice(struct cpw_room *room, float heard) {
    if (fabsf(heard) > room->options.threshold)
        room->is_voice_on = true;
    uint64_t said = atomic_load_explicit(&room->said, memory_order_relaxed);
    if (!room->is_voice_on || said >= room->options.voice_count)
        return 0;
    atomic_store_explicit(&room->said, said + 1, memory_order_relaxed);
    return room->voice[said];
}

static float step(struct cpw_room *room, float heard) {
    const cpw_room_options *options = &room->options;
    room->heard[room->frame & (HISTORY - 1)] = heard;
    room->played[room->frame & (HISTORY - 1)] =
        options->drift == 0 ? heard : read_between(room, WIDTH / 2 + room->lag);
    float sum = 0;
    for (size_t i = 0; i < options->path_count; i++)
        sum += options->gains[i] * room->played[(room->frame - options->delays[i]) & (HISTORY - 1)];
    room->frame++;
    room->lag = fmin(room->lag + options->drift, HISTORY / 2);
    return sum + next_voice(room, heard) + next_noise(room);
}

static void on_process(void *data, struct spa_io_position *position) {
    struct cpw_room *room = data;
    if (!atomic_load_explicit(&room->ready, memory_order_acquire) || position == NULL)
        return;
    uint32_t frames = (uint32_t)position->clock.duration;
    const float *in = pw_filter_get_dsp_buffer(room->in, frames);
    float *out = pw_filter_get_dsp_buffer(room->out, frames);
    for (uint32_t i = 0; out != NULL && i < frames; i++)
        out[i] = step(room, in != NULL ? in[i] : 0);
}

/* ---- Loop's thread */

static void on_state(void *data, enum pw_filter_state old, enum pw_filter_state state, const char *error) {
    (void)old;
    struct cpw_room *room = data;
    if (room->is_quiet || room->connection->failed)
        return;
    if (state == PW_FILTER_STATE_ERROR) {
        room->events.failed(room->user, -EIO, error ? error : spa_strerror(-EIO));
    } else if (state == PW_FILTER_STATE_PAUSED && !room->bound) {
        room->bound = true;
        room->events.bound(room->user, pw_filter_get_node_id(room->filter));
    }
}

static const struct pw_filter_events filter_events = {
    PW_VERSION_FILTER_EVENTS,
    .state_changed = on_state,
    .process = on_process,
};

static void *add_port(struct cpw_room *room, enum pw_direction direction, const char *name) {
    struct pw_properties *properties =
        pw_properties_new(PW_KEY_FORMAT_DSP, "32 bit float mono audio", PW_KEY_PORT_NAME, name, NULL);
    uint8_t storage[1024];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(storage, sizeof(storage));
    const struct spa_latency_info latency =
        SPA_LATENCY_INFO(SPA_DIRECTION_OUTPUT, .min_ns = (uint64_t)room->options.latency,
                         .max_ns = (uint64_t)room->options.latency);
    const struct spa_pod *params[] = {spa_latency_build(&builder, SPA_PARAM_Latency, &latency)};
    uint32_t count = direction == PW_DIRECTION_OUTPUT && room->options.latency > 0 ? 1 : 0;
    return pw_filter_add_port(room->filter, direction, PW_FILTER_PORT_FLAG_MAP_BUFFERS, sizeof(void *), properties,
                              params, count);
}

static int start(struct cpw_room *room, const cpw_property *list, size_t count) {
    struct spa_dict dict = SPA_DICT_INIT((const struct spa_dict_item *)list, (uint32_t)count);
    struct pw_properties *properties = pw_properties_new_dict(&dict);
    if (properties == NULL)
        return -errno;
    /* Without media.class session managers ignore the node. */
    pw_properties_set(properties, PW_KEY_NODE_WANT_DRIVER, "false");
    room->filter = pw_filter_new(room->connection->core, "room", properties);
    if (room->filter == NULL)
        return -errno;
    pw_filter_add_listener(room->filter, &room->listener, &filter_events, room);
    room->in = add_port(room, PW_DIRECTION_INPUT, "in");
    room->out = add_port(room, PW_DIRECTION_OUTPUT, "out");
    if (room->in == NULL || room->out == NULL)
        return -errno;
    atomic_store_explicit(&room->ready, true, memory_order_release);
    return pw_filter_connect(room->filter, PW_FILTER_FLAG_RT_PROCESS, NULL, 0);
}

static bool is_valid(const cpw_room_options *options) {
    if (options->path_count < 1 || options->path_count > CPW_ROOM_MAX_PATHS || !(fabsf(options->drift) < 0.01f))
        return false;
    for (size_t i = 0; i < options->path_count; i++)
        if (options->delays[i] > MAX_DELAY)
            return false;
    return options->voice != NULL || options->voice_count == 0;
}

cpw_room *cpw_room_create(cpw_connection *connection, const cpw_property *properties, size_t count,
                          const cpw_room_options *options, const cpw_own_object_events *events, void *user,
                          int *error) {
    *error = !is_valid(options) ? -EINVAL : connection->failed ? -ENOTCONN : -ENOMEM;
    cpw_room *room = *error == -ENOMEM ? calloc(1, sizeof(*room)) : NULL;
    if (room == NULL)
        return NULL;
    room->connection = connection;
    room->events = *events;
    room->user = user;
    room->options = *options;
    room->is_quiet = true;
    room->lag = options->drift < 0 ? HISTORY / 4 : 0;
    room->voice = calloc(options->voice_count + 1, sizeof(float));
    if (room->voice != NULL && options->voice != NULL)
        memcpy(room->voice, options->voice, options->voice_count * sizeof(float));
    *error = room->voice != NULL ? start(room, properties, count) : -ENOMEM;
    if (*error < 0) {
        cpw_room_destroy(room);
        return NULL;
    }
    room->is_quiet = false;
    return room;
}

uint64_t cpw_room_said(const cpw_room *room) { return atomic_load_explicit(&room->said, memory_order_relaxed); }

void cpw_room_destroy(cpw_room *room) {
    room->is_quiet = true;
    if (room->filter != NULL)
        pw_filter_destroy(room->filter);
    /* PipeWire has waited for the real-time thread. This load makes that visible to the memory
     * model. */
    (void)atomic_load_explicit(&room->said, memory_order_acquire);
    free(room->voice);
    free(room);
}
