#ifndef CPW_GAIN_H
#define CPW_GAIN_H

#include <stdint.h>

/* How fast ducking moves: below the 3 dB in 10 ms that are taken for no jump. */
#define CPW_DUCK_DECIBELS_PER_SECOND 290.0f

/* Silence to anybody, and so taken for none at all. */
#define CPW_LEAST_DUCK -96.0f

/* What the samples of a stream are multiplied with: a product of factors, each of which moves to its target in its own
 * way. Used on the real-time thread only, but for the targets that it is given at each cycle.
 *
 * The product is worked out at the end of each stretch of frames and is a straight line in between, so a factor only
 * has to say where it stands after so many frames, and may turn round at any cycle. */
typedef struct {
    float volume; /* the user's: where it stands now. Reaches its target within one cycle. */
    float duck;   /* of other sessions: where it stands now, in decibels. Moves evenly, over as many cycles as it takes. */
} cpw_gain;

/* Multiplies `frames` frames, during which the gain moves towards `target`. */
void cpw_gain_apply(cpw_gain *gain, cpw_gain target, uint32_t rate, float *samples, uint32_t frames,
                    uint32_t channels);

#endif
