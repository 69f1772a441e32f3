#include "Streams/canceller.h"

#include "Streams/feed.h"

#include <math.h>

/* Pairs what a microphone recorded with what a sink played, and cancels in blocks of 10 ms.
 *
 * Both are on one time line, whose frames are those of the microphone: frame n is the n-th that was
 * recorded. The graph's clock says where a cycle of the sink belongs. It is the same in both streams,
 * because they have one driver. Where the clock jumps (another driver, lost cycles) the microphone
 * continues without a gap, and the sink's frames follow it to the new position.
 *
 * The two process callbacks may run on two threads, and in any order. Each writes into a feed of its
 * own; then the one that finds `requests` at 0 works for both, and the other one returns. */

#define LINE 65536u      /* frames that a line keeps; a power of two */
#define HALF (LINE / 2)
#define MAX_BLOCK 480u
/* Frames by which a cycle may miss its position. PipeWire's converters deliver a frame more or less in
 * each cycle when the graph has another rate. */
#define TOLERANCE 8
/* What the canceller still has of the sound before an interruption, in blocks: its own delay. */
#define OBSOLETE_BLOCKS 2u
/* The sink's sound is delayed by less than PipeWire reports, because the canceller can find a late
 * echo and not an early one. */
#define MARGIN_NS 10000000
/* Latencies that differ by less do not move the sink's sound, which the canceller has to follow. */
#define DELAY_STEP_NS 5000000
#define MAX_DELAY_NS 500000000

struct cpw_canceller {
    struct cpw_cancelling cancelling;
    cpw_deliver_function deliver;
    void *receiver;
    uint32_t rate, block;
    atomic_uint references;
    atomic_bool is_attached;

    struct cpw_feed recorded, played;
    atomic_uint requests;

    /* Used by the worker thread only. */
    float microphone[LINE], sink[LINE];
    int64_t start, end;      /* of the microphone's frames that are not cancelled yet */
    int64_t sink_start, sink_end;
    int64_t offset;          /* of the line to the graph's clock, at the canceller's rate */
    int64_t valid_from;      /* since when the offset is valid */
    int64_t cycle_start;     /* of the microphone's last cycle */
    uint64_t cycle_time, position;
    int64_t microphone_delay, sink_delay; /* ns */
    int64_t delay_ns;        /* by which the sink's sound is delayed */
    uint32_t obsolete;       /* blocks that are not delivered */
    bool has_begun;

    _Atomic int64_t output_latency; /* ns; written by another thread */

    /* Written by the thread that works. */
    _Atomic uint64_t blocks, referenced, failures, jumps;
    atomic_uint waiting, delay;
    atomic_bool has_reference;
};

/* ---- Real-time thread */

static int64_t frames_of(const cpw_canceller *canceller, int64_t ns) {
    return ns / 1000000 * canceller->rate / 1000;
}

/* Where a cycle begins on the graph's clock, in frames of the canceller's rate. It is counted from the
 * cycle's end, because a converter's first cycle is shorter. Another program writes the clock, so the
 * result is limited to what can be added and subtracted without overflow. */
static int64_t position_of(const cpw_canceller *canceller, const struct cpw_chunk *chunk) {
    uint64_t end = chunk->cycle.position + chunk->cycle.duration, rate = chunk->cycle.rate;
    uint64_t scaled = end / rate * canceller->rate + end % rate * canceller->rate / rate;
    return (int64_t)(scaled & (UINT64_MAX >> 3)) - chunk->frames;
}

static void count_jump(cpw_canceller *canceller) {
    atomic_fetch_add_explicit(&canceller->jumps, 1, memory_order_relaxed);
}

static bool is_near(int64_t position, int64_t expected) {
    return position - expected <= TOLERANCE && expected - position <= TOLERANCE;
}

static void take_recorded(cpw_canceller *canceller) {
    struct cpw_chunk chunk;
    while (cpw_feed_peek(&canceller->recorded, &chunk)) {
        if (chunk.is_break) {
            canceller->start = canceller->end;
            canceller->obsolete = OBSOLETE_BLOCKS;
            cpw_feed_drop(&canceller->recorded);
            canceller->deliver(canceller->receiver, NULL, 0, 0);
            continue;
        }
        if (chunk.cycle.rate != 0) {
            int64_t position = position_of(canceller, &chunk);
            if (!canceller->has_begun || !is_near(position + canceller->offset, canceller->end)) {
                canceller->offset = canceller->end - position;
                canceller->valid_from = canceller->end;
                canceller->sink_end = SPA_MIN(canceller->sink_end, canceller->end);
                canceller->sink_start = SPA_MIN(canceller->sink_start, canceller->sink_end);
                if (canceller->has_begun)
                    count_jump(canceller);
            }
            canceller->has_begun = true;
            canceller->position = chunk.cycle.position;
        }
        canceller->cycle_start = canceller->end;
        canceller->cycle_time = chunk.cycle.time;
        canceller->microphone_delay = chunk.cycle.delay_ns;
        cpw_feed_take(&canceller->recorded, canceller->microphone, LINE, (uint64_t)canceller->end, 0);
        canceller->end += chunk.frames;
        if (canceller->end - canceller->start > HALF)
            canceller->start = canceller->end - HALF;
    }
}

