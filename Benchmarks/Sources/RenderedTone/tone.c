#include "RenderedTone.h"

#include <peer.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

static atomic_bool is_requested;
static _Atomic uint64_t clicked;

void rendered_tone(void *context, float *samples, uint32_t frames, uint32_t channels, uint32_t rate, uint64_t time) {
    (void)context, (void)rate, (void)time;
    bool clicks = atomic_exchange(&is_requested, false);
    for (uint32_t frame = 0; frame < frames; frame++)
        for (uint32_t channel = 0; channel < channels; channel++)
            samples[frame * channels + channel] = clicks ? 0.5f : frame / 16 % 2 == 0 ? 0.01f : -0.01f;
    if (clicks)
        atomic_store(&clicked, peer_now());
}

uint64_t rendered_tone_click(void) {
    const struct timespec pause = {0, 1000000};
    atomic_store(&clicked, 0);
    atomic_store(&is_requested, true);
    for (int waited = 0; waited < 1000 && atomic_load(&clicked) == 0; waited++)
        nanosleep(&pause, NULL);
    return atomic_load(&clicked);
}
