/* Ring: frames on their way to the real-time thread, or from it. CPipeWireShim.h has the rules that hold for all. */
#ifndef CPW_PUBLIC_RING_H
#define CPW_PUBLIC_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* A queue of frames (interleaved 32-bit floats) between one writing thread and one reading thread, without locks. The
 * real-time thread is the reader of what is played, and the writer of what is recorded.
 * Counts go up for ever: frame n is the n-th that was ever written. Shared by reference, so that the writer may
 * outlive the stream and the stream the writer. */
typedef struct cpw_ring cpw_ring;

#define CPW_MAX_CHANNELS 8u
#define CPW_RING_MAX_FRAMES (1u << 24)

/* Null if memory is short, or outside 1...CPW_MAX_CHANNELS and 1...CPW_RING_MAX_FRAMES. */
cpw_ring *_Nullable cpw_ring_create(uint32_t channels, uint32_t frames);
cpw_ring *cpw_ring_retain(cpw_ring *ring); /* any thread */
void cpw_ring_release(cpw_ring *ring);     /* any thread but the real-time one */

/* The writing thread: takes as many of `frames` as there is room for and returns their number. */
uint32_t cpw_ring_write(cpw_ring *ring, const float *samples, uint32_t frames);
uint32_t cpw_ring_writable(cpw_ring *ring);
/* The writing thread: drops what was written and not yet read (a seek). Its room is free at once, also if the stream is
 * paused, but for the moment in which the real-time thread is reading. A cycle that runs may still give it out. */
void cpw_ring_flush(cpw_ring *ring);
/* The writing thread: what was written is the end (true: running empty is no underrun) or not (false). */
void cpw_ring_set_ended(cpw_ring *ring, bool ended);
/* The reading thread, which is a stream's real-time one, or whoever else stands in for it: copies up to `frames` frames
 * out and returns their number. Ends after a bounded number of steps. */
uint32_t cpw_ring_read(cpw_ring *ring, float *samples, uint32_t frames);
/* Any thread: frames written, and read or dropped, since the beginning. */
uint64_t cpw_ring_written_count(const cpw_ring *ring);
uint64_t cpw_ring_read_count(const cpw_ring *ring);
/* Any thread: times that the reader ran dry before the end. A gap counts once, however long; waiting for the first
 * frames, or for the first after a flush, is none. */
uint64_t cpw_ring_underruns(const cpw_ring *ring);

#pragma clang assume_nonnull end
#endif
