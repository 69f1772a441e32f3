#ifndef CPW_FEED_H
#define CPW_FEED_H

#include "Streams/canceller.h"

#define CPW_FEED_FRAMES 32768u
#define CPW_FEED_CHUNKS 64u

/* What one stream received in one cycle. */
struct cpw_chunk {
    struct cpw_cycle cycle;
    uint32_t frames;
    bool is_break; /* no frames: what came before it is obsolete */
};

/* A queue of chunks between one writer and one reader, without locks. The reader sees all of a chunk
 * or nothing. What finds no room is dropped. */
struct cpw_feed {
    float samples[CPW_FEED_FRAMES];
    struct cpw_chunk chunks[CPW_FEED_CHUNKS];
    _Atomic uint64_t chunks_written, chunks_read, frames_read;
    uint64_t frames_written; /* writer only */
};

/* Writer. */
void cpw_feed_write(struct cpw_feed *feed, const struct cpw_chunk *chunk, const float *samples);
/* Reader. The oldest chunk, which stays until it is taken; false if there is none. */
bool cpw_feed_peek(const struct cpw_feed *feed, struct cpw_chunk *chunk);
/* Reader. How many chunks there are. */
uint64_t cpw_feed_count(const struct cpw_feed *feed);
/* Reader. Takes the oldest chunk. Its frames from `first` on are copied into a ring of `size` (a power
 * of two), to `position` and after it. */
void cpw_feed_take(struct cpw_feed *feed, float *ring, uint32_t size, uint64_t position, uint32_t first);
/* Reader. Takes the oldest chunk without copying it. */
void cpw_feed_drop(struct cpw_feed *feed);

#endif
