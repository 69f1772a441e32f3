/* Callbacks: the program's own functions on the real-time thread. CPipeWireShim.h has the rules that hold for all. */
#ifndef CPW_PUBLIC_CALLBACK_H
#define CPW_PUBLIC_CALLBACK_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* A function of the program that takes the place of a ring, with its context. Shared by reference: the program's
 * object and the stream hold it. */
typedef struct cpw_callback cpw_callback;

/* Real-time thread. Writes `frames` frames of `channels` interleaved samples, which are 0 at the call.
 * `time` is when the first of them is heard, CLOCK_MONOTONIC ns, as far as PipeWire knows the latency. */
typedef void (*cpw_render_function)(void *_Nullable context, float *samples, uint32_t frames, uint32_t channels,
                                    uint32_t rate, uint64_t time);

/* Real-time thread. Reads so many frames; `time` is when the first of them was at the microphone. */
typedef void (*cpw_receive_function)(void *_Nullable context, const float *samples, uint32_t frames,
                                     uint32_t channels, uint32_t rate, uint64_t time);

/* One that renders, or receives. `destroy` is called exactly once, on the thread that releases the last reference, or
 * here if null is returned: memory is short, or the channels are outside 1...CPW_MAX_CHANNELS. */
cpw_callback *_Nullable cpw_callback_create_render(uint32_t channels, cpw_render_function function,
                                                   void *_Nullable context,
                                                   void (*_Nullable destroy)(void *_Nullable context));
cpw_callback *_Nullable cpw_callback_create_receive(uint32_t channels, cpw_receive_function function,
                                                    void *_Nullable context,
                                                    void (*_Nullable destroy)(void *_Nullable context));
cpw_callback *cpw_callback_retain(cpw_callback *callback); /* any thread */
void cpw_callback_release(cpw_callback *callback);         /* any thread but the real-time one */

/* Any thread. Whether each call is timed, which costs two readings of the clock. */
void cpw_callback_set_timed(cpw_callback *callback, bool timed);
/* Any thread: frames that the function has rendered or received. */
uint64_t cpw_callback_frames(const cpw_callback *callback);
/* Any thread: timed calls that took longer than their frames last. */
uint64_t cpw_callback_late(const cpw_callback *callback);

#pragma clang assume_nonnull end
#endif
