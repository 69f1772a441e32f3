/* Tap: listening to a sink, for tests and demonstrations. CPipeWireShim.h has the rules that hold for all. */
#ifndef CPW_PUBLIC_TAP_H
#define CPW_PUBLIC_TAP_H

#include "cpw_connection.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* Hears what is played to one sink, before the sink's own volume. It is no stream but a filter with links that it
 * makes itself, between the sink's monitor ports and its own: no session manager moves it, counts it as a recording,
 * or has to run. While no sink of that name exists it is deaf; another one it never hears. */
typedef struct cpw_tap cpw_tap;

/* All since the last reset. A frame is loud if a sample of it is above the threshold. Times are CLOCK_MONOTONIC ns,
 * 0: never; a frame's is when it is played: the start of the cycle in which the sink was given it, by the graph's clock,
 * plus its place in that cycle, so exact to the sample. The cycle is the one in which it is counted, or the one before
 * where the sink itself drives the graph; so the time may be up to a cycle ahead. Only where the graph's driver has no
 * clock does the cycle start when the process callback runs. */
typedef struct {
    uint64_t cycles;          /* in which at least one channel of the sink was heard */
    uint64_t frames;          /* heard, loud or not */
    uint64_t loud_frames;
    uint64_t first_loud_time;
    uint64_t last_loud_time;
    float peak; /* the highest amplitude of a sample; full scale is 1 */
} cpw_tap_report;

typedef struct {
    /* The tap is linked to the sink with this global id, or to nothing (UINT32_MAX): the sink is gone. Sound is heard
     * from the next cycle on that counts as one in the report. */
    void (*attached)(void *user, uint32_t sink);
    /* The tap hears nothing, or not all channels. It may not be destroyed from within. */
    void (*failed)(void *user, int32_t error, const char *message);
} cpw_tap_events;

/* Listens to the sink with this node.name, up to 8 of its channels, as soon and as often as there is one. */
cpw_tap *_Nullable cpw_tap_create(cpw_connection *connection, const char *sink, float threshold,
                                  const cpw_tap_events *events, void *user, int *error);
/* Any thread; from one moment, never from half of a cycle. */
void cpw_tap_get_report(const cpw_tap *tap, cpw_tap_report *report);
/* Any thread. Begins counting anew: of frames that were heard before the call nothing is reported any more. */
void cpw_tap_reset(cpw_tap *tap);
void cpw_tap_destroy(cpw_tap *tap);

#pragma clang assume_nonnull end
#endif
