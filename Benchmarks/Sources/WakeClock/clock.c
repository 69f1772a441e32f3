#define _GNU_SOURCE
#include "WakeClock.h"

#include <dlfcn.h>
#include <poll.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <time.h>

#define KEPT 64

static struct {
    _Atomic uint64_t from, to;
} kept[KEPT];
static atomic_uint taken;

static int (*wait_for_files)(int set, struct epoll_event *events, int most, int timeout);
static int (*look_at_files)(struct pollfd *files, nfds_t count, int timeout);
static int (*look_at_files_precisely)(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *mask);

__attribute__((constructor)) static void begin(void) {
    *(void **)&wait_for_files = dlsym(RTLD_NEXT, "epoll_wait");
    *(void **)&look_at_files = dlsym(RTLD_NEXT, "poll");
    *(void **)&look_at_files_precisely = dlsym(RTLD_NEXT, "ppoll");
}

static uint64_t time_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int keep(uint64_t from, int result) {
    if (result <= 0)
        return result;
    unsigned place = atomic_fetch_add_explicit(&taken, 1, memory_order_relaxed) % KEPT;
    atomic_store_explicit(&kept[place].from, from, memory_order_relaxed);
    atomic_store_explicit(&kept[place].to, time_now(), memory_order_release);
    return result;
}

int epoll_wait(int set, struct epoll_event *events, int most, int timeout) {
    uint64_t from = time_now();
    return keep(from, wait_for_files(set, events, most, timeout));
}

int poll(struct pollfd *files, nfds_t count, int timeout) {
    uint64_t from = time_now();
    return keep(from, look_at_files(files, count, timeout));
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
    uint64_t from = time_now();
    return keep(from, look_at_files_precisely(files, count, timeout, mask));
}

int wake_clock_sleeps(wake_clock_sleep *sleeps, int count) {
    unsigned end = atomic_load_explicit(&taken, memory_order_acquire);
    unsigned number = end < (unsigned)count ? end : (unsigned)count;
    number = number < KEPT ? number : KEPT;
    for (unsigned i = 0; i < number; i++) {
        unsigned place = (end - number + i) % KEPT;
        sleeps[i].to = atomic_load_explicit(&kept[place].to, memory_order_acquire);
        sleeps[i].from = atomic_load_explicit(&kept[place].from, memory_order_relaxed);
    }
    return (int)number;
}
