#include "Streams/feed.h"

void cpw_feed_write(struct cpw_feed *feed, const struct cpw_chunk *chunk, const float *samples) {
    uint64_t written = atomic_load_explicit(&feed->chunks_written, memory_order_relaxed);
    uint64_t frames_read = atomic_load_explicit(&feed->frames_read, memory_order_acquire);
    if (written - atomic_load_explicit(&feed->chunks_read, memory_order_acquire) >= CPW_FEED_CHUNKS ||
        chunk->frames > CPW_FEED_FRAMES - (feed->frames_written - frames_read))
        return;
    for (uint32_t i = 0; i < chunk->frames; i++)
        feed->samples[feed->frames_written++ % CPW_FEED_FRAMES] = samples[i];
    feed->chunks[written % CPW_FEED_CHUNKS] = *chunk;
    atomic_store_explicit(&feed->chunks_written, written + 1, memory_order_release);
}

uint64_t cpw_feed_count(const struct cpw_feed *feed) {
    return atomic_load_explicit(&feed->chunks_written, memory_order_acquire) -
           atomic_load_explicit(&feed->chunks_read, memory_order_relaxed);
}

bool cpw_feed_peek(const struct cpw_feed *feed, struct cpw_chunk *chunk) {
    if (cpw_feed_count(feed) == 0)
        return false;
    *chunk = feed->chunks[atomic_load_explicit(&feed->chunks_read, memory_order_relaxed) % CPW_FEED_CHUNKS];
    return true;
}

void cpw_feed_take(struct cpw_feed *feed, float *ring, uint32_t size, uint64_t position, uint32_t first) {
    uint64_t read = atomic_load_explicit(&feed->chunks_read, memory_order_relaxed);
    uint64_t frames_read = atomic_load_explicit(&feed->frames_read, memory_order_relaxed);
    for (uint32_t i = first; i < feed->chunks[read % CPW_FEED_CHUNKS].frames; i++)
        ring[position++ & (size - 1)] = feed->samples[(frames_read + i) % CPW_FEED_FRAMES];
    cpw_feed_drop(feed);
}

void cpw_feed_drop(struct cpw_feed *feed) {
    uint64_t read = atomic_load_explicit(&feed->chunks_read, memory_order_relaxed);
    uint64_t frames_read = atomic_load_explicit(&feed->frames_read, memory_order_relaxed);
    uint32_t frames = feed->chunks[read % CPW_FEED_CHUNKS].frames;
    atomic_store_explicit(&feed->frames_read, frames_read + frames, memory_order_release);
    atomic_store_explicit(&feed->chunks_read, read + 1, memory_order_release);
}
