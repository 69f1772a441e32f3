#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CProcess.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A trial that meets no held lock takes some milliseconds, and longer on a busy computer. */
enum { SHORTEST_TRIAL = 30 * 1000 /* us */, LONGEST_TRIAL = 250 * 1000, TRIALS = 16 };

/* A fork takes longer the more memory the program has, and calls the handlers for forks that
 * libraries have registered. */
enum { FORK_LIMIT = 5 /* s */, STEP = 10 /* ms */ };

/* Memory that the program shares with its watchdog. A socket would be full of former orders when the
 * program replaces its order more often than the watchdog runs. A kill while the program writes one
 * order leaves the other one whole. */
struct shared {
    atomic_uint current;
    char orders[2][CPR_WATCHDOG_ORDER_SIZE]; /* each ends with a zero byte */
};

struct cpr_watchdog {
    struct shared *shared;
    int file, slot; /* the watchdog has the other end of the socket, and awaits the end of this one */
    int process;    /* -1, or the watchdog's, if the program has to wait for it */
    pid_t program;  /* a child that it forks without exec has the same memory */
};

/* ---- In the watchdog ------------------------------------------------------------------------- */

/* Closes all files but the standard ones and one more. Kernels before 5.9 and some seccomp filters
 * lack close_range. The folder can be read while its files are closed, because the kernel lists them
 * by number. */
static int close_others(int kept) {
    if ((kept == 3 || close_range(3, (unsigned)kept - 1, 0) == 0) && close_range((unsigned)kept + 1, ~0U, 0) == 0)
        return 0;
    DIR *files = opendir("/proc/self/fd");
    if (files == NULL)
        return -1;
    for (const struct dirent *entry; (entry = readdir(files)) != NULL;) {
        int file = atoi(entry->d_name);
        if (file > 2 && file != kept && file != dirfd(files))
            close(file);
    }
    return closedir(files);
}

/* Closes all files of the program, so that PipeWire and readers of its output notice the program's
 * end. The socket keeps its number, because a library of the program may still write to any other
 * one, such as that of a log. */
static int detach(int socket) {
    if (close_others(socket) < 0)
        return -1;
    int null = open("/dev/null", O_RDWR);
    if (null < 0 || chdir("/") < 0)
        return -1;
    for (int standard = 0; standard < 3; standard++)
        if (null != standard && dup2(null, standard) < 0)
            return -1;
    return null > 2 ? close(null) : 0;
}

/* No signal that is sent to the program's group ends the watchdog. The kernel ends a process that
 * blocks SIGSYS when a sandbox sends that for a system call. */
static void block_signals(void) {
    sigset_t most;
    sigfillset(&most);
    sigdelset(&most, SIGSYS);
    sigprocmask(SIG_SETMASK, &most, NULL);
}

static _Noreturn void await_end(struct shared *shared, int socket, cpr_watchdog_work work, const char *argument) {
    char byte;
    ssize_t size;
    do
        size = recv(socket, &byte, sizeof(byte), 0);
    while (size > 0 || (size < 0 && errno == EINTR));
    char *order = shared->orders[atomic_load_explicit(&shared->current, memory_order_acquire)];
    if (order[0] != '\0')
        work(argument, order);
    _exit(0);
}

static void enable_alarm(void) {
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    signal(SIGALRM, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &alarm, NULL);
}

void cpr_watchdog_end_after(unsigned seconds) {
    enable_alarm();
    alarm(seconds);
}

/* ---- In the program -------------------------------------------------------------------------- */

/* A crash of the copy is not one of the program, so it does not reach the program's crash handler. A
 * sandbox may need its handler of SIGSYS, which stays. */
