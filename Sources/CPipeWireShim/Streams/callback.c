#include "Streams/callback.h"

static cpw_callback *create(uint32_t channels, cpw_render_function render, cpw_receive_function receive,
                            void *context, void (*destroy)(void *context)) {
    cpw_callback *callback = channels > 0 && channels <= CPW_MAX_CHANNELS ? calloc(1, sizeof(*callback)) : NULL;
    if (callback == NULL) {
        if (destroy != NULL)
            destroy(context);
        return NULL;
    }
    callback->render = render;
    callback->receive = receive;
    callback->context = context;
    callback->destroy = destroy;
    callback->channels = channels;
    atomic_init(&callback->references, 1);
    return callback;
}

cpw_callback *cpw_callback_create_render(uint32_t channels, cpw_render_function function, void *context,
                                         void (*destroy)(void *context)) {
    return create(channels, function, NULL, context, destroy);
}

cpw_callback *cpw_callback_create_receive(uint32_t channels, cpw_receive_function function, void *context,
                                          void (*destroy)(void *context)) {
    return create(channels, NULL, function, context, destroy);
}

cpw_callback *cpw_callback_retain(cpw_callback *callback) {
    atomic_fetch_add_explicit(&callback->references, 1, memory_order_relaxed);
    return callback;
}

void cpw_callback_release(cpw_callback *callback) {
    if (atomic_fetch_sub_explicit(&callback->references, 1, memory_order_acq_rel) != 1)
        return;
    if (callback->destroy != NULL)
        callback->destroy(callback->context);
    free(callback);
}

void cpw_callback_set_timed(cpw_callback *callback, bool timed) {
    atomic_store_explicit(&callback->timed, timed, memory_order_relaxed);
}

uint64_t cpw_callback_frames(const cpw_callback *callback) {
    return atomic_load_explicit(&callback->frames, memory_order_acquire);
}

uint64_t cpw_callback_late(const cpw_callback *callback) {
    return atomic_load_explicit(&callback->late, memory_order_relaxed);
}

/* ---- Real-time thread */

/* The clock is the vDSO's, no system call. */
static uint64_t begin(const cpw_callback *callback) {
    return atomic_load_explicit(&callback->timed, memory_order_relaxed) ? cpw_now() : 0;
}

static void end(cpw_callback *callback, uint64_t begun, uint32_t frames, uint32_t rate) {
    if (begun != 0 && cpw_now() - begun > (uint64_t)frames * SPA_NSEC_PER_SEC / rate)
        atomic_fetch_add_explicit(&callback->late, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&callback->frames, frames, memory_order_release);
}

void cpw_callback_render(cpw_callback *callback, float *samples, uint32_t frames, uint32_t rate, uint64_t time) {
    uint64_t begun = begin(callback);
    memset(samples, 0, (size_t)frames * callback->channels * sizeof(float));
    callback->render(callback->context, samples, frames, callback->channels, rate, time);
    end(callback, begun, frames, rate);
}

void cpw_callback_receive(cpw_callback *callback, const float *samples, uint32_t frames, uint32_t rate,
                          uint64_t time) {
    uint64_t begun = begin(callback);
    callback->receive(callback->context, samples, frames, callback->channels, rate, time);
    end(callback, begun, frames, rate);
}
