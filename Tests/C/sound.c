/* Sources/CPipeWireShim: rings, gains, formats, timing, sets of ids, properties. No daemon. */
#define _GNU_SOURCE
#include "Streams/gain.h"
#include "harness.h"
#include "internal.h"
#include "Streams/ring.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <spa/param/audio/format-utils.h>
#include <stdio.h>
#include <sys/resource.h>

/* ---- Rings */

TEST("rings", "only sizes within the bounds are accepted") {
    CHECK(cpw_ring_create(0, 16) == NULL && cpw_ring_create(CPW_MAX_CHANNELS + 1, 16) == NULL);
    CHECK(cpw_ring_create(2, 0) == NULL && cpw_ring_create(2, CPW_RING_MAX_FRAMES + 1) == NULL);
    CHECK(with_failing_allocations(^{
        cpw_ring *ring = cpw_ring_create(CPW_MAX_CHANNELS, 16);
        if (ring != NULL)
            cpw_ring_release(ring);
    }) == 2);
    cpw_ring *ring = cpw_ring_create(1, CPW_RING_MAX_FRAMES);
    REQUIRE(ring != NULL);
    CHECK_EQUAL(cpw_ring_writable(ring), CPW_RING_MAX_FRAMES);
    cpw_ring_release(cpw_ring_retain(ring));
    cpw_ring_release(ring);
}

/* The real-time thread fills the ring of a recorder. */
TEST("rings", "the first write causes no page fault") {
    enum { PAGES = 192, FRAMES = PAGES * 4096 / sizeof(float) };
    static float frames[FRAMES];
    memset(frames, 1, sizeof(frames));
    cpw_ring *ring = cpw_ring_create(1, FRAMES);
    REQUIRE(ring != NULL);
    cpw_ring_make_resident(ring);
    struct rusage before, after;
    getrusage(RUSAGE_THREAD, &before);
    uint32_t written = cpw_ring_write(ring, frames, FRAMES);
    getrusage(RUSAGE_THREAD, &after);
    CHECK_EQUAL(written, FRAMES);
    /* The kernel may load code at its first call, and take pages from a busy computer. */
    CHECK(after.ru_minflt - before.ru_minflt < PAGES / 2);
    cpw_ring_release(ring);
}

/* The samples are in memory of exactly their size. */
TEST("rings", "frames are read as they were written, for all sizes, wrapped and flushed") {
    struct random random = random_start(1);
    for (uint32_t channels = 1; channels <= CPW_MAX_CHANNELS; channels++) {
        for (uint32_t capacity = 1; capacity < 40; capacity += 3) {
            cpw_ring *ring = cpw_ring_create(channels, capacity);
            uint64_t written = 0, read = 0;
            for (int turn = 0; turn < 200; turn++) {
                uint32_t frames = random_below(&random, 2 * capacity), taken, got;
                float *in = malloc(frames * channels * sizeof(float));
                for (uint32_t i = 0; i < frames * channels; i++)
                    in[i] = (float)((written * channels + i) % 10007);
                taken = cpw_ring_write(ring, in, frames);
                free(in);
                CHECK(taken <= frames && taken <= capacity);
                written += taken;
                if (random_below(&random, 8) == 0) {
                    cpw_ring_flush(ring);
                    read = written;
                    CHECK_EQUAL(cpw_ring_writable(ring), capacity);
                }
                frames = random_below(&random, 2 * capacity);
                float *out = malloc(frames * channels * sizeof(float));
                got = cpw_ring_read(ring, out, frames);
                CHECK_EQUAL(got, written - read < frames ? written - read : frames);
                for (uint32_t i = 0; i < got * channels; i++)
                    CHECK(out[i] == (float)((read * channels + i) % 10007));
                free(out);
                read += got;
                CHECK(cpw_ring_written_count(ring) == written && cpw_ring_read_count(ring) == read);
            }
            cpw_ring_release(ring);
        }
    }
}

