#define _GNU_SOURCE
#include "peer.h"

#include <WakeClock.h>
#include <dlfcn.h>
#include <linux/capability.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The maximum number of sleeps in a line, and the maximum length of it. */
#define SLEEPS 16
#define LINE 1024

uint64_t peer_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void peer_be_ordinary(void) {
    const struct rlimit none = {0, 0};
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
    setrlimit(RLIMIT_NICE, &none);
    if (syscall(SYS_capget, &header, data) != 0)
        return;
    data[CAP_TO_INDEX(CAP_SYS_NICE)].effective &= ~CAP_TO_MASK(CAP_SYS_NICE);
    data[CAP_TO_INDEX(CAP_SYS_NICE)].permitted &= ~CAP_TO_MASK(CAP_SYS_NICE);
    syscall(SYS_capset, &header, data);
}

void peer_print(const char *format, ...) {
    char line[LINE];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    if (length <= 0)
        return;
    if ((size_t)length >= sizeof(line))
        length = sizeof(line) - 1;
    /* The driver has ended, so this process ends. */
    if (write(STDOUT_FILENO, line, (size_t)length) != length)
        _exit(1);
}

void peer_line(const char *line) { peer_print("%s", line); }

static int (*sleeps_until_now)(wake_clock_sleep *sleeps, int count);

void peer_ready(void) {
    *(void **)&sleeps_until_now = dlsym(RTLD_DEFAULT, "wake_clock_sleeps");
    peer_print("ready\n");
}

static void *wait_for_end(void *nothing) {
    char byte;
    while (read(STDIN_FILENO, &byte, 1) > 0) {}
    _exit(0);
    return nothing;
}

void peer_follow_driver(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, wait_for_end, NULL) == 0)
        pthread_detach(thread);
}

static void (*relay)(const char *level, const char *what, const char *detail);

void peer_relay(void (*other)(const char *level, const char *what, const char *detail)) { relay = other; }

void peer_saw(uint64_t time, const char *level, const char *what, const char *detail) {
    if (relay)
        relay(level, what, detail);
    else
        peer_print_seen(time, level, what, detail);
}

static void print_sleeps(void) {
    wake_clock_sleep sleeps[SLEEPS];
    char line[SLEEPS * 42 + 1] = "";
    int count = sleeps_until_now ? sleeps_until_now(sleeps, SLEEPS) : 0, length = 0;
    for (int i = 0; i < count; i++)
        length += snprintf(line + length, sizeof(line) - (size_t)length, " %llu %llu", (unsigned long long)sleeps[i].from,
                           (unsigned long long)sleeps[i].to);
    if (count > 0)
        peer_print("slept%s\n", line);
}

void peer_print_seen(uint64_t time, const char *level, const char *what, const char *detail) {
    print_sleeps();
    peer_print("saw %llu %s %s %s\n", (unsigned long long)time, level, what, detail);
}

int peer_unavailable(const char *header) {
    peer_print("unavailable built without %s\n", header);
    return 69;
}

bool peer_is_ours(const char *name) { return name && strncmp(name, PEER_PREFIX, strlen(PEER_PREFIX)) == 0; }

bool peer_name_in_json(const char *json, char *name, int size) {
    const char *start = json ? strstr(json, "\"name\"") : NULL;
    start = start ? strchr(start + 6, ':') : NULL;
    start = start ? strchr(start, '"') : NULL;
    const char *end = start ? strchr(start + 1, '"') : NULL;
    if (!end || end - start > size)
        return false;
    memcpy(name, start + 1, (size_t)(end - start - 1));
    name[end - start - 1] = 0;
    return true;
}
