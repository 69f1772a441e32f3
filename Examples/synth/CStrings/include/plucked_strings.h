/* Thirteen plucked strings, rendered on the real-time thread.
 *
 * `strings_strike` may be called on any thread; it and `strings_render` share one atomic counter per string, so neither
 * waits for the other. The parameters of `strings_render` are those of AudioOutput.RenderCallback, `_Nonnull` included:
 * without it Swift takes a pointer for one that may be null, which is another type. */
#ifndef EXAMPLE_PLUCKED_STRINGS_H
#define EXAMPLE_PLUCKED_STRINGS_H

#include <stdint.h>

#define STRING_COUNT 13

/* Null without enough memory. */
void *_Nullable strings_make(void);

/* For AudioOutput's `destroyContext`. */
void strings_destroy(void *_Nullable strings);

/* 0 is the lowest string; other numbers than those of strings are ignored. */
void strings_strike(void *_Nonnull strings, int string);

void strings_render(void *_Nullable strings, float *_Nonnull samples, uint32_t frames, uint32_t channels,
                    uint32_t rate, uint64_t time);

#endif
