#include "internal.h"

#include <time.h>

uint64_t cpw_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Repeats the readings if they are far apart: the thread was interrupted then, and the difference
 * would include the interruption. */
uint64_t cpw_time_asleep(void) {
    for (int attempt = 0;; attempt++) {
        uint64_t before = cpw_now();
        struct timespec boot;
        clock_gettime(CLOCK_BOOTTIME, &boot);
        uint64_t time = (uint64_t)boot.tv_sec * 1000000000u + (uint64_t)boot.tv_nsec, after = cpw_now();
        if (after - before < 10 * 1000 * 1000 || attempt == 10)
            return time > after ? time - after : 0;
    }
}

int cpw_wait(void *condition, void *mutex, uint64_t deadline) {
    struct timespec time = {.tv_sec = (time_t)(deadline / 1000000000u), .tv_nsec = (long)(deadline % 1000000000u)};
    return pthread_cond_timedwait(condition, mutex, &time);
}
