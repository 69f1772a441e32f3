/* Room: the way from a loudspeaker to a microphone, for tests. CPipeWireShim.h has the rules that
 * hold for all. */
#ifndef CPW_PUBLIC_ROOM_H
#define CPW_PUBLIC_ROOM_H

#include "cpw_export.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

#define CPW_ROOM_MAX_PATHS 64

/* What the room does with sound. Rates are those of the graph. */
typedef struct {
    size_t path_count;                   /* 1 to CPW_ROOM_MAX_PATHS */
    uint32_t delays[CPW_ROOM_MAX_PATHS]; /* frames, at most 60000 */
    float gains[CPW_ROOM_MAX_PATHS];
    float noise;                         /* amplitude of the noise that is always there */
    int64_t latency;                     /* that the node reports, in ns */
    float drift;                         /* how much faster the microphone's clock runs; 0.0001 is 100 ppm */
    const float *_Nullable voice;        /* what is said in the room; copied */
    size_t voice_count;
    float threshold;                     /* the voice starts with the first louder sample of the loudspeaker */
} cpw_room_options;

/* A node with the ports "in" and "out": the sound of "in" leaves "out" by all paths, with noise and the
 * voice. It is the same in each run. No session manager links it. */
typedef struct cpw_room cpw_room;

/* `properties` are the node's: node.name … -EINVAL: an option is out of range. -ENOTCONN: the
 * connection has ended. */
cpw_room *_Nullable cpw_room_create(cpw_connection *connection, const cpw_property *_Nullable properties, size_t count,
                                    const cpw_room_options *options, const cpw_own_object_events *events, void *user,
                                    int *error);
/* Any thread, while the room exists: how many frames of the voice were said. */
uint64_t cpw_room_said(const cpw_room *room);
/* Must be called before the connection is destroyed, and not within a callback of the same room. */
void cpw_room_destroy(cpw_room *room);

#pragma clang assume_nonnull end
#endif
