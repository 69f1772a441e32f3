#include "internal.h"

/* No cycle is longer. A larger step of the clock is a jump, as after a pause. */
#define MAX_QUANTUM 8192u

void cpw_timing_update(struct cpw_timing *timing, const struct pw_time *time, uint32_t frames, uint32_t stream_rate) {
    if (time->rate.num == 0 || time->rate.denom == 0)
        return;
    /* The step of the clock is the quantum, except in the first cycle and when the clock jumps. */
    uint64_t step = time->ticks - timing->ticks;
    if (step == 0 || step > MAX_QUANTUM)
        step = (uint64_t)frames * time->rate.denom / time->rate.num / stream_rate;
    timing->ticks = time->ticks;
    /* The values may come from other programs, so each operation is checked for overflow. */
    int64_t delay, buffered = (int64_t)(time->buffered * SPA_NSEC_PER_SEC / stream_rate);
    if (__builtin_mul_overflow(time->delay, SPA_NSEC_PER_SEC, &delay) ||
        __builtin_mul_overflow(delay / time->rate.denom, time->rate.num, &delay) ||
        __builtin_add_overflow(delay, buffered, &delay))
        delay = 0;
    atomic_store_explicit(&timing->quantum, (uint32_t)step, memory_order_relaxed);
    atomic_store_explicit(&timing->rate, time->rate.denom / time->rate.num, memory_order_relaxed);
    atomic_store_explicit(&timing->delay_ns, delay, memory_order_relaxed);
}
