/* Canceller: takes out of what a stream records what one sink plays. CPipeWireShim.h has the rules
 * that hold for all. */
#ifndef CPW_PUBLIC_CANCELLER_H
#define CPW_PUBLIC_CANCELLER_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct cpw_canceller cpw_canceller;

/* How much later sound leaves the canceller than it enters, besides what waits for a whole block of
 * 10 ms. Measured with webrtc-audio-processing 0.3 (14.0 ms) and 1.3 (15.0 ms) at 48 kHz. */
#define CPW_CANCELLER_DELAY_NS 15000000

/* Any thread. Whether PipeWire's plugin with the WebRTC canceller can be loaded. Searches it in each
 * call, for a few milliseconds. */
bool cpw_canceller_is_available(void);

/* Any thread. Loads the plugin, and keeps it loaded until the process ends, so that
 * cpw_canceller_create reads nothing from the disk. False where cpw_canceller_is_available is. */
bool cpw_canceller_load(void);

/* Any thread. Whether a canceller can be made for this rate. */
bool cpw_canceller_has_rate(uint32_t rate);

/* Loads the plugin, for one stream that records at this rate. It cancels one channel. -EINVAL: there
 * is none for that rate. -ENOENT: the plugin is not installed, or not where PipeWire looks
 * (SPA_PLUGIN_DIR). Other errors are the plugin's. Any thread. */
cpw_canceller *_Nullable cpw_canceller_create(uint32_t rate, int *error);
/* Any thread. */
cpw_canceller *cpw_canceller_retain(cpw_canceller *canceller);
void cpw_canceller_release(cpw_canceller *canceller);

/* Any thread. How long after it is played the sink's sound is heard, in ns, as PipeWire reports it to a
 * stream that plays; 0 at first. PipeWire does not report it to streams of the sink's monitor. */
void cpw_canceller_set_output_latency(cpw_canceller *canceller, int64_t latency);

typedef struct {
    uint64_t blocks;      /* of 10 ms that were handed over */
    uint64_t referenced;  /* of these, those that had all of the sink's sound */
    uint64_t failures;    /* blocks that the plugin refused, and that were handed over as recorded */
    uint64_t jumps;       /* times that the position of microphone or sink in the graph's time changed */
    uint32_t waiting;     /* the most frames that waited for the rest of their block after a cycle */
    uint32_t delay;       /* frames by which the sink's sound is delayed, because it is heard later */
    bool has_reference;   /* whether the last block had all of the sink's sound */
} cpw_canceller_report;

/* Any thread. Each number is exact; two may be of different cycles. */
void cpw_canceller_get_report(const cpw_canceller *canceller, cpw_canceller_report *report);

#pragma clang assume_nonnull end
#endif
