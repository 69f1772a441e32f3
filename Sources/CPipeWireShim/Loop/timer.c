#include "internal.h"

#include <time.h>

struct cpw_timer {
    cpw_loop *loop;
    struct spa_source *source;
    void (*fired)(void *user);
    void *user;
};

static void on_expired(void *data, uint64_t count) {
    (void)count;
    cpw_timer *timer = data;
    timer->fired(timer->user);
}

cpw_timer *cpw_timer_create(cpw_loop *loop, void (*fired)(void *), void *user) {
    cpw_timer *timer = calloc(1, sizeof(*timer));
    if (timer == NULL)
        return NULL;
    timer->loop = loop;
    timer->fired = fired;
    timer->user = user;
    timer->source = pw_loop_add_timer(loop->loop, on_expired, timer);
    if (timer->source == NULL) {
        free(timer);
        return NULL;
    }
    return timer;
}

static void set_timer(cpw_timer *timer, uint64_t nanoseconds) {
    struct timespec value = {
        .tv_sec = (time_t)(nanoseconds / 1000000000u),
        .tv_nsec = (long)(nanoseconds % 1000000000u),
    };
    pw_loop_update_timer(timer->loop->loop, timer->source, &value, NULL, false);
}

void cpw_timer_arm(cpw_timer *timer, uint64_t nanoseconds) { set_timer(timer, nanoseconds ? nanoseconds : 1); }

void cpw_timer_disarm(cpw_timer *timer) { set_timer(timer, 0); }

void cpw_timer_destroy(cpw_timer *timer) {
    pw_loop_destroy_source(timer->loop->loop, timer->source);
    free(timer);
}
