/* peer-stream: renders a tone in the process callback of a pw_stream, as a program without this
 * library does. After each line that it reads it clicks, and prints `clicked NANOSECONDS`. */
#include <RenderedTone.h>
#include <peer.h>
#include <pipewire/pipewire.h>
#include <spa/param/audio/format-utils.h>
#include <stdio.h>
#include <string.h>

#define CHANNELS 2
#define RATE 48000

static struct pw_stream *stream;
static bool is_ready;

static void state_changed(void *data, enum pw_stream_state old, enum pw_stream_state state, const char *error) {
    (void)data, (void)old, (void)error;
    if (state != PW_STREAM_STATE_STREAMING || is_ready)
        return;
    is_ready = true;
    peer_ready();
}

/* On the real-time thread. */
static void process(void *data) {
    (void)data;
    struct pw_buffer *buffer = pw_stream_dequeue_buffer(stream);
    if (buffer == NULL)
        return;
    struct spa_data *plane = &buffer->buffer->datas[0];
    uint32_t stride = CHANNELS * sizeof(float), frames = plane->maxsize / stride;
    if (buffer->requested > 0 && buffer->requested < frames)
        frames = (uint32_t)buffer->requested;
    memset(plane->data, 0, frames * stride);
    rendered_tone(NULL, plane->data, frames, CHANNELS, RATE, 0);
    *plane->chunk = (struct spa_chunk){.size = frames * stride, .stride = (int32_t)stride};
    pw_stream_queue_buffer(stream, buffer);
}

static const struct pw_stream_events events = {
    PW_VERSION_STREAM_EVENTS,
    .state_changed = state_changed,
    .process = process,
};

int main(void) {
    pw_init(NULL, NULL);
    struct pw_thread_loop *loop = pw_thread_loop_new("peer-stream", NULL);
    struct pw_context *context = pw_context_new(pw_thread_loop_get_loop(loop), NULL, 0);
    struct pw_core *core = pw_context_connect(context, NULL, 0);
    if (core == NULL) {
        peer_print("unavailable no PipeWire\n");
        return 1;
    }
    stream = pw_stream_new(core, "peer-stream",
                           pw_properties_new(PW_KEY_MEDIA_TYPE, "Audio", PW_KEY_MEDIA_CATEGORY, "Playback", NULL));
    struct spa_hook listener;
    pw_stream_add_listener(stream, &listener, &events, NULL);
    uint8_t space[512];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(space, sizeof(space));
    const struct spa_pod *format = spa_format_audio_raw_build(
        &builder, SPA_PARAM_EnumFormat,
        &SPA_AUDIO_INFO_RAW_INIT(.format = SPA_AUDIO_FORMAT_F32, .channels = CHANNELS, .rate = RATE));
    pw_stream_connect(stream, PW_DIRECTION_OUTPUT, PW_ID_ANY,
                      PW_STREAM_FLAG_AUTOCONNECT | PW_STREAM_FLAG_MAP_BUFFERS | PW_STREAM_FLAG_RT_PROCESS, &format, 1);
    pw_thread_loop_start(loop);
    char line[64];
    while (fgets(line, sizeof(line), stdin) != NULL)
        peer_print("clicked %llu\n", (unsigned long long)rendered_tone_click());
    pw_thread_loop_stop(loop);
    pw_stream_destroy(stream);
    pw_context_destroy(context);
    pw_thread_loop_destroy(loop);
    return 0;
}
