/* Tap: measures what is played to one sink, for tests and demonstrations. CPipeWireShim.h has the
 * rules that hold for all. */
#ifndef CPW_PUBLIC_TAP_H
#define CPW_PUBLIC_TAP_H

#include "cpw_connection.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* Receives what is played to one sink, before the sink's own volume. It is a filter, which links
 * itself to the sink's monitor ports. No session manager is needed for that, moves it, or takes it
 * for a recording. While no sink of its name exists it receives nothing. */
typedef struct cpw_tap cpw_tap;

/* Everything since the last reset. A frame is loud if one of its samples exceeds the threshold.
 *
 * Times are CLOCK_MONOTONIC ns, 0: never. The time of a frame is when it is played, exact to the
 * sample: the start of the cycle in which the sink received it, by the graph's clock, plus its
 * position in that cycle. If the sink drives the graph, the frame counts one cycle later than it is
 * played. Without a clock of the driver a cycle starts with the process callback. */
typedef struct {
    uint64_t cycles;          /* in which at least one channel of the sink was received */
    uint64_t frames;          /* received, loud or not */
    uint64_t loud_frames;
    uint64_t gap_frames;      /* silent frames between loud ones */
    uint64_t first_loud_time;
    uint64_t last_loud_time;
    float peak; /* the highest amplitude of a sample; full scale is 1 */
} cpw_tap_report;

typedef struct {
    /* The tap was linked to the sink with this global id, or to none (UINT32_MAX), because the sink
     * was removed. Sound is received from the next cycle that the report counts. */
    void (*attached)(void *user, uint32_t sink);
    /* The tap receives nothing, or not all channels. */
    void (*failed)(void *user, int32_t error, const char *message);
} cpw_tap_events;

/* Creates a tap for up to 8 channels of the sinks with this node.name, one after the other. */
cpw_tap *_Nullable cpw_tap_create(cpw_connection *connection, const char *sink, float threshold,
                                  const cpw_tap_events *events, void *user, int *error);
/* Any thread, while the tap exists. All numbers are of one moment between two cycles. */
void cpw_tap_get_report(const cpw_tap *tap, cpw_tap_report *report);
/* Any thread, while the tap exists. Resets the report: frames received before do not count. */
void cpw_tap_reset(cpw_tap *tap);
/* Must be called before the connection is destroyed, and not within a callback of the same tap. */
void cpw_tap_destroy(cpw_tap *tap);

#pragma clang assume_nonnull end
#endif
