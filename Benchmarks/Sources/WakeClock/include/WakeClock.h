#pragma once

#include <stdint.h>

/* A preloaded library that records the sleeps of a process's threads in poll() or epoll_wait()
 * until an event. */
typedef struct {
    uint64_t from, to; /* CLOCK_MONOTONIC, nanoseconds */
} wake_clock_sleep;

/* The last sleeps that an event ended, in order, up to a maximum. Returns their number. */
int wake_clock_sleeps(wake_clock_sleep *sleeps, int count);
