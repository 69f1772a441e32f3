#include "Streams/ring.h"

/* A queue of one writer and one reader, without locks. Either may be the real-time thread, so each
 * call ends after a bounded number of steps, whatever the other thread does.
 *
 *   written   stored by the writer (release) after the samples, so that a count covers its samples.
 *   read      stored by the reader (release) after copying, so that the writer may overwrite them.
 *   flushed   frames before it are discarded. Stored by the writer, applied by the next read.
 *   reading   whether a read is under way.
 *
 * `flushed` and `reading` are the two flags of Dekker's algorithm, so the four operations on them
 * are sequentially consistent: either the reader sees the flush, or the writer sees the reader. A
 * flush thus frees its frames even if the reader never runs again (a paused stream), and no sample
 * is overwritten while it is read. */

cpw_ring *cpw_ring_create(uint32_t channels, uint32_t frames) {
    if (channels == 0 || channels > CPW_MAX_CHANNELS || frames == 0 || frames > CPW_RING_MAX_FRAMES)
        return NULL;
    cpw_ring *ring = aligned_alloc(_Alignof(cpw_ring), sizeof(*ring));
    if (ring == NULL)
        return NULL;
    memset(ring, 0, sizeof(*ring));
    ring->samples = calloc((size_t)frames * channels, sizeof(float));
    if (ring->samples == NULL) {
        free(ring);
        return NULL;
    }
    ring->channels = channels;
    ring->capacity = frames;
    atomic_init(&ring->references, 1);
    return ring;
}

void cpw_ring_make_resident(cpw_ring *ring) {
    cpw_make_resident(ring->samples, (size_t)ring->capacity * ring->channels * sizeof(float));
}

cpw_ring *cpw_ring_retain(cpw_ring *ring) {
    atomic_fetch_add_explicit(&ring->references, 1, memory_order_relaxed);
    return ring;
}

void cpw_ring_release(cpw_ring *ring) {
    if (atomic_fetch_sub_explicit(&ring->references, 1, memory_order_acq_rel) != 1)
        return;
    free(ring->samples);
    free(ring);
}

/* ---- Writer */

/* The first frame that may still be read. Only the writer changes `released`, once a flush has
 * taken effect. */
static uint64_t oldest(cpw_ring *ring) {
    uint64_t flushed = atomic_load_explicit(&ring->flushed, memory_order_relaxed);
    if (ring->released < flushed && !atomic_load_explicit(&ring->reading, memory_order_seq_cst))
        ring->released = flushed;
    uint64_t read = atomic_load_explicit(&ring->read, memory_order_acquire);
    return read > ring->released ? read : ring->released;
}

uint32_t cpw_ring_writable(cpw_ring *ring) {
    uint64_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
    return ring->capacity - (uint32_t)(written - oldest(ring));
}

uint32_t cpw_ring_write(cpw_ring *ring, const float *samples, uint32_t frames) {
    uint32_t room = cpw_ring_writable(ring);
    uint64_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
    if (frames > room)
        frames = room;
    uint32_t start = (uint32_t)(written % ring->capacity);
    uint32_t first = frames < ring->capacity - start ? frames : ring->capacity - start;
    size_t frame_size = ring->channels * sizeof(float);
    memcpy(ring->samples + (size_t)start * ring->channels, samples, first * frame_size);
    memcpy(ring->samples, samples + (size_t)first * ring->channels, (frames - first) * frame_size);
    atomic_store_explicit(&ring->written, written + frames, memory_order_release);
    return frames;
}

void cpw_ring_flush(cpw_ring *ring) {
    uint64_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
    atomic_store_explicit(&ring->flushed, written, memory_order_seq_cst);
}

void cpw_ring_set_ended(cpw_ring *ring, bool ended) {
    atomic_store_explicit(&ring->ended, ended, memory_order_release);
}

/* ---- Reader */

uint32_t cpw_ring_read(cpw_ring *ring, float *samples, uint32_t frames) {
    atomic_store_explicit(&ring->reading, true, memory_order_seq_cst);
    uint64_t flushed = atomic_load_explicit(&ring->flushed, memory_order_seq_cst);
    uint64_t read = atomic_load_explicit(&ring->read, memory_order_relaxed);
    if (read < flushed)
        read = flushed;
    uint64_t written = atomic_load_explicit(&ring->written, memory_order_acquire);
    uint32_t taken = written - read < frames ? (uint32_t)(written - read) : frames;
    uint32_t start = (uint32_t)(read % ring->capacity);
    uint32_t first = taken < ring->capacity - start ? taken : ring->capacity - start;
    size_t frame_size = ring->channels * sizeof(float);
    memcpy(samples, ring->samples + (size_t)start * ring->channels, first * frame_size);
    memcpy(samples + (size_t)first * ring->channels, ring->samples, (taken - first) * frame_size);
    atomic_store_explicit(&ring->read, read + taken, memory_order_release);
    atomic_store_explicit(&ring->reading, false, memory_order_seq_cst);

    /* If nothing was written since the start or a flush, the writer is still filling: no
     * underrun. */
    bool is_dry = taken < frames && written != flushed && !atomic_load_explicit(&ring->ended, memory_order_acquire);
    if (is_dry && !ring->is_dry)
        atomic_fetch_add_explicit(&ring->underruns, 1, memory_order_relaxed);
    if (is_dry)
        atomic_fetch_add_explicit(&ring->missing, frames - taken, memory_order_relaxed);
    ring->is_dry = is_dry;
    return taken;
}

/* ---- Any thread */

uint64_t cpw_ring_written_count(const cpw_ring *ring) {
    return atomic_load_explicit(&ring->written, memory_order_acquire);
}

uint64_t cpw_ring_read_count(const cpw_ring *ring) {
    uint64_t flushed = atomic_load_explicit(&ring->flushed, memory_order_acquire);
    uint64_t read = atomic_load_explicit(&ring->read, memory_order_acquire);
    return read > flushed ? read : flushed;
}

uint64_t cpw_ring_underruns(const cpw_ring *ring) {
    return atomic_load_explicit(&ring->underruns, memory_order_relaxed);
}

uint64_t cpw_ring_missing(const cpw_ring *ring) {
    return atomic_load_explicit(&ring->missing, memory_order_relaxed);
}
