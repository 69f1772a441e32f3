#pragma once

#include <stdint.h>

/* To be preloaded: when the threads of a process have slept in poll() or epoll_wait(), and what for came. */
typedef struct {
    uint64_t from, to; /* CLOCK_MONOTONIC, nanoseconds */
} wake_clock_sleep;

/* The last ones that something ended, in their order: at most so many. Returns how many. */
int wake_clock_sleeps(wake_clock_sleep *sleeps, int count);
