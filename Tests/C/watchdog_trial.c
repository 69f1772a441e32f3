/* Sources/CProcess: the start of a watchdog, with its trial. */
#define _GNU_SOURCE
#include "watchdog.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int *trials;

static void hang_twice(void) {
    if (++*trials <= 2)
        for (;;)
            pause();
}

static void die(void) { raise(SIGKILL); }

static void exit_with_message(void) {
    if (++*trials > 2)
        return;
    (void)!write(STDERR_FILENO, "inconsistent", 12);
    _exit(127);
}

TEST("watchdog", "a trial that hangs or crashes is repeated, and finally an error") {
    int error = 0;
    const char *path = test_path("tried");
    trials = mmap(NULL, sizeof(*trials), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cpr_watchdog *watchdog = cpr_watchdog_create(write_order, hang_twice, path, &error);
    REQUIRE(watchdog != NULL);
    CHECK(*trials >= 3); /* more if the alarm ended a slow one */
    watchdog_set_order(watchdog, "tried");
    cpr_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    check_written(path, "tried");
    CHECK(cpr_watchdog_create(write_order, die, path, &error) == NULL);
    CHECK_EQUAL(error, -EDEADLK);
    munmap(trials, sizeof(*trials));
}

/* glibc's loader prints a message and exits if another thread was loading a library at the fork. */
TEST("watchdog", "a trial that exits is repeated, and writes nothing into the program's output") {
    int error = 0, ends[2], errors = dup(STDERR_FILENO);
    const char *path = test_path("exited");
    trials = mmap(NULL, sizeof(*trials), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(errors >= 0 && pipe2(ends, O_CLOEXEC) == 0 && dup2(ends[1], STDERR_FILENO) == STDERR_FILENO);
    cpr_watchdog *watchdog = cpr_watchdog_create(write_order, exit_with_message, path, &error);
    dup2(errors, STDERR_FILENO);
    close(errors), close(ends[1]);
    REQUIRE(watchdog != NULL);
    CHECK(*trials >= 3); /* more if the alarm ended a slow one */
    char byte;
    CHECK_EQUAL(read(ends[0], &byte, 1), 0);
    close(ends[0]);
    watchdog_set_order(watchdog, "exited");
    cpr_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    check_written(path, "exited");
    munmap(trials, sizeof(*trials));
}

static void log_and_hang_twice(void) {
    (void)!write(3, "a message", 9);
    hang_twice();
}

TEST("watchdog", "a message of the trial to a file of the program, which is closed, is no success") {
    int error = 0;
    const char *path = test_path("logged");
    trials = mmap(NULL, sizeof(*trials), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(dup2(STDERR_FILENO, 3) == 3);
    cpr_watchdog *watchdog = cpr_watchdog_create(write_order, log_and_hang_twice, path, &error);
    REQUIRE(watchdog != NULL);
    CHECK(*trials >= 3); /* more if the alarm ended a slow one */
    watchdog_set_order(watchdog, "logged");
    cpr_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    check_written(path, "logged");
    munmap(trials, sizeof(*trials));
    close(3);
}

static void use_up_processes(void) {
    ++*trials;
    setrlimit(RLIMIT_NPROC, &(struct rlimit){0, 0});
    if (geteuid() == 0) /* the limit is not that of root */
        (void)!setresuid(65534, 65534, 65534);
}

TEST("watchdog", "missing processes are an error at once, also in a program that ignores SIGCHLD") {
    trials = mmap(NULL, sizeof(*trials), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    void (*handlers[])(int) = {SIG_DFL, SIG_IGN};
    for (int i = 0; i < 2; i++) {
        int error = 0;
        *trials = 0;
        signal(SIGCHLD, handlers[i]);
        CHECK(cpr_watchdog_create(write_order, use_up_processes, "", &error) == NULL);
        CHECK_EQUAL(error, -EAGAIN);
        CHECK(*trials < 16); /* which the alarm ended */
    }
    munmap(trials, sizeof(*trials));
}

static int *faults_handled;

static void note_fault(int number) {
    (void)number;
    ++*faults_handled;
}

static void crash(void) { raise(SIGSEGV); }

static void fail(void) { raise(SIGABRT); }

TEST("watchdog", "a trial that crashes does not call the program's crash handler") {
    int error = 0;
    faults_handled = mmap(NULL, sizeof(*faults_handled), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    void (*before[])(int) = {signal(SIGSEGV, note_fault), signal(SIGABRT, note_fault)};
    CHECK(cpr_watchdog_create(write_order, crash, "", &error) == NULL);
    CHECK_EQUAL(error, -EDEADLK);
    CHECK(cpr_watchdog_create(write_order, fail, "", &error) == NULL);
    CHECK_EQUAL(error, -EDEADLK);
    CHECK_EQUAL(*faults_handled, 0);
    signal(SIGSEGV, before[0]);
    signal(SIGABRT, before[1]);
    munmap(faults_handled, sizeof(*faults_handled));
}

static int *dumpable; /* in the trial and in the watchdog */

static void note_dumpable(void) { dumpable[0] = prctl(PR_GET_DUMPABLE); }

static void note_dumpable_too(const char *path, char *order) {
    (void)path, (void)order;
    dumpable[1] = prctl(PR_GET_DUMPABLE);
}

TEST("watchdog", "a trial that crashes leaves no core dump") {
    int error = 0;
    dumpable = mmap(NULL, 2 * sizeof(*dumpable), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    dumpable[0] = dumpable[1] = -1;
    prctl(PR_SET_DUMPABLE, 1);
    cpr_watchdog *watchdog = cpr_watchdog_create(note_dumpable_too, note_dumpable, "", &error);
    REQUIRE(watchdog != NULL);
    watchdog_set_order(watchdog, "order");
    cpr_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    CHECK_EQUAL(dumpable[0], 0);
    /* PipeWire reads a client's files in /proc, which belong to root for one that is not. */
    CHECK_EQUAL(dumpable[1], 1);
    munmap(dumpable, 2 * sizeof(*dumpable));
}

static void open_file(void) {
    int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        raise(SIGKILL);
    close(file);
}

TEST("watchdog", "it works where the program has used up all its files but two, and so does its trial") {
    const char *path = test_path("last");
    int files[2], highest;
    REQUIRE(pipe(files) == 0);
    highest = files[0] > files[1] ? files[0] : files[1];
    close(files[0]), close(files[1]);
    struct rlimit limit, few;
    getrlimit(RLIMIT_NOFILE, &limit);
    few = limit;
    few.rlim_cur = (rlim_t)highest + 1;
    setrlimit(RLIMIT_NOFILE, &few);
    int error = 0;
    cpr_watchdog *watchdog = cpr_watchdog_create(write_order, open_file, path, &error);
    setrlimit(RLIMIT_NOFILE, &limit);
    REQUIRE(watchdog != NULL);
    watchdog_set_order(watchdog, "last");
    cpr_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    check_written(path, "last");
}

TEST("watchdog", "its start succeeds and fails as always in a program that ignores SIGCHLD") {
    const char *path = test_path("ignored");
    int error = 0;
    signal(SIGCHLD, SIG_IGN);
    CHECK(cpr_watchdog_create(write_order, die, path, &error) == NULL);
    CHECK_EQUAL(error, -EDEADLK);
    cpr_watchdog *watchdog = watchdog_start(path);
    watchdog_set_order(watchdog, "ignored");
    cpr_watchdog_destroy(watchdog);
    AWAIT_TRUE("work of the watchdog", access(path, R_OK) == 0);
    while (waitpid(-1, NULL, 0) >= 0 || errno == EINTR)
        ;
    check_written(path, "ignored");
}

static void hang(void) {
    for (;;)
        pause();
}

TEST("watchdog", "a handler for forks that hangs in a child of the program is an error, and no process stays") {
    int error = 0;
    const char *path = test_path("hung");
    REQUIRE(pthread_atfork(NULL, NULL, hang) == 0);
    CHECK(cpr_watchdog_create(write_order, NULL, path, &error) == NULL);
    CHECK_EQUAL(error, -ETIMEDOUT);
    CHECK_EQUAL(waitpid(-1, NULL, WNOHANG), -1);
    check_written(path, NULL);
}

static void note_handler(void) { ++*trials; }

/* They could start threads or open files there. */
TEST("watchdog", "no handler for forks runs in it") {
    const char *path = test_path("handled");
    trials = mmap(NULL, sizeof(*trials), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(pthread_atfork(note_handler, note_handler, note_handler) == 0);
    cpr_watchdog *watchdog = watchdog_start(path);
    watchdog_set_order(watchdog, "handled");
    cpr_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    check_written(path, "handled");
    CHECK_EQUAL(*trials, 3); /* twice in the program, and once in the child that tries */
    munmap(trials, sizeof(*trials));
}
