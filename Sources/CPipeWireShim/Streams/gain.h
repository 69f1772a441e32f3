#ifndef CPW_GAIN_H
#define CPW_GAIN_H

#include <stdint.h>

/* Speed of a ramp of ducking. It stays below 3 dB in 10 ms, which is not audible as a jump. */
#define CPW_DUCK_DECIBELS_PER_SECOND 290.0f

/* A gain at or below this is silence. */
#define CPW_LEAST_DUCK -96.0f

/* The current gain of a stream: the product of two factors, which approach their targets in
 * different ways. It is computed at the end of each block of frames, and is linear in between, so
 * that a factor can change its direction at any cycle. Real-time thread only. */
typedef struct {
    float volume; /* the user's volume, linear. Reaches its target within one cycle. */
    float duck;   /* the gain of ducking, in decibels. Ramps at a constant speed. */
} cpw_gain;

/* Real-time thread. Multiplies `frames` frames, while the gain approaches `target`. */
void cpw_gain_apply(cpw_gain *gain, cpw_gain target, uint32_t rate, float *samples, uint32_t frames,
                    uint32_t channels);

#endif
