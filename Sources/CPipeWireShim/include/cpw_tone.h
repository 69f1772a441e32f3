/* Tone: a source of this process, for tests and demonstrations. CPipeWireShim.h has the rules that
 * hold for all. */
#ifndef CPW_PUBLIC_TONE_H
#define CPW_PUBLIC_TONE_H

#include "cpw_export.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* A source that this process renders: a sine of 440 Hz at full scale, the same on all channels.
 * Another node drives it, so it survives cycles that were not finished. The daemon's own test
 * source (audiotestsrc) loses one of its two buffers in each such cycle, and then stays silent. */
typedef struct cpw_tone cpw_tone;

/* Creates the source, with the channel positions of cards for 1 to 8 channels. `properties` are its
 * node's: node.name, media.class ("Audio/Source") … -EINVAL: `channels` is out of range. -ENOTCONN:
 * the connection has ended. If it ends later, the source is removed without a call of `removed`. */
cpw_tone *_Nullable cpw_tone_create(cpw_connection *connection, const cpw_property *_Nullable properties, size_t count,
                                    uint32_t channels, const cpw_own_object_events *events, void *user, int *error);

/* Sets the volume (linear, of all channels) and mute of the source's own mixer. -ENOTCONN: the
 * source was removed. */
int cpw_tone_set_volume(cpw_tone *tone, float volume, bool mute);

/* Must be called before the connection is destroyed, and not within a callback of the same source. */
void cpw_tone_destroy(cpw_tone *tone);

#pragma clang assume_nonnull end
#endif
