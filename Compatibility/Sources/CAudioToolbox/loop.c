#define _GNU_SOURCE /* pthread_cond_clockwait */

#include <CoreFoundation/CoreFoundation.h>
#include <pthread.h>

static pthread_mutex_t loop_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t loop_stopped = PTHREAD_COND_INITIALIZER;
static unsigned loop_stops;
static struct as_cf_run_loop { char unused; } loop;

CFRunLoopRef CFRunLoopGetMain(void) { return &loop; }
CFRunLoopRef CFRunLoopGetCurrent(void) { return &loop; }

void CFRunLoopRun(void) {
    pthread_mutex_lock(&loop_lock);
    for (unsigned stops = loop_stops; stops == loop_stops;) pthread_cond_wait(&loop_stopped, &loop_lock);
    pthread_mutex_unlock(&loop_lock);
}

/* Limits the wait to a year, because a longer one does not fit into every time_t. */
static struct timespec deadline_after(CFTimeInterval seconds) {
    struct timespec deadline;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    double limited = seconds > 0 ? fmin(seconds, 365 * 86400.0) : 0;
    deadline.tv_sec += (time_t)limited;
    deadline.tv_nsec += (long)((limited - floor(limited)) * 1e9);
    if (deadline.tv_nsec >= 1000000000) deadline.tv_sec++, deadline.tv_nsec -= 1000000000;
    return deadline;
}

SInt32 CFRunLoopRunInMode(CFStringRef mode, CFTimeInterval seconds, Boolean returns_early) {
    (void)mode;
    (void)returns_early;
    struct timespec deadline = deadline_after(seconds);
    int error = 0;
    pthread_mutex_lock(&loop_lock);
    unsigned stops = loop_stops;
    while (stops == loop_stops && error == 0)
        error = pthread_cond_clockwait(&loop_stopped, &loop_lock, CLOCK_MONOTONIC, &deadline);
    bool is_stopped = stops != loop_stops;
    pthread_mutex_unlock(&loop_lock);
    return is_stopped ? kCFRunLoopRunStopped : kCFRunLoopRunTimedOut;
}

void CFRunLoopStop(CFRunLoopRef stopped) {
    (void)stopped;
    pthread_mutex_lock(&loop_lock);
    loop_stops++;
    pthread_cond_broadcast(&loop_stopped);
    pthread_mutex_unlock(&loop_lock);
}
