/* Sources/CPipeWireShim/Streams/callback.c, without a daemon: calls, counts and destruction.
 * stream_callbacks.c has the callbacks of streams. */
#include "Streams/callback.h"
#include "harness.h"

static int destroyed;

static void destroy(void *context) {
    CHECK(context == &destroyed);
    destroyed++;
}

static void render(void *context, float *samples, uint32_t frames, uint32_t channels, uint32_t rate, uint64_t time) {
    (void)context;
    for (uint32_t i = 0; i < frames * channels; i++) {
        CHECK(samples[i] == 0);
        samples[i] = (float)rate;
    }
    if (time == 1) { /* longer than a frame lasts */
        uint64_t start = cpw_now();
        while (cpw_now() - start < 2 * SPA_NSEC_PER_MSEC)
            ;
    }
}

static void receive(void *context, const float *samples, uint32_t frames, uint32_t channels, uint32_t rate,
                    uint64_t time) {
    (void)context, (void)channels, (void)rate, (void)time;
    CHECK(frames == 0 || samples[0] == 0.25f);
}

TEST("callbacks", "the context is destroyed once, by the last reference") {
    cpw_callback *callback = cpw_callback_create_render(2, render, &destroyed, destroy);
    REQUIRE(callback != NULL);
    cpw_callback_release(cpw_callback_retain(callback));
    CHECK_EQUAL(destroyed, 0);
    cpw_callback_release(callback);
    CHECK_EQUAL(destroyed, 1);
    callback = cpw_callback_create_receive(CPW_MAX_CHANNELS, receive, NULL, NULL);
    REQUIRE(callback != NULL);
    cpw_callback_release(callback);
}

TEST("callbacks", "the context is destroyed at once if no stream is created") {
    CHECK(cpw_callback_create_render(0, render, &destroyed, destroy) == NULL);
    CHECK_EQUAL(destroyed, 1);
    CHECK(cpw_callback_create_receive(CPW_MAX_CHANNELS + 1, receive, &destroyed, destroy) == NULL);
    CHECK_EQUAL(destroyed, 2);
    CHECK_EQUAL(with_failing_allocations(^{
        cpw_callback *callback = cpw_callback_create_render(1, render, &destroyed, destroy);
        if (callback != NULL)
            cpw_callback_release(callback);
    }), 1);
    CHECK_EQUAL(destroyed, 4);
}

TEST("callbacks", "frames are counted, and on request calls that take too long") {
    float samples[4] = {1, 2, 3, 4};
    cpw_callback *callback = cpw_callback_create_render(2, render, NULL, NULL);
    cpw_callback_render(callback, samples, 2, 48000, 1);
    CHECK(samples[0] == 48000 && samples[3] == 48000);
    CHECK_EQUAL(cpw_callback_frames(callback), 2);
    CHECK_EQUAL(cpw_callback_late(callback), 0);
    cpw_callback_set_timed(callback, true);
    cpw_callback_render(callback, samples, 2, 48000, 1);
    CHECK_EQUAL(cpw_callback_late(callback), 1);
    cpw_callback_render(callback, samples, 2, 1, 0); /* two seconds of sound */
    CHECK_EQUAL(cpw_callback_late(callback), 1);
    CHECK_EQUAL(cpw_callback_frames(callback), 6);
    cpw_callback_release(callback);
    callback = cpw_callback_create_receive(1, receive, NULL, NULL);
    cpw_callback_receive(callback, (const float[]){0.25f}, 1, 48000, 0);
    CHECK_EQUAL(cpw_callback_frames(callback), 1);
    cpw_callback_release(callback);
}
