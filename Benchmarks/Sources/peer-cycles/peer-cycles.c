/* peer-cycles: a player that counts the cycles of the graph in which it was too late.
 *
 * It plays silence to the default sink. After each line that it reads it prints `cycles SEEN
 * MISSED`: a cycle was missed if the graph's clock went on by more than the last cycle's duration
 * until the next call. */
#include <peer.h>
#include <pipewire/pipewire.h>
#include <spa/node/io.h>
#include <spa/param/audio/format-utils.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static struct {
    struct pw_stream *stream;
    struct spa_io_position *position;
    uint64_t expected;
    _Atomic uint64_t seen, missed;
    bool is_ready;
} player;

static void io_changed(void *data, uint32_t id, void *area, uint32_t size) {
    (void)data, (void)size;
    if (id == SPA_IO_Position)
        player.position = area;
}

static void state_changed(void *data, enum pw_stream_state old, enum pw_stream_state state, const char *error) {
    (void)data, (void)old, (void)error;
    if (state != PW_STREAM_STATE_STREAMING || player.is_ready)
        return;
    player.is_ready = true;
    peer_ready();
}

/* On the real-time thread. */
static void process(void *data) {
    (void)data;
    struct pw_buffer *buffer = pw_stream_dequeue_buffer(player.stream);
    if (buffer != NULL) {
        struct spa_data *plane = &buffer->buffer->datas[0];
        uint32_t frames = plane->maxsize / sizeof(float);
        if (player.position != NULL && player.position->clock.duration < frames)
            frames = (uint32_t)player.position->clock.duration;
        memset(plane->data, 0, frames * sizeof(float));
        *plane->chunk = (struct spa_chunk){.size = frames * sizeof(float), .stride = sizeof(float)};
        pw_stream_queue_buffer(player.stream, buffer);
    }
    if (player.position == NULL || player.position->clock.duration == 0)
        return;
    const struct spa_io_clock *clock = &player.position->clock;
    if (player.expected != 0 && clock->position > player.expected)
        atomic_fetch_add(&player.missed, (clock->position - player.expected) / clock->duration);
    atomic_fetch_add(&player.seen, 1);
    player.expected = clock->position + clock->duration;
}

static const struct pw_stream_events events = {
    PW_VERSION_STREAM_EVENTS,
    .state_changed = state_changed,
    .io_changed = io_changed,
    .process = process,
};

int main(void) {
    pw_init(NULL, NULL);
    struct pw_thread_loop *loop = pw_thread_loop_new("peer-cycles", NULL);
    struct pw_context *context = pw_context_new(pw_thread_loop_get_loop(loop), NULL, 0);
    struct pw_core *core = pw_context_connect(context, NULL, 0);
    if (core == NULL) {
        peer_print("unavailable no PipeWire\n");
        return 1;
    }
    player.stream = pw_stream_new(core, "peer-cycles",
                                  pw_properties_new(PW_KEY_MEDIA_TYPE, "Audio", PW_KEY_MEDIA_CATEGORY, "Playback",
                                                    PW_KEY_NODE_LATENCY, "64/48000", NULL));
    struct spa_hook listener;
    pw_stream_add_listener(player.stream, &listener, &events, NULL);
    uint8_t space[512];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(space, sizeof(space));
    const struct spa_pod *format = spa_format_audio_raw_build(
        &builder, SPA_PARAM_EnumFormat,
        &SPA_AUDIO_INFO_RAW_INIT(.format = SPA_AUDIO_FORMAT_F32P, .channels = 1, .rate = 48000));
    pw_stream_connect(player.stream, PW_DIRECTION_OUTPUT, PW_ID_ANY,
                      PW_STREAM_FLAG_AUTOCONNECT | PW_STREAM_FLAG_MAP_BUFFERS | PW_STREAM_FLAG_RT_PROCESS, &format, 1);
    pw_thread_loop_start(loop);
    char line[64];
    while (fgets(line, sizeof(line), stdin) != NULL)
        peer_print("cycles %llu %llu\n", (unsigned long long)atomic_load(&player.seen),
                   (unsigned long long)atomic_load(&player.missed));
    pw_thread_loop_stop(loop);
    pw_stream_destroy(player.stream);
    pw_context_destroy(context);
    pw_thread_loop_destroy(loop);
    return 0;
}
