#ifndef CPW_RING_H
#define CPW_RING_H

#include "internal.h"

struct cpw_ring {
    float *samples;
    uint32_t channels;
    uint32_t capacity; /* in frames */
    atomic_uint references;

    /* The writer's fields, described in ring.c. They and the reader's have cache lines of their
     * own. */
    _Alignas(64) _Atomic uint64_t written;
    _Atomic uint64_t flushed;
    atomic_bool ended;
    uint64_t released;

    _Alignas(64) _Atomic uint64_t read;
    atomic_bool reading;
    _Atomic uint64_t underruns, missing;
    bool is_dry; /* the last read found too few frames, which was counted */
};

#endif
