#pragma once

#include <stdint.h>

/* A preloaded library that counts the allocations of each thread of a process into the file that
 * ALLOCATION_COUNTS names. It calls the C library's functions. */
typedef struct {
    int64_t thread; /* 0: none yet */
    uint64_t count;
} allocation_slot;

/* Threads beyond are not counted. */
#define ALLOCATION_SLOTS 64
