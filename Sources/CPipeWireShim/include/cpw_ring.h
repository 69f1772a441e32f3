/* Ring: frames on their way to the real-time thread, or from it. CPipeWireShim.h has the rules that
 * hold for all. */
#ifndef CPW_PUBLIC_RING_H
#define CPW_PUBLIC_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* A lock-free queue of frames (interleaved 32-bit floats) between one writing and one reading
 * thread. The real-time thread reads what is played, and writes what is recorded.
 *
 * Counts never wrap: frame n is the n-th frame ever written. The ring is reference-counted, so that
 * the program and the stream may end in either order. */
typedef struct cpw_ring cpw_ring;

#define CPW_MAX_CHANNELS 8u
#define CPW_RING_MAX_FRAMES (1u << 24)

/* Any thread. Null if memory is exhausted, or a number is not in 1...CPW_MAX_CHANNELS or
 * 1...CPW_RING_MAX_FRAMES. */
cpw_ring *_Nullable cpw_ring_create(uint32_t channels, uint32_t frames);
/* Any thread, before the first write. Makes writes cause no page fault, for a ring that the
 * real-time thread writes. */
void cpw_ring_make_resident(cpw_ring *ring);
cpw_ring *cpw_ring_retain(cpw_ring *ring); /* any thread */
void cpw_ring_release(cpw_ring *ring);     /* any thread but the real-time one */

/* Writing thread. Copies as many of `frames` as there is room for, and returns their number. */
uint32_t cpw_ring_write(cpw_ring *ring, const float *samples, uint32_t frames);
/* Writing thread. The number of frames that there is room for. */
uint32_t cpw_ring_writable(cpw_ring *ring);
/* Writing thread. Discards what was written and not yet read, for a seek. Its room is free at once,
 * also while the stream is paused, except while the real-time thread is reading. A cycle that is
 * under way may still play it. */
void cpw_ring_flush(cpw_ring *ring);
/* Writing thread. Whether the frames written so far are the last ones: then an empty ring is no
 * underrun. */
void cpw_ring_set_ended(cpw_ring *ring, bool ended);
/* Reading thread, which is the stream's real-time thread or a test in its place. Copies up to
 * `frames` frames out, and returns their number. Ends after a bounded number of steps. */
uint32_t cpw_ring_read(cpw_ring *ring, float *samples, uint32_t frames);
/* Any thread. The frames that were written, and those that were read or discarded, since the
 * ring was created. */
uint64_t cpw_ring_written_count(const cpw_ring *ring);
uint64_t cpw_ring_read_count(const cpw_ring *ring);
/* Any thread. How often the ring was empty before its end. A gap counts once, however long it is.
 * Waiting for the first frames, or for the first after a flush, does not count. */
uint64_t cpw_ring_underruns(const cpw_ring *ring);
/* Any thread. The frames that were missing in these gaps. */
uint64_t cpw_ring_missing(const cpw_ring *ring);

#pragma clang assume_nonnull end
#endif