/* A cycle of the sink that the microphone has not reached waits for it: its position is not known if the
 * clock jumps. */
static bool is_early(const cpw_canceller *canceller, const struct cpw_chunk *chunk) {
    if (cpw_feed_count(&canceller->played) >= CPW_FEED_CHUNKS / 2)
        return false;
    return !canceller->has_begun || (chunk->cycle.position > canceller->position &&
                                     chunk->cycle.position - canceller->position < chunk->cycle.rate);
}

static void put_played(cpw_canceller *canceller, const struct cpw_chunk *chunk) {
    int64_t position = position_of(canceller, chunk) + canceller->offset, skipped = 0;
    if (position > canceller->end + HALF || position + chunk->frames <= canceller->valid_from) {
        cpw_feed_drop(&canceller->played); /* of another clock, or while the microphone did not run */
        return;
    }
    if (canceller->sink_end != canceller->sink_start && is_near(position, canceller->sink_end)) {
        position = canceller->sink_end;
    } else {
        if (position < canceller->valid_from)
            skipped = canceller->valid_from - position;
        position += skipped;
        if (canceller->sink_end != canceller->sink_start)
            count_jump(canceller);
        if (position < canceller->sink_end || position > canceller->sink_end + HALF)
            canceller->sink_start = position;
        for (int64_t i = canceller->sink_end; i < position && canceller->sink_start != position; i++)
            canceller->sink[(uint64_t)i & (LINE - 1)] = 0;
    }
    cpw_feed_take(&canceller->played, canceller->sink, LINE, (uint64_t)position, (uint32_t)skipped);
    canceller->sink_end = position + chunk->frames - skipped;
    if (canceller->sink_end - canceller->sink_start > LINE)
        canceller->sink_start = canceller->sink_end - LINE;
    canceller->sink_delay = chunk->cycle.delay_ns;
}

static void take_played(cpw_canceller *canceller) {
    struct cpw_chunk chunk;
    while (cpw_feed_peek(&canceller->played, &chunk)) {
        if (chunk.cycle.rate != 0 && is_early(canceller, &chunk))
            return;
        if (chunk.cycle.rate != 0 && canceller->has_begun)
            put_played(canceller, &chunk);
        else
            cpw_feed_drop(&canceller->played);
    }
}

/* PipeWire takes latencies from other programs. */
static int64_t within_limits(int64_t ns) { return SPA_CLAMP(ns, 0, MAX_DELAY_NS); }

static void update_delay(cpw_canceller *canceller) {
    int64_t latency = atomic_load_explicit(&canceller->output_latency, memory_order_relaxed);
    int64_t known = within_limits(canceller->microphone_delay) +
                    within_limits(SPA_MAX(canceller->sink_delay, latency)) - MARGIN_NS;
    known = canceller->cancelling.needs_delay ? within_limits(known) : 0;
    if (known > canceller->delay_ns + DELAY_STEP_NS || known < canceller->delay_ns - DELAY_STEP_NS) {
        canceller->delay_ns = known;
        atomic_store_explicit(&canceller->delay, (uint32_t)frames_of(canceller, known), memory_order_relaxed);
    }
}

/* Whether the next block has all of the sink's sound, or will not get more. A sink that played in the
 * cycle before is waited for until the microphone's next cycle. */
static bool is_ready(const cpw_canceller *canceller, int64_t delay) {
    int64_t block_end = canceller->start + canceller->block;
    bool is_absent = canceller->sink_start == canceller->sink_end ||
                     canceller->sink_end < canceller->cycle_start - TOLERANCE;
    return canceller->sink_end >= block_end - delay || is_absent || block_end <= canceller->cycle_start;
}

/* The plugin would keep another program's NaN in its filters for good. */
static float sound_of(float sample) { return fabsf(sample) <= CPW_MAX_SAMPLE ? sample : 0; }

static void cancel_block(cpw_canceller *canceller, int64_t delay) {
    float recorded[MAX_BLOCK], played[MAX_BLOCK], output[MAX_BLOCK];
    uint32_t frames = canceller->block, found = 0;
    for (uint32_t i = 0; i < frames; i++) {
        int64_t position = canceller->start + i, source = position - delay;
        bool is_known = source >= canceller->sink_start && source < canceller->sink_end;
        recorded[i] = sound_of(canceller->microphone[(uint64_t)position & (LINE - 1)]);
        played[i] = is_known ? sound_of(canceller->sink[(uint64_t)source & (LINE - 1)]) : 0;
        found += is_known;
    }
    if (canceller->cancelling.cancel(canceller->cancelling.context, recorded, played, output, frames) < 0) {
        memcpy(output, recorded, frames * sizeof(float));
        atomic_fetch_add_explicit(&canceller->failures, 1, memory_order_relaxed);
    }
    atomic_store_explicit(&canceller->has_reference, found == frames, memory_order_relaxed);
    int64_t from_cycle = (canceller->start - canceller->cycle_start) * (int64_t)SPA_NSEC_PER_SEC / canceller->rate;
    canceller->start += frames;
    if (canceller->obsolete > 0) {
        canceller->obsolete--;
        return;
    }
    atomic_fetch_add_explicit(&canceller->referenced, found == frames, memory_order_relaxed);
    atomic_fetch_add_explicit(&canceller->blocks, 1, memory_order_relaxed);
    canceller->deliver(canceller->receiver, output, frames,
                       canceller->cycle_time + (uint64_t)(from_cycle - CPW_CANCELLER_DELAY_NS));
}

