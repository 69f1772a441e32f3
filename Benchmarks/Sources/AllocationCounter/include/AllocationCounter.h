#pragma once

#include <stdint.h>

/* To be preloaded: how often each thread of a process has asked for memory, counted into the file that ALLOCATION_COUNTS
 * names. The C library's functions do the work. */
typedef struct {
    int64_t thread; /* 0: none yet */
    uint64_t count;
} allocation_slot;

/* Threads beyond are not counted. */
#define ALLOCATION_SLOTS 64
