/* Tone: a source of our own, for tests and demonstrations. CPipeWireShim.h has the rules that hold for all. */
#ifndef CPW_PUBLIC_TONE_H
#define CPW_PUBLIC_TONE_H

#include "cpw_export.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* A source whose sound this process makes: a sine of 440 Hz at full scale, the same on all channels. Some other node drives
 * it, so it goes on after cycles that were never finished; the daemon's own test source (audiotestsrc) does not: it has two
 * buffers, loses one in each such cycle, and falls silent for good. */
typedef struct cpw_tone cpw_tone;

/* Makes the source, with the speakers of cards for 1 to 8 channels. `properties` say what it is to others: node.name,
 * media.class ("Audio/Source") … -EINVAL: no such number of channels. -ENOTCONN: the connection is dead. When that
 * fails later the source is gone, without a call of `removed`. */
cpw_tone *_Nullable cpw_tone_create(cpw_connection *connection, const cpw_property *_Nullable properties, size_t count,
                                    uint32_t channels, const cpw_node_events *events, void *user, int *error);

/* Sets the volume (linear, of all channels) and mute of the source's own mixer. -ENOTCONN: the source is gone. */
int cpw_tone_set_volume(cpw_tone *tone, float volume, bool mute);

/* Not from within a callback of the same source; before the connection is destroyed. */
void cpw_tone_destroy(cpw_tone *tone);

#pragma clang assume_nonnull end
#endif
