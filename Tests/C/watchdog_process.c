/* Sources/CProcess: the process of a watchdog, its orders, its signals and its files. */
#define _GNU_SOURCE
#include "watchdog.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

TEST("watchdog", "it carries out the last order, and nothing without an order") {
    const char *received = test_path("received"), *silent = test_path("silent");
    cpr_watchdog *first = watchdog_start(received), *second = watchdog_start(silent);
    watchdog_set_order(first, "a longer first order");
    watchdog_set_order(first, "the last");
    cpr_watchdog_destroy(first); /* the other one has closed its end of the first one's socket */
    CHECK_EQUAL(await_orphan(), 0);
    check_written(received, "the last");
    cpr_watchdog_destroy(second);
    CHECK_EQUAL(await_orphan(), 0);
    check_written(silent, NULL);
}

TEST("watchdog", "an order of the maximum size is carried out, a longer one is refused") {
    const char *path = test_path("order");
    cpr_watchdog *watchdog = watchdog_start(path);
    char *order = malloc(CPR_WATCHDOG_ORDER_SIZE + 1);
    memset(order, 'x', CPR_WATCHDOG_ORDER_SIZE);
    CHECK_EQUAL(cpr_watchdog_set_order(watchdog, order, 0), -EINVAL);
    CHECK_EQUAL(cpr_watchdog_set_order(watchdog, order, CPR_WATCHDOG_ORDER_SIZE), -EMSGSIZE);
    CHECK_EQUAL(cpr_watchdog_set_order(watchdog, order, CPR_WATCHDOG_ORDER_SIZE - 1), 0);
    cpr_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    order[CPR_WATCHDOG_ORDER_SIZE - 1] = '\0';
    check_written(path, order);
    free(order);
}

TEST("watchdog", "it carries out the last of many orders, although it has not run meanwhile") {
    const char *path = test_path("many");
    cpr_watchdog *watchdog = watchdog_start(path);
    char *order = malloc(100 * 1024);
    memset(order, 'x', 100 * 1024 - 1);
    order[100 * 1024 - 1] = '\0';
    for (int turn = 0; turn < 100; turn++) { /* far more than a socket holds */
        order[0] = (char)('0' + turn % 10);
        watchdog_set_order(watchdog, order);
    }
    watchdog_set_order(watchdog, "the last");
    cpr_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    check_written(path, "the last");
    free(order);
}

TEST("watchdog", "it survives a SIGKILL of the program, whichever standard files are closed") {
    for (int closed = 0; closed < 8; closed++) {
        char name[8] = {'f', (char)('0' + closed), 0};
        const char *path = test_path(name);
        int ready[2];
        REQUIRE(pipe2(ready, O_CLOEXEC) == 0);
        pid_t program = fork();
        if (program == 0) {
            dup2(ready[1], 20);
            for (int file = 0; file < 3; file++)
                if (closed & 1 << file)
                    close(file);
            int error;
            cpr_watchdog *watchdog = cpr_watchdog_create(write_order, NULL, path, &error);
            if (watchdog == NULL || cpr_watchdog_set_order(watchdog, "restore", 7) < 0)
                _exit(1);
            if (write(20, "1", 1) == 1)
                raise(SIGKILL);
        }
        close(ready[1]);
        char byte;
        CHECK_EQUAL(read(ready[0], &byte, 1), 1);
        close(ready[0]);
        int ends = 0;
        for (int i = 0; i < 2; i++) /* the program and its watchdog, in any order */
            ends += await_orphan() == SIGKILL;
        CHECK_EQUAL(ends, 1);
        check_written(path, "restore");
    }
}

TEST("watchdog", "a child that the program forks changes no order, and closes no other file") {
    const char *path = test_path("forked");
    cpr_handle_forks();
    cpr_watchdog *watchdog = watchdog_start(path);
    watchdog_set_order(watchdog, "of the program");
    pid_t child = fork();
    if (child == 0) {
        int first = fcntl(STDERR_FILENO, F_DUPFD, 3), last = fcntl(STDERR_FILENO, F_DUPFD, 3);
        bool is_refused = cpr_watchdog_set_order(watchdog, "of the child", 12) == -EPERM;
        cpr_watchdog_destroy(watchdog);
        _exit(is_refused && fcntl(first, F_GETFD) >= 0 && fcntl(last, F_GETFD) >= 0 ? 0 : 1);
    }
    int status = -1;
    CHECK_EQUAL(waitpid(child, &status, 0), child);
    CHECK_EQUAL(status, 0);
    cpr_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    check_written(path, "of the program");
}

