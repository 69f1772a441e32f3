/* Sources/CPipeWireShim/Streams/canceller.c and feed.c, without PipeWire: which blocks are paired, when they are
 * delivered, and what follows from lost cycles and other clocks.
 *
 * A sample of the microphone or the sink is its frame's number on the graph's clock, divided by SCALE, so that a block
 * shows what it was made of. The canceller under test hands over the microphone's samples, and checks the sink's. */
#include "Streams/canceller.h"
#include "Streams/feed.h"
#include "cpw_canceller.h"
#include "harness.h"

#include <link.h>
#include <math.h>

#define RATE 48000u
#define BLOCK 480u
/* Frames up to 1,048,576 are valid samples. */
#define SCALE 1024.0f

/* What the canceller and its stream saw. */
struct seen {
    cpw_canceller *canceller;
    uint64_t blocks, delivered, breaks;
    float last;          /* delivered frame's number */
    uint64_t gaps;       /* delivered samples that do not follow the one before */
    int64_t lag, slack;  /* by which the sink's frames have to be behind the microphone's, about */
    uint64_t paired, unpaired, silent; /* frames with the right, a wrong and no sample of the sink */
    uint64_t time;
    int result;
    bool is_destroyed;
};

static int cancel(void *context, const float *recorded, const float *played, float *output, uint32_t frames) {
    struct seen *seen = context;
    CHECK_EQUAL(frames, BLOCK);
    seen->blocks++;
    for (uint32_t i = 0; i < frames; i++) {
        int64_t error = (int64_t)(fabsf(recorded[i]) * SCALE) - (int64_t)(played[i] * SCALE) - seen->lag;
        bool is_right = error <= seen->slack && -error <= seen->slack;
        seen->paired += is_right;
        seen->silent += played[i] == 0;
        seen->unpaired += !is_right && played[i] != 0;
        output[i] = -recorded[i];
    }
    return seen->result;
}

static void destroy(void *context) { ((struct seen *)context)->is_destroyed = true; }

static void deliver(void *context, const float *samples, uint32_t frames, uint64_t time) {
    struct seen *seen = context;
    seen->breaks += frames == 0;
    for (uint32_t i = 0; i < frames; i++) {
        seen->gaps += seen->delivered > 0 && fabsf(samples[i]) * SCALE != fabsf(seen->last) + 1;
        seen->last = samples[i] * SCALE;
        seen->delivered++;
    }
    seen->time = time;
}

static void start(struct seen *seen, bool needs_delay) {
    int error = 0;
    *seen = (struct seen){0};
    seen->canceller = cpw_canceller_new(RATE, &(struct cpw_cancelling){cancel, seen, destroy, needs_delay}, &error);
    REQUIRE(seen->canceller != NULL);
    CHECK_EQUAL(cpw_canceller_attach(seen->canceller, deliver, seen), 0);
    CHECK_EQUAL(cpw_canceller_attach(seen->canceller, deliver, seen), -EBUSY);
}

static cpw_canceller_report end(struct seen *seen) {
    cpw_canceller_report report;
    cpw_canceller_get_report(seen->canceller, &report);
    cpw_canceller_release(cpw_canceller_retain(seen->canceller));
    CHECK(!seen->is_destroyed);
    cpw_canceller_release(seen->canceller);
    CHECK(seen->is_destroyed);
    return report;
}

/* Frames of 1,000,000 and more would not be exact as floats. */
static const float *numbered(uint64_t first, uint32_t frames) {
    static float samples[8192];
    for (uint32_t i = 0; i < frames; i++)
        samples[i] = (float)(first + i) / SCALE;
    return samples;
}

static struct cpw_cycle cycle_at(uint64_t position, uint32_t frames) {
    return (struct cpw_cycle){.position = position, .duration = frames, .rate = RATE, .time = position * 20833};
}

static void record(struct seen *seen, uint64_t position, uint32_t frames) {
    struct cpw_cycle cycle = cycle_at(position, frames);
    cpw_canceller_record(seen->canceller, numbered(position, frames), frames, &cycle);
}

static void play(struct seen *seen, uint64_t position, uint32_t frames) {
    struct cpw_cycle cycle = cycle_at(position, frames);
    cpw_canceller_play(seen->canceller, numbered(position, frames), frames, &cycle);
}

