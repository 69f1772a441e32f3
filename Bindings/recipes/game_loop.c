/* A program around the recipe for game loops in Docs/Integrating.md: each line of input prints how much was played. */
#include <poll.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* recipe */
#include "audiosession-loader.h"

static as_output *open_sound(as_session *session) {
    as_output *sound = NULL;
    as_output_options options = AS_OUTPUT_OPTIONS_INIT;
    options.role = AS_ROLE_GAME, options.channels = 2;
    options.buffer_duration = 60; /* milliseconds: the longest time from mixing to hearing */
    as_output_create(session, &options, &sound, NULL);
    as_output_start(sound, NULL);
    return sound;
}

static uint32_t play(as_output *sound, const float *mixed, uint32_t frames) { /* once per picture */
    uint32_t written = 0;
    as_output_write_available(sound, mixed, frames, &written, NULL);
    return written; /* the rest is written at the next picture */
}
/* end */

enum { FRAMES = 800 };

int main(void) {
    as_manager *manager = NULL;
    as_session *session = NULL;
    as_configuration game = AS_CONFIGURATION_INIT;
    static float mixed[2 * FRAMES];
    uint32_t done = 0;
    char line[80];
    game.category = AS_CATEGORY_AMBIENT;
    for (int i = 0; i < 2 * FRAMES; i++) mixed[i] = i % 100 < 50 ? 0.1f : -0.1f;
    as_manager_open(NULL, &manager, NULL);
    as_session_create(manager, &game, &session, NULL);
    as_output *sound = open_sound(session);
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("ready");
    for (struct pollfd input = { STDIN_FILENO, POLLIN, 0 };;) {
        done += play(sound, mixed + 2 * done, FRAMES - done);
        if (done == FRAMES) done = 0;
        nanosleep(&(struct timespec){ 0, 16 * 1000 * 1000 }, NULL);
        if (poll(&input, 1, 0) == 0) continue;
        if (!fgets(line, sizeof line, stdin)) break;
        as_output_info info = AS_OUTPUT_INFO_INIT;
        as_output_get_info(sound, &info);
        printf("played %llu frames\n", (unsigned long long)info.position);
    }
    as_output_destroy(sound);
    as_session_destroy(session);
    as_manager_close(manager);
    return 0;
}