static void work(cpw_canceller *canceller) {
    take_recorded(canceller);
    take_played(canceller);
    update_delay(canceller);
    int64_t delay = atomic_load_explicit(&canceller->delay, memory_order_relaxed);
    while (canceller->end - canceller->start >= canceller->block && is_ready(canceller, delay))
        cancel_block(canceller, delay);
}

/* What waits after the cycle of the second stream waits for the next cycle. */
static void note_waiting(cpw_canceller *canceller) {
    uint32_t waiting = (uint32_t)(canceller->end - canceller->start);
    if (waiting < canceller->block && waiting > atomic_load_explicit(&canceller->waiting, memory_order_relaxed))
        atomic_store_explicit(&canceller->waiting, waiting, memory_order_relaxed);
}

static void request(cpw_canceller *canceller) {
    uint32_t seen = 1;
    if (atomic_fetch_add_explicit(&canceller->requests, 1, memory_order_acq_rel) != 0)
        return;
    do {
        work(canceller);
        note_waiting(canceller);
        seen = atomic_fetch_sub_explicit(&canceller->requests, seen, memory_order_acq_rel) - seen;
    } while (seen != 0);
}

void cpw_canceller_record(cpw_canceller *canceller, const float *samples, uint32_t frames,
                          const struct cpw_cycle *cycle) {
    cpw_feed_write(&canceller->recorded, &(struct cpw_chunk){.cycle = *cycle, .frames = frames}, samples);
    request(canceller);
}

void cpw_canceller_play(cpw_canceller *canceller, const float *samples, uint32_t frames,
                        const struct cpw_cycle *cycle) {
    cpw_feed_write(&canceller->played, &(struct cpw_chunk){.cycle = *cycle, .frames = frames}, samples);
    request(canceller);
}

void cpw_canceller_interrupt(cpw_canceller *canceller) {
    cpw_feed_write(&canceller->recorded, &(struct cpw_chunk){.is_break = true}, NULL);
    request(canceller);
}

/* ---- Any thread */

bool cpw_canceller_has_rate(uint32_t rate) { return rate == 16000 || rate == 32000 || rate == 48000; }

cpw_canceller *cpw_canceller_new(uint32_t rate, const struct cpw_cancelling *cancelling, int *error) {
    *error = cpw_canceller_has_rate(rate) ? -ENOMEM : -EINVAL;
    cpw_canceller *canceller = *error == -ENOMEM ? calloc(1, sizeof(*canceller)) : NULL;
    if (canceller == NULL) {
        cancelling->destroy(cancelling->context);
        return NULL;
    }
    cpw_make_resident(canceller, sizeof(*canceller));
    canceller->cancelling = *cancelling;
    canceller->rate = rate;
    canceller->block = rate / 100;
    atomic_init(&canceller->references, 1);
    return canceller;
}

cpw_canceller *cpw_canceller_retain(cpw_canceller *canceller) {
    atomic_fetch_add_explicit(&canceller->references, 1, memory_order_relaxed);
    return canceller;
}

void cpw_canceller_release(cpw_canceller *canceller) {
    if (atomic_fetch_sub_explicit(&canceller->references, 1, memory_order_acq_rel) != 1)
        return;
    canceller->cancelling.destroy(canceller->cancelling.context);
    free(canceller);
}

void cpw_canceller_set_output_latency(cpw_canceller *canceller, int64_t latency) {
    atomic_store_explicit(&canceller->output_latency, latency, memory_order_relaxed);
}

uint32_t cpw_canceller_rate(const cpw_canceller *canceller) { return canceller->rate; }

int cpw_canceller_attach(cpw_canceller *canceller, cpw_deliver_function deliver, void *context) {
    if (atomic_exchange_explicit(&canceller->is_attached, true, memory_order_acq_rel))
        return -EBUSY;
    canceller->deliver = deliver;
    canceller->receiver = context;
    return 0;
}

void cpw_canceller_get_report(const cpw_canceller *canceller, cpw_canceller_report *report) {
    *report = (cpw_canceller_report){
        .blocks = atomic_load_explicit(&canceller->blocks, memory_order_relaxed),
        .referenced = atomic_load_explicit(&canceller->referenced, memory_order_relaxed),
        .failures = atomic_load_explicit(&canceller->failures, memory_order_relaxed),
        .jumps = atomic_load_explicit(&canceller->jumps, memory_order_relaxed),
        .waiting = atomic_load_explicit(&canceller->waiting, memory_order_relaxed),
        .delay = atomic_load_explicit(&canceller->delay, memory_order_relaxed),
        .has_reference = atomic_load_explicit(&canceller->has_reference, memory_order_relaxed),
    };
}
