#ifndef CPW_CALLBACK_H
#define CPW_CALLBACK_H

#include "internal.h"

struct cpw_callback {
    cpw_render_function render;   /* null: it receives */
    cpw_receive_function receive; /* null: it renders */
    void *context;
    void (*destroy)(void *context);
    uint32_t channels;
    atomic_uint references;
    atomic_bool timed;

    /* Written by the real-time thread. */
    _Atomic uint64_t frames, late;
};

/* Real-time thread: calls the function. */
void cpw_callback_render(cpw_callback *callback, float *samples, uint32_t frames, uint32_t rate, uint64_t time);
void cpw_callback_receive(cpw_callback *callback, const float *samples, uint32_t frames, uint32_t rate, uint64_t time);

#endif
