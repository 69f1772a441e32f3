#ifndef CPW_RING_H
#define CPW_RING_H

#include "internal.h"

struct cpw_ring {
    float *samples;
    uint32_t channels;
    uint32_t capacity; /* in frames */
    atomic_uint references;

    /* The writer's; ring.c says what they mean. On a cache line of their own, as are the reader's. */
    _Alignas(64) _Atomic uint64_t written;
    _Atomic uint64_t flushed;
    atomic_bool ended;
    uint64_t released;

    _Alignas(64) _Atomic uint64_t read;
    atomic_bool reading;
    _Atomic uint64_t underruns;
    bool dry; /* the last turn of the reader found too little, and that was counted */
};

#endif
