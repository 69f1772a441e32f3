#pragma once

#include <stdint.h>

/* Renders the same quiet tone in each program, on its real-time thread, and clicks on request. */
void rendered_tone(void *_Nullable context, float *_Nonnull samples, uint32_t frames, uint32_t channels, uint32_t rate,
                   uint64_t time);

/* Requests a click, and returns the time of the callback that rendered it: CLOCK_MONOTONIC, 0 if there
 * was no callback for a second. */
uint64_t rendered_tone_click(void);