TEST("canceller", "each frame meets that of the same time, in the cycle in which its block is complete") {
    static const uint32_t quanta[] = {16, 64, 128, 256, 441, 480, 512, 1024, 2048, 8192};
    for (size_t i = 0; i < SPA_N_ELEMENTS(quanta); i++) {
        for (int order = 0; order < 3; order++) {
            struct seen seen;
            uint64_t position = 5000, quantum = quanta[i], cycles = 40000 / quantum + 4, frames = 0;
            start(&seen, false);
            for (uint64_t cycle = 0; cycle < cycles; cycle++, position += quantum) {
                /* The microphone first, the sink first, or in turns. */
                bool is_sink_first = order == 1 || (order == 2 && cycle % 2 == 0);
                if (is_sink_first)
                    play(&seen, position, (uint32_t)quantum);
                record(&seen, position, (uint32_t)quantum);
                if (!is_sink_first)
                    play(&seen, position, (uint32_t)quantum);
                frames += quantum;
                CHECK_EQUAL(seen.delivered, frames / BLOCK * BLOCK);
            }
            CHECK_EQUAL(seen.gaps, 0);
            CHECK_EQUAL(seen.unpaired, 0);
            /* Before the sink's first cycle nothing is waited for. */
            CHECK(seen.silent <= quantum);
            CHECK_EQUAL(seen.paired + seen.silent, seen.delivered);
            CHECK(seen.last < 0); /* the canceller's output, not the microphone */
            cpw_canceller_report report = end(&seen);
            CHECK_EQUAL(report.blocks, seen.delivered / BLOCK);
            CHECK(report.waiting < BLOCK && report.jumps == 0 && report.failures == 0);
            CHECK(report.has_reference && report.referenced + quantum / BLOCK + 1 >= report.blocks);
        }
    }
}

TEST("canceller", "without a sink the microphone is not delayed, and a sink that stops costs one cycle") {
    struct seen seen;
    uint64_t position = 1000;
    start(&seen, false);
    for (int cycle = 0; cycle < 10; cycle++, position += 1024) {
        record(&seen, position, 1024);
        CHECK_EQUAL(seen.delivered, (uint64_t)(cycle + 1) * 1024 / BLOCK * BLOCK);
    }
    CHECK_EQUAL(seen.silent, seen.delivered);
    for (int cycle = 10; cycle < 20; cycle++, position += 1024) {
        record(&seen, position, 1024);
        play(&seen, position, 1024);
    }
    CHECK(seen.paired >= 8 * 1024);
    uint64_t delivered = seen.delivered;
    record(&seen, position, 1024); /* the sink's cycle may still arrive */
    CHECK_EQUAL(seen.delivered, delivered);
    for (int cycle = 21; cycle < 30; cycle++) {
        position += 1024;
        record(&seen, position, 1024);
        CHECK_EQUAL(seen.delivered, (uint64_t)(cycle + 1) * 1024 / BLOCK * BLOCK);
    }
    CHECK_EQUAL(seen.gaps, 0);
    CHECK_EQUAL(seen.unpaired, 0);
    CHECK(!end(&seen).has_reference);
}

TEST("canceller", "lost cycles of either stream leave the others paired") {
    struct seen seen;
    struct random random = random_start(5);
    uint64_t position = 1000, recorded = 0;
    start(&seen, false);
    for (int cycle = 0; cycle < 400; cycle++, position += 256) {
        bool has_microphone = random_below(&random, 10) != 0, has_sink = random_below(&random, 10) != 0;
        bool is_sink_first = random_below(&random, 2) != 0;
        if (has_sink && is_sink_first)
            play(&seen, position, 256);
        if (has_microphone)
            record(&seen, position, 256);
        if (has_sink && !is_sink_first)
            play(&seen, position, 256);
        recorded += has_microphone * 256;
    }
    CHECK(recorded - seen.delivered < BLOCK + 256); /* nothing recorded is lost */
    /* Where the microphone lost cycles, the sink's frames of the time before are overwritten. */
    CHECK(seen.paired > seen.delivered * 6 / 10);
    CHECK_EQUAL(seen.unpaired, 0);
    CHECK(end(&seen).jumps > 10);
}