TEST("rings", "an underrun counts once, and neither before the first frame nor after the end") {
    float frames[8] = {0};
    cpw_ring *ring = cpw_ring_create(1, 8);
    cpw_ring_read(ring, frames, 4);
    CHECK_EQUAL(cpw_ring_underruns(ring), 0);
    cpw_ring_write(ring, frames, 2);
    for (int i = 0; i < 3; i++)
        cpw_ring_read(ring, frames, 4);
    CHECK_EQUAL(cpw_ring_underruns(ring), 1);
    CHECK_EQUAL(cpw_ring_missing(ring), 2 + 4 + 4);
    cpw_ring_write(ring, frames, 6);
    cpw_ring_set_ended(ring, true);
    CHECK_EQUAL(cpw_ring_read(ring, frames, 8), 6);
    CHECK_EQUAL(cpw_ring_underruns(ring), 1);
    cpw_ring_flush(ring);
    cpw_ring_set_ended(ring, false);
    cpw_ring_read(ring, frames, 4);
    CHECK_EQUAL(cpw_ring_underruns(ring), 1);
    CHECK_EQUAL(cpw_ring_missing(ring), 10);
    cpw_ring_release(ring);
}

enum { STREAM_FRAMES = 100000 };

static void *take_all(void *data) {
    cpw_ring *ring = data;
    float frames[64], expected = 0;
    while (expected < STREAM_FRAMES) {
        uint32_t count = cpw_ring_read(ring, frames, 32);
        if (count == 0)
            sched_yield();
        for (uint32_t i = 0; i < count; i++, expected++)
            if (frames[2 * i] != expected || frames[2 * i + 1] != -expected)
                return journal("frame %.0f is %f", (double)expected, (double)frames[2 * i]), ring;
    }
    cpw_ring_release(ring);
    return NULL;
}

TEST("rings", "one thread writes while another one reads") {
    cpw_ring *ring = cpw_ring_create(2, 100);
    pthread_t reader;
    REQUIRE(pthread_create(&reader, NULL, take_all, cpw_ring_retain(ring)) == 0);
    for (uint32_t next = 0; next < STREAM_FRAMES;) {
        float frames[2 * 48];
        uint32_t count = SPA_MIN(48u, STREAM_FRAMES - next);
        for (uint32_t i = 0; i < count; i++)
            frames[2 * i] = (float)(next + i), frames[2 * i + 1] = -(float)(next + i);
        count = cpw_ring_write(ring, frames, count);
        next += count;
        if (count == 0)
            sched_yield();
    }
    void *failed;
    pthread_join(reader, &failed);
    CHECK(failed == NULL);
    cpw_ring_release(ring);
}

/* ---- Gains */

TEST("gains", "they stay within their bounds for every rate, size and number of channels") {
    static const uint32_t rates[] = {1, 8000, 48000, CPW_MAX_RATE}, sizes[] = {0, 1, 63, 64, 65, 1000};
    static const float volumes[] = {0, 0.25f, 1, CPW_MAX_VOLUME}, ducks[] = {0, -10, CPW_LEAST_DUCK};
    struct random random = random_start(2);
    for (size_t rate = 0; rate < SPA_N_ELEMENTS(rates); rate++) {
        for (uint32_t channels = 1; channels <= CPW_MAX_CHANNELS; channels++) {
            cpw_gain gain = {1, 0};
            for (int turn = 0; turn < 60; turn++) {
                uint32_t frames = sizes[random_below(&random, SPA_N_ELEMENTS(sizes))], count = frames * channels;
                cpw_gain target = {volumes[random_below(&random, 4)], ducks[random_below(&random, 3)]};
                float *samples = malloc(count * sizeof(float));
                for (uint32_t i = 0; i < count; i++)
                    samples[i] = 1;
                cpw_gain_apply(&gain, target, rates[rate], samples, frames, channels);
                for (uint32_t i = 0; i < count; i++)
                    CHECK(samples[i] >= -1e-5f && samples[i] <= CPW_MAX_VOLUME + 1e-5f);
                free(samples);
                CHECK(gain.volume == target.volume && gain.duck <= 0 && gain.duck >= CPW_LEAST_DUCK);
            }
        }
    }
}

