#include "internal.h"

#include <time.h>

struct cpw_timer {
    cpw_loop *loop;
    struct spa_source *source;
    struct spa_list link; /* among the loop's `armed_timers` */
    uint64_t time;        /* when it fires; 0: it is not among them */
    bool fires_in_callbacks;
    void (*fired)(void *user);
    void *user;
};

static void forget(cpw_timer *timer) {
    if (timer->time != 0)
        spa_list_remove(&timer->link);
    timer->time = 0;
}

static void on_expired(void *data, uint64_t count) {
    (void)count;
    cpw_timer *timer = data;
    forget(timer);
    timer->loop->event_time = 0;
    timer->fired(timer->user);
}

cpw_timer *cpw_timer_create(cpw_loop *loop, bool fires_in_callbacks, void (*fired)(void *), void *user) {
    cpw_timer *timer = calloc(1, sizeof(*timer));
    if (timer == NULL)
        return NULL;
    timer->loop = loop;
    timer->fires_in_callbacks = fires_in_callbacks;
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

void cpw_timer_arm(cpw_timer *timer, uint64_t nanoseconds) {
    forget(timer);
    set_timer(timer, nanoseconds ? nanoseconds : 1);
    if (!timer->fires_in_callbacks)
        return;
    uint64_t now = cpw_now();
    timer->time = nanoseconds < UINT64_MAX - now ? now + nanoseconds : UINT64_MAX;
    spa_list_append(&timer->loop->armed_timers, &timer->link);
}

void cpw_timer_disarm(cpw_timer *timer) {
    forget(timer);
    set_timer(timer, 0);
}

void cpw_timer_destroy(cpw_timer *timer) {
    forget(timer);
    pw_loop_destroy_source(timer->loop->loop, timer->source);
    free(timer);
}

static cpw_timer *first_due(cpw_loop *loop, uint64_t now) {
    cpw_timer *timer;
    spa_list_for_each(timer, &loop->armed_timers, link) {
        if (timer->time <= now)
            return timer;
    }
    return NULL;
}

/* Each call may arm, disarm and destroy timers, so the list is searched again after it. */
static void fire_due_timers(cpw_loop *loop) {
    if (spa_list_is_empty(&loop->armed_timers))
        return;
    uint64_t now = cpw_now();
    for (cpw_timer *timer; (timer = first_due(loop, now)) != NULL;) {
        cpw_timer_disarm(timer);
        timer->fired(timer->user);
    }
}

void cpw_loop_run_waiting(cpw_loop *loop, void (*jobs)(void *user), void *user) {
    uint64_t event_time = loop->event_time;
    loop->event_time = 0;
    fire_due_timers(loop);
    jobs(user);
    loop->event_time = event_time;
}
