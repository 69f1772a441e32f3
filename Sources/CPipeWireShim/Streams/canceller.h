#ifndef CPW_CANCELLER_H
#define CPW_CANCELLER_H

#include "internal.h"

/* The frames of one cycle of a stream, by the graph's clock. */
struct cpw_cycle {
    uint64_t position, duration; /* in frames of the graph */
    uint32_t rate;               /* of the graph; 0: the graph has no clock */
    int64_t delay_ns;            /* between the device and the stream, as PipeWire reports it */
    uint64_t time;               /* when the first frame was at the microphone */
};

/* What cancels: one block of the canceller's rate / 100 frames. `output` may not be one of the others.
 * Returns a negative errno on failure. */
typedef int (*cpw_cancel_function)(void *context, const float *recorded, const float *played, float *output,
                                   uint32_t frames);
/* Takes what is left; no frames if recording was interrupted. */
typedef void (*cpw_deliver_function)(void *context, const float *samples, uint32_t frames, uint64_t time);

struct cpw_cancelling {
    cpw_cancel_function cancel;
    void *context;
    void (*destroy)(void *context);
    bool needs_delay; /* it does not find an echo that is heard long after it was played */
};

/* canceller.c: a canceller without a plugin. Destroys the context also on failure. */
cpw_canceller *cpw_canceller_new(uint32_t rate, const struct cpw_cancelling *cancelling, int *error);

/* The rate of its stream. */
uint32_t cpw_canceller_rate(const cpw_canceller *canceller);

/* Before the first cycle: who takes what is left. -EBUSY: the canceller has a stream already. */
int cpw_canceller_attach(cpw_canceller *canceller, cpw_deliver_function deliver, void *context);

/* Real-time threads. Each of the two streams gives what it received in a cycle. Blocks that are
 * complete then are delivered, on either thread, but on one at a time. */
void cpw_canceller_record(cpw_canceller *canceller, const float *samples, uint32_t frames,
                          const struct cpw_cycle *cycle);
void cpw_canceller_play(cpw_canceller *canceller, const float *samples, uint32_t frames,
                        const struct cpw_cycle *cycle);
/* Real-time thread of the stream that records: what it recorded before is not delivered. */
void cpw_canceller_interrupt(cpw_canceller *canceller);

#endif