/* ---- Formats */

TEST("formats", "a format equals the one that was built, and no other") {
    static const uint32_t rates[] = {1, 44100, CPW_MAX_RATE};
    struct cpw_format_storage *storage = malloc(sizeof(*storage));
    for (size_t rate = 0; rate < SPA_N_ELEMENTS(rates); rate++) {
        for (uint32_t channels = 1; channels <= CPW_MAX_CHANNELS; channels++) {
            const struct spa_pod *format = cpw_format_build(storage, rates[rate], channels);
            CHECK(SPA_POD_SIZE(format) <= sizeof(storage->bytes));
            CHECK(cpw_format_is(format, rates[rate], channels));
            CHECK(!cpw_format_is(format, rates[rate] + 1, channels));
            CHECK(!cpw_format_is(format, rates[rate], channels + 1));
            format = cpw_format_build_positions(storage, rates[rate], channels, cpw_card_positions(channels));
            CHECK(cpw_format_is(format, rates[rate], channels));
        }
    }
    CHECK(!cpw_format_is(NULL, 48000, 2));
    free(storage);
}

/* libpipewire's parser would write 64 KiB into its list of 64 positions. */
TEST("formats", "channel positions of any size are read within bounds") {
    enum { POSITIONS = 64, SIZE = 1024 };
    size_t capacity = POSITIONS * SIZE + 512;
    uint8_t *bytes = aligned_alloc(8, capacity), *positions = calloc(POSITIONS, SIZE);
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(bytes, (uint32_t)capacity);
    struct spa_pod_frame frame;
    spa_pod_builder_push_object(&builder, &frame, SPA_TYPE_OBJECT_Format, SPA_PARAM_Format);
    spa_pod_builder_add(&builder, SPA_FORMAT_AUDIO_format, SPA_POD_Id(SPA_AUDIO_FORMAT_F32), SPA_FORMAT_AUDIO_rate,
                        SPA_POD_Int(48000), SPA_FORMAT_AUDIO_channels, SPA_POD_Int(2), 0);
    spa_pod_builder_prop(&builder, SPA_FORMAT_AUDIO_position, 0);
    spa_pod_builder_array(&builder, SIZE, SPA_TYPE_Id, POSITIONS, positions);
    const struct spa_pod *format = spa_pod_builder_pop(&builder, &frame);
    REQUIRE(format != NULL);
    CHECK(cpw_format_is(format, 48000, 2));
    free(positions);
    free(bytes);
}

/* ---- Timing */

TEST("timing", "no value of clocks and peers overflows") {
    static const int64_t delays[] = {0, 1024, -1024, INT32_MAX, INT64_MAX, INT64_MIN};
    static const uint32_t rates[] = {0, 1, 48000, UINT32_MAX};
    static const uint64_t ticks[] = {0, 1024, UINT64_MAX, (uint64_t)1 << 63};
    struct cpw_timing timing = {0};
    for (size_t i = 0; i < SPA_N_ELEMENTS(delays) * 256; i++) {
        struct pw_time time = {.delay = delays[i / 256], .ticks = ticks[i % 4], .buffered = ticks[i / 4 % 4]};
        time.rate = SPA_FRACTION(rates[i / 16 % 4], rates[i / 64 % 4]);
        struct spa_io_position position = {.clock = {.duration = ticks[i / 2 % 4]}};
        uint32_t frames = i % 3 == 0 ? UINT32_MAX : 256;
        cpw_timing_update(&timing, &time, i % 5 == 0 ? NULL : &position, frames, i % 2 == 0 ? 1 : CPW_MAX_RATE);
    }
    struct pw_time usual = {.delay = 480, .ticks = 5000, .buffered = 48, .rate = SPA_FRACTION(1, 48000)};
    cpw_timing_update(&timing, &usual, NULL, 1024, 48000);
    CHECK_EQUAL(timing.quantum, 1024);
    CHECK_EQUAL(timing.rate, 48000);
    CHECK_EQUAL(timing.delay_ns, 11 * SPA_NSEC_PER_MSEC);
}

