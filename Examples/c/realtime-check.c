/* realtime-check: reports what a program does in PipeWire's process callbacks and should not.
 *
 *     cc -shared -fPIC -O1 -o realtime-check.so realtime-check.c
 *     LD_PRELOAD=$PWD/realtime-check.so the-program
 *
 * A process callback runs on PipeWire's real-time thread, and the sound of all programs waits for it.
 * Each function below that allocates, locks or makes a system call is reported once, with the stack, if
 * a process callback of a pw_stream calls it. A callback for rendering or capturing runs inside one. At
 * the end of the program the numbers of callbacks and of such calls are reported.
 *
 *     REALTIME_CHECK_LOG=FILE   writes there instead of to standard error
 *     REALTIME_CHECK_ABORT=1    aborts at the first such call, for a debugger
 *
 * For Linux with the GNU C library. Functions are seen where one library calls another: system calls
 * that the C library makes by itself, as in printf, are not. Any license: take it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

struct pw_stream;
struct spa_hook;

/* pw_stream_events in version 2, which PipeWire 0.3 and 1 have; each version added the last one. */
#define NEWEST 2
struct stream_events {
    uint32_t version;
    void (*earlier[7])(void);
    void (*process)(void *);
    void (*drained)(void);
    void (*later[NEWEST])(void);
};

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

#define MOST_STREAMS 256
static struct {
    _Atomic(void *) data;
    void (*process)(void *);
    struct stream_events events;
} streams[MOST_STREAMS];
static atomic_uint stream_count;
static atomic_ulong callbacks, calls;
static int file = 2;
static bool aborts;

/* Thread-local storage of the kind that allocates nothing. */
static _Thread_local bool is_inside __attribute__((tls_model("initial-exec")));

static ssize_t write_all(const char *text) {
    static ssize_t (*next)(int, const void *, size_t);
    if (next == NULL)
        next = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    return next(file, text, strlen(text));
}

static void note(const char *function, atomic_bool *is_known) {
    if (!is_inside)
        return;
    int error = errno;
    is_inside = false;
    atomic_fetch_add(&calls, 1);
    if (!atomic_exchange(is_known, true)) {
        void *frames[24];
        char line[120];
        snprintf(line, sizeof(line), "realtime-check: %s in a process callback:\n", function);
        write_all(line);
        backtrace_symbols_fd(frames, backtrace(frames, 24), file);
    }
    if (aborts)
        abort();
    is_inside = true;
    errno = error;
}

#define NOTE(name)                     \
    do {                               \
        static atomic_bool is_known;   \
        note(name, &is_known);         \
    } while (false)

/* ---- PipeWire */

static void process(void *data) {
    for (unsigned i = 0; i < MOST_STREAMS && i < atomic_load(&stream_count); i++) {
        if (atomic_load(&streams[i].data) != data)
            continue;
        atomic_fetch_add(&callbacks, 1);
        is_inside = true;
        streams[i].process(data);
        is_inside = false;
        return;
    }
}

/* A program that loads the library by dlopen has PipeWire outside of the search order of RTLD_NEXT. */
static void *of_pipewire(const char *name) {
    void *symbol = dlsym(RTLD_NEXT, name);
    void *library = symbol == NULL ? dlopen("libpipewire-0.3.so.0", RTLD_LAZY | RTLD_NOLOAD) : NULL;
    return library != NULL ? dlsym(library, name) : symbol;
}

/* Later listeners of a stream with the same data replace earlier ones. */
void pw_stream_add_listener(struct pw_stream *stream, struct spa_hook *listener, const struct stream_events *events,
                            void *data) {
    static void (*next)(struct pw_stream *, struct spa_hook *, const struct stream_events *, void *);
    if (next == NULL)
        next = (void (*)(struct pw_stream *, struct spa_hook *, const struct stream_events *, void *))of_pipewire(
            "pw_stream_add_listener");
    unsigned place = 0;
    while (place < MOST_STREAMS && place < atomic_load(&stream_count) && atomic_load(&streams[place].data) != data)
        place++;
    if (events->process == NULL || data == NULL || place == MOST_STREAMS)
        return next(stream, listener, events, data);
    uint32_t version = events->version < NEWEST ? events->version : NEWEST;
    memcpy(&streams[place].events, events, offsetof(struct stream_events, later) + version * sizeof(void *));
    streams[place].process = events->process;
    streams[place].events.version = version;
    streams[place].events.process = process;
    atomic_store(&streams[place].data, data);
    if (place == atomic_load(&stream_count))
        atomic_fetch_add(&stream_count, 1);
    next(stream, listener, &streams[place].events, data);
}

/* ---- Memory */