TEST("canceller", "another driver's clock begins anew, whichever stream shows it first") {
    static const uint64_t clocks[] = {700000, 300, 1010000, 20000};
    struct seen seen;
    start(&seen, false);
    uint64_t recorded = 0;
    for (size_t i = 0; i < SPA_N_ELEMENTS(clocks); i++) {
        uint64_t position = clocks[i], paired = 0, delivered = 0;
        for (int cycle = 0; cycle < 20; cycle++, position += 512) {
            if (i % 2 == 0)
                play(&seen, position, 512);
            record(&seen, position, 512);
            if (i % 2 == 1)
                play(&seen, position, 512);
            recorded += 512;
            if (cycle == 3)
                paired = seen.paired, delivered = seen.delivered;
        }
        CHECK_EQUAL(seen.paired - paired, seen.delivered - delivered);
        CHECK(recorded - seen.delivered < BLOCK);
    }
    CHECK_EQUAL(seen.gaps, SPA_N_ELEMENTS(clocks) - 1);
    end(&seen);
}

TEST("canceller", "the sink is delayed by the known latency, where the canceller needs that") {
    for (int turn = 0; turn < 4; turn++) {
        struct seen seen;
        bool needs_delay = turn % 2 == 1, with_output = turn >= 2;
        start(&seen, needs_delay);
        uint64_t position = 1000;
        seen.lag = needs_delay ? 2400 : 0; /* 40 + 20 - 10 ms */
        for (int cycle = 0; cycle < 60; cycle++, position += 256) {
            struct cpw_cycle microphone = cycle_at(position, 256), sink = microphone;
            microphone.delay_ns = 20 * SPA_NSEC_PER_MSEC + cycle % 3 * SPA_NSEC_PER_MSEC; /* small changes do not count */
            /* PipeWire reports it to the sink's stream, or to the program's streams that play. */
            sink.delay_ns = with_output ? 0 : 40 * SPA_NSEC_PER_MSEC;
            cpw_canceller_set_output_latency(seen.canceller, with_output ? 40 * SPA_NSEC_PER_MSEC : 0);
            cpw_canceller_record(seen.canceller, numbered(position, 256), 256, &microphone);
            cpw_canceller_play(seen.canceller, numbered(position, 256), 256, &sink);
            if (cycle == 10)
                seen.paired = seen.unpaired = seen.silent = 0;
        }
        CHECK(seen.paired > 40 * 256);
        CHECK_EQUAL(seen.unpaired + seen.silent, 0);
        CHECK_EQUAL(end(&seen).delay, seen.lag);
    }
}

TEST("canceller", "latencies that no device has delay nothing, or half a second") {
    static const int64_t latencies[] = {-1, 0, 5000000, INT64_MAX / 4, INT64_MIN / 4};
    static const uint32_t delays[] = {0, 0, 0, RATE / 2, 0};
    for (size_t i = 0; i < SPA_N_ELEMENTS(latencies); i++) {
        struct seen seen;
        start(&seen, true);
        struct cpw_cycle cycle = cycle_at(0, 1024);
        cycle.delay_ns = latencies[i];
        cpw_canceller_record(seen.canceller, numbered(0, 1024), 1024, &cycle);
        cpw_canceller_play(seen.canceller, numbered(0, 1024), 1024, &cycle);
        CHECK_EQUAL(end(&seen).delay, delays[i]);
    }
}

TEST("canceller", "nothing from before an interruption is delivered, and not what the canceller holds of it") {
    struct seen seen;
    uint64_t position = 1000;
    start(&seen, false);
    record(&seen, position, 700);
    play(&seen, position, 700);
    CHECK_EQUAL(seen.delivered, 480);
    cpw_canceller_interrupt(seen.canceller);
    CHECK_EQUAL(seen.breaks, 1);
    position = 90000;
    record(&seen, position, 1440);
    play(&seen, position, 1440);
    CHECK_EQUAL(seen.blocks, 4);
    CHECK_EQUAL(seen.delivered, 960);
    CHECK_EQUAL(seen.unpaired, 0);
    CHECK_EQUAL(-seen.last, 90000 + 1439);
    end(&seen);
}

TEST("canceller", "a graph of another rate, whose cycles are a frame longer or shorter, stays paired") {
    struct seen seen;
    uint64_t recorded = 0, played = 0, jumps;
    start(&seen, false);
    seen.slack = 2;
    for (uint64_t cycle = 0, position = 44100; cycle < 300; cycle++, position += 1024) {
        struct cpw_cycle at = {.position = position, .duration = 1024, .rate = 44100};
        uint64_t until = (position + 1024) * RATE / 44100 - RATE;
        uint32_t frames = (uint32_t)(until - recorded);
        if (cycle == 0)
            frames -= 30; /* the converter's own delay */
        cpw_canceller_record(seen.canceller, numbered(until - frames, frames), frames, &at);
        recorded = until;
        /* The sink's converter is a frame ahead in every other cycle. */
        uint64_t other = until + cycle % 2;
        if (cycle > 2)
            cpw_canceller_play(seen.canceller, numbered(played, (uint32_t)(other - played)), (uint32_t)(other - played),
                               &at);
        played = other;
    }
    CHECK_EQUAL(seen.gaps, 0);
    CHECK(seen.paired > 280 * 1024);
    CHECK_EQUAL(seen.unpaired, 0);
    jumps = end(&seen).jumps;
    CHECK_EQUAL(jumps, 0);
}