TEST("timing", "the quantum is that of the cycle, also after missed cycles and with another rate") {
    struct cpw_timing timing = {0};
    struct pw_time time = {.ticks = 5000, .rate = SPA_FRACTION(1, 48000)};
    struct spa_io_position position = {.clock = {.duration = 1024}};
    for (uint64_t cycles = 1; cycles <= 4; cycles++) {
        time.ticks += cycles * 1024;
        cpw_timing_update(&timing, &time, &position, 940, 44100);
        CHECK_EQUAL(timing.quantum, 1024);
    }
}

/* ---- Sets of ids */

TEST("ids", "every id can be stored and removed, and without memory every id is a member") {
    static const uint32_t ids[] = {0, 7, 8, 1023, 1024, 65535, (1 << 20) - 1, 1 << 20, UINT32_MAX};
    struct cpw_id_set set = {0};
    for (size_t i = 0; i < SPA_N_ELEMENTS(ids); i++) {
        cpw_id_set_put(&set, ids[i], i % 2 == 0);
        bool is_beyond = ids[i] >= 1 << 20;
        CHECK_EQUAL(cpw_id_set_remove(&set, ids[i]), i % 2 == 0 || is_beyond);
        CHECK_EQUAL(cpw_id_set_remove(&set, ids[i]), is_beyond);
    }
    cpw_id_set_clear(&set);
    CHECK(with_failing_allocations(^{
        struct cpw_id_set own = {0};
        cpw_id_set_put(&own, 5, true);
        cpw_id_set_put(&own, 5000, true);
        CHECK(cpw_id_set_remove(&own, 5) && cpw_id_set_remove(&own, 5000));
        cpw_id_set_clear(&own);
    }) == 2);
}

/* ---- Properties */

TEST("properties", "wanted keys are found in any order, the last value of each, and no others") {
    static const char *const keys[] = {"", "a", "device.id", "media.class", "node.name", "\xff"};
    const cpw_property list[] = {
        {"node.name", "first"}, {"zzz", "z"}, {"media.class", NULL}, {NULL, "no key"}, {NULL, NULL},
        {"node.name", "last"},  {"", "empty"}, {"device.id", ""},    {"node.nam", "x"}, {"\xff", "byte"},
    };
    const char *out[SPA_N_ELEMENTS(keys)];
    cpw_properties_pick(list, SPA_N_ELEMENTS(list), keys, SPA_N_ELEMENTS(keys), out);
    CHECK_TEXT(out[0], "empty");
    CHECK(out[1] == NULL && out[3] == NULL);
    CHECK_TEXT(out[2], "");
    CHECK_TEXT(out[4], "last");
    CHECK_TEXT(out[5], "byte");
    cpw_properties_pick(NULL, 0, keys, SPA_N_ELEMENTS(keys), out);
    CHECK(out[0] == NULL && out[4] == NULL);
}

TEST("library", "the version is parsed and compared") {
    int major = 0, minor = 0, micro = 0;
    CHECK_EQUAL(sscanf(cpw_library_version(), "%d.%d.%d", &major, &minor, &micro), 3);
    CHECK(!cpw_library_is_older_than(major, minor, micro) && cpw_library_is_older_than(major, minor, micro + 1));
    CHECK(cpw_library_is_older_than(major + 1, 0, 0) && !cpw_library_is_older_than(0, 2, 99));
}
