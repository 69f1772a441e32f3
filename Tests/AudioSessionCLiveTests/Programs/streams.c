/* Plays by a callback and by a ring, and captures, as the lines of its input say. */
#include <audiosession.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the callback renders, how often it was called, and whether it allocates, which it should not. */
struct tone {
    float sample;
    atomic_uint calls;
    atomic_bool allocates;
    void *_Atomic memory;
};

static void render(void *context, float *samples, uint32_t frames, uint32_t channels, uint32_t rate, uint64_t time) {
    struct tone *tone = context;
    for (uint32_t i = 0; i < frames * channels; i++) samples[i] = tone->sample;
    atomic_fetch_add(&tone->calls, rate > 0 && time > 0);
    if (atomic_load(&tone->allocates)) free(atomic_exchange(&tone->memory, malloc(16)));
}

static as_session *session;

/* All of these wait, and must leave the session as it is. */
static void destroy(void *context) {
    as_status statuses[] = {as_session_set_pauses_on_route_loss(session, true, NULL),
                            as_session_set_handler(session, NULL, NULL), as_session_destroy(session)};
    bool is_refused = true;
    for (int i = 0; i < 3; i++) is_refused = is_refused && statuses[i] == AS_ERROR_WRONG_THREAD;
    printf("destroyed after %s, functions that wait: %s\n",
           atomic_load(&((struct tone *)context)->calls) > 0 ? "calls" : "no call",
           is_refused ? "refused" : "not refused");
    free(context);
}

static void on_event(as_output *output, const as_stream_event *event, void *user_data) {
    static const char *const states[] = { "stopped", "running", "paused" };
    (void)output, (void)user_data;
    if (event->type == AS_STREAM_EVENT_STATE_CHANGED)
        printf("%s %d\n", states[event->state], (int)event->pause_reason);
    if (event->type == AS_STREAM_EVENT_BECAME_NOISY) printf("lost %s\n", event->port->name);
}

static as_status play(as_output *output, as_error *error) {
    static float samples[2 * 24000];
    uint32_t written = 0;
    as_status status = as_output_write(output, samples, 24000, 5000, &written, error);
    if (status == AS_OK) status = as_output_drain(output, 5000, error);
    as_output_info info = AS_OUTPUT_INFO_INIT;
    as_output_get_info(output, &info);
    printf("wrote %u missing %u\n", written, (unsigned)info.missing_frames);
    return status;
}

static as_status capture(as_error *error) {
    static float samples[4800];
    as_input_options options = AS_INPUT_OPTIONS_INIT;
    as_input *input = NULL;
    uint32_t count = 0;
    options.sample_rate = 48000, options.channels = 1;
    as_status status = as_input_create(session, &options, &input, error);
    if (status == AS_OK) status = as_input_start(input, error);
    if (status == AS_OK) status = as_input_read(input, samples, 4800, 5000, &count, error);
    printf("captured %u\n", count);
    as_input_destroy(input);
    return status;
}

/* Captures until the echo is taken out, for at most ten seconds. */
static as_status cancel(as_error *error) {
    static float samples[4800];
    as_input_options options = AS_INPUT_OPTIONS_INIT;
    as_stream_statistics statistics = AS_STREAM_STATISTICS_INIT;
    as_input *input = NULL;
    bool is_available = false;
    uint32_t count = 0;
    options.prefers_echo_cancelled_input = true;
    as_status status = as_input_get_echo_canceller_available(&is_available);
    if (status == AS_OK) status = as_input_create(session, &options, &input, error);
    if (status == AS_OK) status = as_input_start(input, error);
    for (int read = 0; status == AS_OK && read < 100 && !statistics.is_echo_cancelled; read++) {
        status = as_input_read(input, samples, 4800, 5000, &count, error);
        if (status == AS_OK) status = as_input_get_statistics(input, &statistics, error);
    }
    printf("canceller %savailable, echo %scancelled\n", is_available ? "" : "not ",
           statistics.is_echo_cancelled ? "" : "not ");
    as_input_destroy(input);
    return status;
}

int main(void) {
    as_manager *manager = NULL;
    as_output *callback = NULL, *ring = NULL;
    as_output_options options = AS_OUTPUT_OPTIONS_INIT;
    as_configuration configuration = AS_CONFIGURATION_INIT;
    as_error error = AS_ERROR_INIT;
    struct tone *tone = calloc(1, sizeof *tone);
    char line[80];
    setvbuf(stdout, NULL, _IOLBF, 0);
    configuration.category = AS_CATEGORY_PLAY_AND_RECORD;
    options.sample_rate = 48000, options.channels = 2;
    options.buffer_duration = 1000; /* a write fits into the ring, however late this thread runs */
    if (!tone) return 1;
    tone->sample = 0.25f;
    if (as_manager_open(NULL, &manager, &error) != AS_OK ||
        as_session_create(manager, &configuration, &session, &error) != AS_OK ||
        as_output_create(session, &options, &ring, &error) != AS_OK ||
        as_output_create_with_callback(session, &options, render, tone, destroy, &callback, &error) != AS_OK ||
        as_output_set_handler(callback, on_event, NULL) != AS_OK) {
        printf("%s\n", error.message);
        return 1;
    }
    puts("ready");
    while (fgets(line, sizeof line, stdin)) {
        as_status status = AS_ERROR_BAD_PARAM;
        line[strcspn(line, "\n")] = '\0';
        if (strcmp(line, "render") == 0) status = as_output_start(callback, &error);
        if (strcmp(line, "allocate") == 0) {
            atomic_store(&tone->allocates, true);
            status = AS_OK;
        }
        if (strcmp(line, "silence") == 0) status = as_output_stop(callback, &error);
        if (strcmp(line, "destroy") == 0) status = as_output_destroy(callback);
        if (strcmp(line, "start") == 0) status = as_output_start(ring, &error);
        if (strcmp(line, "write") == 0) status = play(ring, &error);
        if (strcmp(line, "capture") == 0) status = capture(&error);
        if (strcmp(line, "cancel") == 0) status = cancel(&error);
        printf("%s: %s\n", line, as_status_name(status));
    }
    as_output_destroy(ring);
    bool is_whole = as_session_destroy(session) == AS_OK;
    as_manager_close(manager);
    return is_whole ? 0 : 1;
}