TEST("canceller", "the time of a block is that of its first frame, less the canceller's delay") {
    struct seen seen;
    start(&seen, false);
    struct cpw_cycle cycle = cycle_at(0, 1024);
    cycle.time = 5000000000;
    cpw_canceller_record(seen.canceller, numbered(0, 1024), 1024, &cycle);
    CHECK_EQUAL(seen.time, 5000000000 + 10000000 - CPW_CANCELLER_DELAY_NS);
    cycle.position = 1024;
    cycle.time += 21333333;
    cpw_canceller_record(seen.canceller, numbered(1024, 1024), 1024, &cycle);
    CHECK_EQUAL((seen.time + 500) / 1000, (5000000000 + 30000000 - CPW_CANCELLER_DELAY_NS + 500) / 1000);
    end(&seen);
}

TEST("canceller", "what the plugin refuses is delivered as it was recorded") {
    struct seen seen;
    start(&seen, false);
    seen.result = -EIO;
    record(&seen, 100, 960);
    CHECK_EQUAL(seen.delivered, 960);
    CHECK_EQUAL(seen.last, 1059);
    CHECK_EQUAL(end(&seen).failures, 2);
}

TEST("canceller", "without the graph's clock everything recorded is delivered, and nothing is allocated") {
    struct seen seen;
    start(&seen, false);
    struct seen *shared = &seen;
    CHECK_EQUAL(with_failing_allocations(^{
                    struct cpw_cycle cycle = {0};
                    for (int i = 0; i < 10; i++) {
                        cpw_canceller_record(shared->canceller, numbered((uint64_t)i * 960, 960), 960, &cycle);
                        cpw_canceller_play(shared->canceller, numbered(0, 960), 960, &cycle);
                    }
                    record(shared, 9600, 960);
                    play(shared, 9600, 960);
                }),
                0);
    CHECK_EQUAL(seen.delivered, 11 * 960);
    CHECK_EQUAL(seen.gaps, 0);
    end(&seen);
}

TEST("canceller", "a microphone that does not run loses what the sink plays, and catches up") {
    struct seen seen;
    uint64_t position = 1000;
    start(&seen, false);
    for (int cycle = 0; cycle < 300; cycle++, position += 1024)
        play(&seen, position, 1024);
    for (int cycle = 0; cycle < 20; cycle++, position += 1024) {
        record(&seen, position, 1024);
        play(&seen, position, 1024);
    }
    for (int cycle = 0; cycle < 300; cycle++, position += 1024)
        play(&seen, position, 1024);
    for (int cycle = 0; cycle < 20; cycle++, position += 1024) {
        record(&seen, position, 1024);
        play(&seen, position, 1024);
    }
    CHECK(seen.paired > 30 * 1024);
    CHECK_EQUAL(seen.unpaired, 0);
    CHECK(end(&seen).has_reference);
}

TEST("canceller", "samples that no device delivers are silence, because the plugin would not forget them") {
    static const float samples[] = {NAN, -NAN, INFINITY, -INFINITY, 1025, -1025, 1e38f, 0};
    float block[BLOCK];
    for (uint32_t i = 0; i < BLOCK; i++)
        block[i] = samples[i % SPA_N_ELEMENTS(samples)];
    struct seen seen;
    struct cpw_cycle cycle = cycle_at(0, BLOCK);
    start(&seen, false);
    cpw_canceller_play(seen.canceller, block, BLOCK, &cycle);
    cpw_canceller_record(seen.canceller, block, BLOCK, &cycle);
    CHECK_EQUAL(seen.delivered, BLOCK);
    CHECK_EQUAL(seen.paired, BLOCK);
    CHECK_EQUAL(seen.silent, BLOCK);
    CHECK(seen.last == 0);
    CHECK(end(&seen).has_reference);
}

