#include "Streams/gain.h"

#include <math.h>

/* Frames between two computations of the gain. */
#define BLOCK 64u

/* The volume `done` frames into a cycle of `frames`. */
static float volume_at(float from, float to, uint32_t done, uint32_t frames) {
    return done >= frames ? to : from + (to - from) * ((float)done / (float)frames);
}

static float duck_after(float from, float to, uint32_t frames, uint32_t rate) {
    float most = CPW_DUCK_DECIBELS_PER_SECOND * (float)frames / (float)rate;
    if (to < from)
        return to < from - most ? from - most : to;
    return to > from + most ? from + most : to;
}

static float linear(float decibels) {
    if (decibels <= CPW_LEAST_DUCK)
        return 0.0f;
    return decibels == 0.0f ? 1.0f : powf(10.0f, decibels / 20.0f);
}

static void multiply(float *samples, uint32_t frames, uint32_t channels, float from, float to) {
    if (from == 1.0f && to == 1.0f)
        return;
    float step = (to - from) / (float)frames;
    for (uint32_t i = 0; i < frames; i++) {
        float factor = from + step * (float)i;
        for (uint32_t c = 0; c < channels; c++)
            *samples++ *= factor;
    }
}

void cpw_gain_apply(cpw_gain *gain, cpw_gain target, uint32_t rate, float *samples, uint32_t frames,
                    uint32_t channels) {
    float level = gain->volume * linear(gain->duck);
    for (uint32_t done = 0; done < frames;) {
        uint32_t block = frames - done < BLOCK ? frames - done : BLOCK;
        gain->duck = duck_after(gain->duck, target.duck, block, rate);
        float next = volume_at(gain->volume, target.volume, done + block, frames) * linear(gain->duck);
        multiply(samples + (uint64_t)done * channels, block, channels, level, next);
        level = next;
        done += block;
    }
    gain->volume = target.volume;
}