/* The process of a test adopts its watchdogs, as the first process of a container does. */
TEST("watchdog", "a program that is its parent waits for it at a later start, and for no other child") {
    siginfo_t info = {0};
    int status = 0;
    if (syscall(SYS_pidfd_open, getpid(), 0) < 0)
        harness_skip("the system has no pidfd_open");
    cpr_watchdog_destroy(watchdog_start(test_path("first")));
    REQUIRE(waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) == 0);
    id_t ended = (id_t)info.si_pid;
    pid_t other = fork();
    if (other == 0)
        _exit(7);
    REQUIRE(waitid(P_PID, (id_t)other, &info, WEXITED | WNOWAIT) == 0);
    cpr_watchdog *second = watchdog_start(test_path("second"));
    CHECK_EQUAL(waitid(P_PID, ended, &info, WEXITED | WNOHANG | WNOWAIT), -1);
    CHECK(waitpid(other, &status, 0) == other && WEXITSTATUS(status) == 7);
    cpr_watchdog_destroy(second);
    CHECK_EQUAL(await_orphan(), 0);
}

static unsigned *blocked; /* signals in the watchdog */

static void note_blocked(const char *path, char *order) {
    sigset_t mask;
    (void)path, (void)order;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    for (int number = 1; number < 32; number++)
        *blocked |= sigismember(&mask, number) == 1 ? 1u << number : 0;
}

TEST("watchdog", "it blocks the signals of the program's group, but not those of a sandbox") {
    int error = 0;
    blocked = mmap(NULL, sizeof(*blocked), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cpr_watchdog *watchdog = cpr_watchdog_create(note_blocked, NULL, "", &error);
    REQUIRE(watchdog != NULL);
    watchdog_set_order(watchdog, "order");
    cpr_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    static const int group[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGPIPE, SIGTSTP};
    for (size_t i = 0; i < sizeof(group) / sizeof(*group); i++)
        CHECK(*blocked & 1u << group[i]);
    CHECK(!(*blocked & 1u << SIGSYS));
    munmap(blocked, sizeof(*blocked));
}

static bool has_no_close_range;
int __real_close_range(unsigned first, unsigned last, int flags);
int __wrap_close_range(unsigned first, unsigned last, int flags) {
    if (!has_no_close_range)
        return __real_close_range(first, last, flags);
    errno = ENOSYS;
    return -1;
}

TEST("watchdog", "it keeps none of the program's files where the kernel has no close_range") {
    const char *path = test_path("old");
    int high = fcntl(STDIN_FILENO, F_DUPFD, 900);
    int ends[2];
    REQUIRE(high >= 900 && pipe(ends) == 0);
    has_no_close_range = true;
    cpr_watchdog *watchdog = watchdog_start(path);
    close(ends[1]);
    char byte;
    CHECK_EQUAL(read(ends[0], &byte, 1), 0); /* the watchdog has closed the other end */
    watchdog_set_order(watchdog, "old");
    cpr_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    check_written(path, "old");
    close(ends[0]);
    close(high);
}

TEST("watchdog", "missing memory or files are errors") {
    CHECK(with_failing_allocations(^{
        int error = 0;
        cpr_watchdog *watchdog = cpr_watchdog_create(write_order, NULL, "", &error);
        if (watchdog == NULL)
            return CHECK_EQUAL(error, -ENOMEM);
        cpr_watchdog_destroy(watchdog);
        CHECK_EQUAL(await_orphan(), 0);
    }) == 1);
    struct rlimit limit, none;
    getrlimit(RLIMIT_NOFILE, &limit);
    none = limit;
    none.rlim_cur = 3;
    setrlimit(RLIMIT_NOFILE, &none);
    int error = 0;
    CHECK(cpr_watchdog_create(write_order, NULL, "", &error) == NULL);
    CHECK_EQUAL(error, -EMFILE);
    setrlimit(RLIMIT_NOFILE, &limit);
}

static void *allocate(void *stop) {
    while (!__atomic_load_n((bool *)stop, __ATOMIC_RELAXED)) {
        void *volatile bytes = malloc(100);
        free(bytes);
    }
    return NULL;
}

TEST("watchdog", "it works if other threads allocate memory during the fork") {
    pthread_t threads[2];
    bool stop = false;
    for (int i = 0; i < 2; i++)
        REQUIRE(pthread_create(&threads[i], NULL, allocate, &stop) == 0);
    for (int turn = 0; turn < 10; turn++) {
        char name[8] = {'t', (char)('0' + turn), 0};
        const char *path = test_path(name);
        cpr_watchdog *watchdog = watchdog_start(path);
        watchdog_set_order(watchdog, name);
        cpr_watchdog_destroy(watchdog);
        CHECK_EQUAL(await_orphan(), 0);
        check_written(path, name);
    }
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}