void *malloc(size_t size) {
    NOTE("malloc");
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    NOTE("calloc");
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    NOTE("realloc");
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    NOTE("aligned_alloc");
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    NOTE("posix_memalign");
    *memory = __libc_memalign(alignment, size);
    return *memory == NULL ? ENOMEM : 0;
}

void free(void *memory) {
    if (memory != NULL)
        NOTE("free");
    __libc_free(memory);
}

/* ---- Locks and system calls */

#define CHECKED(result, name, parameters, arguments)                   \
    result name parameters {                                           \
        static result(*next) parameters;                               \
        NOTE(#name);                                                   \
        if (next == NULL)                                              \
            next = (result(*) parameters)dlsym(RTLD_NEXT, #name);      \
        return next arguments;                                         \
    }

CHECKED(int, pthread_mutex_lock, (pthread_mutex_t * mutex), (mutex))
CHECKED(int, pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock))
CHECKED(int, pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock))
CHECKED(int, pthread_cond_signal, (pthread_cond_t * condition), (condition))
CHECKED(int, pthread_cond_broadcast, (pthread_cond_t * condition), (condition))
CHECKED(int, pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t *mutex), (condition, mutex))
CHECKED(int, sem_wait, (sem_t * semaphore), (semaphore))
CHECKED(int, sem_post, (sem_t * semaphore), (semaphore))
CHECKED(ssize_t, read, (int file, void *bytes, size_t count), (file, bytes, count))
CHECKED(ssize_t, write, (int file, const void *bytes, size_t count), (file, bytes, count))
CHECKED(ssize_t, send, (int socket, const void *bytes, size_t count, int flags), (socket, bytes, count, flags))
CHECKED(ssize_t, recv, (int socket, void *bytes, size_t count, int flags), (socket, bytes, count, flags))
CHECKED(ssize_t, sendmsg, (int socket, const struct msghdr *message, int flags), (socket, message, flags))
CHECKED(ssize_t, recvmsg, (int socket, struct msghdr *message, int flags), (socket, message, flags))
CHECKED(int, poll, (struct pollfd * files, nfds_t count, int timeout), (files, count, timeout))
CHECKED(int, close, (int file), (file))
CHECKED(int, nanosleep, (const struct timespec *time, struct timespec *rest), (time, rest))
CHECKED(int, sched_yield, (void), ())
CHECKED(void *, mmap, (void *address, size_t size, int protection, int flags, int file, off_t offset),
        (address, size, protection, flags, file, offset))
CHECKED(int, munmap, (void *address, size_t size), (address, size))

int ioctl(int file, unsigned long request, ...) {
    static int (*next)(int, unsigned long, void *);
    va_list arguments;
    NOTE("ioctl");
    if (next == NULL)
        next = (int (*)(int, unsigned long, void *))dlsym(RTLD_NEXT, "ioctl");
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return next(file, request, argument);
}

int open(const char *path, int flags, ...) {
    static int (*next)(const char *, int, unsigned);
    va_list arguments;
    NOTE("open");
    if (next == NULL)
        next = (int (*)(const char *, int, unsigned))dlsym(RTLD_NEXT, "open");
    va_start(arguments, flags);
    unsigned mode = va_arg(arguments, unsigned);
    va_end(arguments);
    return next(path, flags, mode);
}

/* Futexes are such calls. */
long syscall(long number, ...) {
    static long (*next)(long, long, long, long, long, long, long);
    va_list arguments;
    long values[6];
    NOTE("syscall");
    if (next == NULL)
        next = (long (*)(long, long, long, long, long, long, long))dlsym(RTLD_NEXT, "syscall");
    va_start(arguments, number);
    for (int i = 0; i < 6; i++)
        values[i] = va_arg(arguments, long);
    va_end(arguments);
    return next(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}

/* ---- The report */

__attribute__((constructor)) static void begin(void) {
    void *frames[1];
    const char *path = getenv("REALTIME_CHECK_LOG");
    const char *abort = getenv("REALTIME_CHECK_ABORT");
    /* 01 | 0100 | 02000 | 02000000 are O_WRONLY, O_CREAT, O_APPEND and O_CLOEXEC. The header that names them declares
     * open in another way. */
    if (path != NULL && (file = open(path, 01 | 0100 | 02000 | 02000000, 0600u)) < 0)
        file = 2;
    aborts = abort != NULL && *abort == '1';
    /* The first call allocates. */
    backtrace(frames, 1);
}

__attribute__((destructor)) static void end(void) {
    char line[120];
    snprintf(line, sizeof(line), "realtime-check: %lu process callbacks, %lu calls that can wait\n",
             atomic_load(&callbacks), atomic_load(&calls));
    write_all(line);
}
