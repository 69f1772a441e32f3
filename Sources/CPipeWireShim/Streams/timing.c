#include "internal.h"

/* No cycle is longer. A larger duration is invalid. */
#define MAX_QUANTUM 8192u

void cpw_timing_update(struct cpw_timing *timing, const struct pw_time *time, const struct spa_io_position *position,
                       uint32_t frames, uint32_t stream_rate) {
    if (time->rate.num == 0 || time->rate.denom == 0)
        return;
    uint64_t quantum = position != NULL ? position->clock.duration : 0;
    if (quantum == 0 || quantum > MAX_QUANTUM)
        quantum = (uint64_t)frames * time->rate.denom / time->rate.num / stream_rate;
    /* The values may come from other programs, so each operation is checked for overflow. */
    int64_t delay, buffered = (int64_t)(time->buffered * SPA_NSEC_PER_SEC / stream_rate);
    if (__builtin_mul_overflow(time->delay, SPA_NSEC_PER_SEC, &delay) ||
        __builtin_mul_overflow(delay / time->rate.denom, time->rate.num, &delay) ||
        __builtin_add_overflow(delay, buffered, &delay))
        delay = 0;
    atomic_store_explicit(&timing->quantum, (uint32_t)quantum, memory_order_relaxed);
    atomic_store_explicit(&timing->rate, time->rate.denom / time->rate.num, memory_order_relaxed);
    atomic_store_explicit(&timing->delay_ns, delay, memory_order_relaxed);
}