static void reset_handlers(void) {
    static const int faults[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
        signal(faults[i], SIG_DFL);
}

/* Ends the process after the time, instead of after an earlier limit. A child that it forks has no
 * limit. */
static void limit_time(time_t seconds, suseconds_t microseconds) {
    const struct itimerval limit = {.it_value = {seconds, microseconds}};
    enable_alarm();
    setitimer(ITIMER_REAL, &limit, NULL);
}

/* A crash in the trial writes no core dump; RLIMIT_CORE would not prevent one from a dump handler. */
static void run_trial(cpr_watchdog_trial trial) {
    int was_dumpable = prctl(PR_GET_DUMPABLE);
    prctl(PR_SET_DUMPABLE, 0);
    trial();
    prctl(PR_SET_DUMPABLE, was_dumpable);
}

static void report(int socket, int result) { send(socket, &result, sizeof(result), MSG_NOSIGNAL); }

static _Noreturn void end_with(int socket, int result) {
    report(socket, result);
    _exit(0);
}

pid_t _Fork(void) __attribute__((weak)); /* missing in glibc before 2.34 */

/* The first fork has called all handlers for forks. In the watchdog they could start threads or
 * open files. */
static pid_t fork_without_handlers(void) { return _Fork != NULL ? _Fork() : fork(); }

/* Each report says what an end during the next step means. The program's files are closed before
 * the trial. It may have used up its limit, and glibc's loader prints a message if the trial
 * meets data that another thread was changing. The trial hangs if another thread held a lock at
 * the fork. */
static _Noreturn void run_child(const cpr_watchdog *watchdog, int file, cpr_watchdog_work work,
                                cpr_watchdog_trial trial, suseconds_t time, const char *argument) {
    limit_time(FORK_LIMIT, 0);
    report(file, -ETIMEDOUT);
    setsid();
    reset_handlers();
    int socket = file > 2 ? file : fcntl(file, F_DUPFD, 3);
    if (socket < 0)
        end_with(file, -errno);
    if (detach(socket) < 0)
        end_with(socket, -errno);
    if (trial != NULL) {
        report(socket, -EDEADLK);
        limit_time(0, time);
        run_trial(trial);
    }
    block_signals();
    limit_time(FORK_LIMIT, 0);
    report(socket, -ETIMEDOUT);
    prctl(PR_SET_NAME, "audio-watchdog");
    pid_t grandchild = fork_without_handlers();
    if (grandchild == 0) {
        block_signals();
        await_end(watchdog->shared, socket, work, argument);
    }
    end_with(socket, grandchild < 0 ? -errno : grandchild);
}

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits for the first report of the child, or for its end. False after FORK_LIMIT: a handler for
 * forks hangs in the child, which has no alarm yet. */
static bool has_begun(int file, pid_t child) {
    struct pollfd reports = {.fd = file, .events = POLLIN};
    int64_t end = milliseconds() + FORK_LIMIT * 1000;
    while (poll(&reports, 1, STEP) <= 0) {
        siginfo_t info = {0};
        if (waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid != 0)
            return true;
        if (milliseconds() >= end)
            return false;
    }
    return true;
}

/* Until the program ends, the watchdog calls nothing that needs a lock. Afterwards it may allocate
 * memory, which glibc permits in the child of a program with threads. It is a grandchild, whose
 * parent has exited, so that the program has no unexpected child. Returns its process id. */
static int start(const cpr_watchdog *watchdog, int file, cpr_watchdog_work work, cpr_watchdog_trial trial,
                 suseconds_t time, const char *argument) {
    pid_t child = fork();
    if (child < 0)
        return -errno;
    if (child == 0)
        run_child(watchdog, file, work, trial, time, argument);
    int result = -EDEADLK;
    if (!has_begun(watchdog->file, child)) {
        result = -ETIMEDOUT;
        kill(child, SIGKILL);
    }
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    // The last report counts. If it is the one before the trial, the trial has ended the child: by
    // the alarm, by a crash, or by an exit, as glibc's loader does. The status of the child is lost
    // if the program ignores SIGCHLD or waits for any child.
    while (recv(watchdog->file, &result, sizeof(result), MSG_DONTWAIT) == sizeof(result)) {
    }
    return result;
}

/* The watchdogs that were released, and for which the program has to wait: their files plus 1, or
 * 0. A process id would belong to another child if the program also waits for any child. */
static atomic_int released[16];
static atomic_int releaser; /* the program; a child that it forks without exec has other files */
static const idtype_t by_file = (idtype_t)3; /* P_PIDFD, which glibc before 2.36 lacks */

/* The first process of a container, and a subreaper, becomes the parent of its watchdogs. Those
 * that have ended are zombies until it waits for them. Returns -1 in other programs, and before
 * Linux 5.4. */
static int open_process(pid_t process) {
    int is_subreaper = 0;
    prctl(PR_GET_CHILD_SUBREAPER, &is_subreaper);
    return getpid() == 1 || is_subreaper ? (int)syscall(SYS_pidfd_open, process, 0) : -1;
}

static void release_process(int file) {
    for (size_t i = 0; i < sizeof(released) / sizeof(*released) && file >= 0; i++) {
        int free = 0;
        if (atomic_compare_exchange_strong(&released[i], &free, file + 1))
            return;
    }
    if (file >= 0)
        close(file);
}

static void reap_released(void) {
    bool is_program = atomic_exchange(&releaser, getpid()) == getpid();
    for (size_t i = 0; i < sizeof(released) / sizeof(*released); i++) {
        int file = atomic_exchange(&released[i], 0) - 1;
        siginfo_t info = {0};
        if (file < 0 || !is_program)
            continue;
        if (waitid(by_file, (id_t)file, &info, WEXITED | WNOHANG) == 0 && info.si_pid == 0)
            release_process(file); /* it still works */
        else
            close(file);
    }
}

cpr_watchdog *cpr_watchdog_create(cpr_watchdog_work work, cpr_watchdog_trial trial, const char *argument, int *error) {
    int files[2], result = -EDEADLK;
    reap_released();
    cpr_watchdog *watchdog = malloc(sizeof(*watchdog));
    void *memory = watchdog != NULL ? mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE,
                                           MAP_SHARED | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
    if (memory == MAP_FAILED) {
        *error = -ENOMEM;
        free(watchdog);
        return NULL;
    }
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, files) < 0) {
        *error = -errno;
        munmap(memory, sizeof(struct shared));
        free(watchdog);
        return NULL;
    }
    watchdog->shared = memory;
    watchdog->program = getpid();
    watchdog->file = files[0];
    watchdog->slot = cpr_close_in_children(files[0]);
    watchdog->process = -1;
    suseconds_t time = SHORTEST_TRIAL;
    for (int turn = 0; turn < TRIALS && result == -EDEADLK; turn++) {
        result = start(watchdog, files[1], work, trial, time, argument);
        time = 2 * time < LONGEST_TRIAL ? 2 * time : LONGEST_TRIAL;
    }
    close(files[1]);
    *error = result < 0 ? result : 0;
    if (result >= 0) {
        watchdog->process = open_process(result);
        return watchdog;
    }
    cpr_watchdog_destroy(watchdog);
    return NULL;
}

int cpr_watchdog_set_order(cpr_watchdog *watchdog, const char *order, size_t length) {
    struct shared *shared = watchdog->shared;
    if (length == 0 || length >= CPR_WATCHDOG_ORDER_SIZE)
        return length == 0 ? -EINVAL : -EMSGSIZE;
    if (watchdog->program != getpid())
        return -EPERM;
    unsigned next = !atomic_load_explicit(&shared->current, memory_order_relaxed);
    memcpy(shared->orders[next], order, length);
    shared->orders[next][length] = '\0';
    atomic_store_explicit(&shared->current, next, memory_order_release);
    return 0;
}

void cpr_watchdog_destroy(cpr_watchdog *watchdog) {
    // A forked child has closed a registered socket, and may have another file of that number.
    bool is_program = watchdog->program == getpid();
    if (is_program || watchdog->slot < 0)
        close(watchdog->file);
    if (is_program) {
        cpr_forget_socket(watchdog->slot);
        release_process(watchdog->process);
    }
    munmap(watchdog->shared, sizeof(*watchdog->shared));
    free(watchdog);
}
