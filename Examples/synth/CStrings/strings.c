#include "plucked_strings.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

/* A above middle C is the tenth of the strings that begin there. */
#define LOWEST_HERTZ 261.625565f
#define PARTIALS 4
/* Thirteen strings at once stay below full scale. */
#define LOUDNESS 0.07f
#define SECONDS_TO_HALF 0.3f

struct string {
    atomic_uint strikes; /* any thread */

    /* Real-time thread only. */
    unsigned heard; /* of the strikes */
    float phase;    /* in periods of the lowest partial */
    float level;
};

struct strings {
    struct string strings[STRING_COUNT];
};

void *strings_make(void) { return calloc(1, sizeof(struct strings)); }

void strings_destroy(void *strings) { free(strings); }

void strings_strike(void *strings, int string) {
    if (string >= 0 && string < STRING_COUNT)
        atomic_fetch_add_explicit(&((struct strings *)strings)->strings[string].strikes, 1, memory_order_relaxed);
}

static float sample_of(struct string *string, float step, float decay) {
    float sample = 0;
    for (int partial = 1; partial <= PARTIALS; partial++)
        sample += sinf(2 * (float)M_PI * string->phase * (float)partial) / (float)(partial * partial);
    sample *= string->level * LOUDNESS;
    string->phase += step;
    string->phase -= floorf(string->phase);
    string->level *= decay;
    return sample;
}

/* Real-time thread: no locks, no allocation, no system calls. The samples are 0 at the call. */
void strings_render(void *context, float *samples, uint32_t frames, uint32_t channels, uint32_t rate, uint64_t time) {
    struct strings *strings = context;
    float decay = powf(0.5f, 1 / (SECONDS_TO_HALF * (float)rate));
    (void)time;
    for (int i = 0; i < STRING_COUNT; i++) {
        struct string *string = &strings->strings[i];
        unsigned strikes = atomic_load_explicit(&string->strikes, memory_order_relaxed);
        if (strikes != string->heard)
            string->level = 1;
        string->heard = strikes;
        if (string->level < 0.0001f)
            continue;
        float step = LOWEST_HERTZ * powf(2, (float)i / 12) / (float)rate;
        for (uint32_t frame = 0; frame < frames; frame++) {
            float sample = sample_of(string, step, decay);
            for (uint32_t channel = 0; channel < channels; channel++)
                samples[frame * channels + channel] += sample;
        }
    }
}