TEST("canceller", "only rates of whole blocks are made, and memory may be missing") {
    int error = 0;
    static const uint32_t rates[] = {0, 8000, 44100, 96000, UINT32_MAX};
    for (size_t i = 0; i < SPA_N_ELEMENTS(rates); i++) {
        struct seen seen = {0};
        CHECK(cpw_canceller_new(rates[i], &(struct cpw_cancelling){cancel, &seen, destroy, false}, &error) == NULL);
        CHECK(error == -EINVAL && seen.is_destroyed);
        CHECK(cpw_canceller_create(rates[i], &error) == NULL);
        CHECK_EQUAL(error, -EINVAL);
    }
    CHECK(with_failing_allocations(^{
        struct seen seen = {0};
        int result = 0;
        cpw_canceller *canceller =
            cpw_canceller_new(16000, &(struct cpw_cancelling){cancel, &seen, destroy, false}, &result);
        CHECK(canceller != NULL || (result == -ENOMEM && seen.is_destroyed));
        if (canceller != NULL)
            cpw_canceller_release(canceller);
    }) == 1);
}

TEST("canceller", "clocks that no driver has lose nothing that was recorded") {
    static const uint64_t numbers[] = {0, 1, 480, UINT32_MAX, UINT64_MAX / 8, UINT64_MAX / 2, UINT64_MAX - 1, UINT64_MAX};
    static const uint32_t rates[] = {0, 1, 48000, UINT32_MAX};
    struct seen seen;
    struct random random = random_start(11);
    uint64_t recorded = 0;
    start(&seen, true);
    for (int turn = 0; turn < 5000; turn++) {
        struct cpw_cycle cycle = {
            .position = numbers[random_below(&random, SPA_N_ELEMENTS(numbers))],
            .duration = numbers[random_below(&random, SPA_N_ELEMENTS(numbers))],
            .rate = rates[random_below(&random, SPA_N_ELEMENTS(rates))],
            .delay_ns = (int64_t)numbers[random_below(&random, SPA_N_ELEMENTS(numbers))],
        };
        uint32_t frames = random_below(&random, 1024);
        if (random_below(&random, 2) == 0) {
            cpw_canceller_play(seen.canceller, numbered(0, frames), frames, &cycle);
        } else {
            cpw_canceller_record(seen.canceller, numbered(0, frames), frames, &cycle);
            recorded += frames;
        }
        CHECK(recorded - seen.delivered < BLOCK + 1024);
    }
    end(&seen);
}

/* ---- PipeWire's plugin */

TEST("canceller", "PipeWire's plugin cancels what is played") {
    if (!cpw_canceller_is_available())
        harness_skip("PipeWire's aec/libspa-aec-webrtc is not installed");
    int error = 0;
    cpw_canceller *canceller = cpw_canceller_create(RATE, &error);
    REQUIRE(canceller != NULL);
    CHECK_EQUAL(cpw_canceller_rate(canceller), RATE);
    struct seen seen = {.canceller = canceller};
    CHECK_EQUAL(cpw_canceller_attach(canceller, deliver, &seen), 0);
    cpw_canceller_report report;
    record(&seen, 0, 1024);
    cpw_canceller_get_report(canceller, &report);
    CHECK_EQUAL(report.blocks, 2);
    CHECK_EQUAL(report.failures, 0);
    CHECK_EQUAL(seen.delivered, 960);
    cpw_canceller_release(canceller);
}

static int is_plugin(struct dl_phdr_info *object, size_t size, void *user) {
    (void)size, (void)user;
    return object->dlpi_name != NULL && strstr(object->dlpi_name, "libspa-aec-webrtc") != NULL;
}

TEST("canceller", "PipeWire's plugin stays loaded, so that a canceller is made without the disk") {
    if (!cpw_canceller_load())
        harness_skip("PipeWire's aec/libspa-aec-webrtc is not installed");
    CHECK(cpw_canceller_is_available());
    CHECK(dl_iterate_phdr(is_plugin, NULL) != 0);
    CHECK(cpw_canceller_load());
    int error = 0;
    cpw_canceller *canceller = cpw_canceller_create(RATE, &error);
    REQUIRE(canceller != NULL);
    cpw_canceller_release(canceller);
    CHECK(dl_iterate_phdr(is_plugin, NULL) != 0);
}

TEST("canceller", "without PipeWire's plugin there is none") {
    setenv("SPA_PLUGIN_DIR", test_path("nowhere"), 1);
    int error = 0;
    CHECK(!cpw_canceller_is_available());
    CHECK(!cpw_canceller_load());
    CHECK(cpw_canceller_create(RATE, &error) == NULL);
    CHECK_EQUAL(error, -ENOENT);
}
