#ifndef CPW_GAIN_H
#define CPW_GAIN_H

#include <stdint.h>

/* What the samples of a stream are multiplied with: a product of factors, each of which moves to its target in its own
 * way. Used on the real-time thread only, but for the targets that it is given at each cycle.
 *
 * The product is worked out at the end of each stretch of frames and is a straight line in between, so a factor only
 * has to say where it stands after so many frames, and may turn round at any cycle. */
typedef struct {
    float volume; /* the user's: where it stands now. Reaches its target within one cycle. */
} cpw_gain;

/* Multiplies `frames` frames, during which the volume moves to `volume`. */
void cpw_gain_apply(cpw_gain *gain, float volume, float *samples, uint32_t frames, uint32_t channels);

#endif
