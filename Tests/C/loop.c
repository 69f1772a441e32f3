/* Sources/CPipeWireShim: loops, timers, watches of folders, polls of files. */
#define _GNU_SOURCE
#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static cpw_loop *loop;
static unsigned drains;

static void count_drain(void *user) {
    (void)user;
    CHECK(cpw_loop_is_current(loop));
    journal("drain %u", ++drains);
}

static void note_finish(void *user) { journal("finish of %s", (const char *)user); }

static void start(bool is_urgent, bool connects) {
    int error = 1;
    drains = 0;
    loop = cpw_loop_create(is_urgent, connects, count_drain, note_finish, "loop", &error);
    REQUIRE(loop != NULL);
    CHECK_EQUAL(error, 0);
}

TEST("loop", "a wake runs the drain on the loop's thread") {
    start(false, false);
    CHECK(!cpw_loop_is_current(loop));
    cpw_loop_wake(loop);
    AWAIT("drain 1");
    cpw_loop_wake(loop);
    AWAIT("drain 2");
    cpw_loop_release(loop);
    AWAIT("finish of loop");
    CHECK(journal_place("drain 3") < journal_place("finish of loop"));
}

TEST("loop", "its thread receives no signals, but its own faults reach the program's handlers") {
    struct test_loop *own = test_loop_start("loop");
    test_loop_run(own, ^{
        sigset_t blocked;
        pthread_sigmask(SIG_SETMASK, NULL, &blocked);
        CHECK(sigismember(&blocked, SIGTERM) && !sigismember(&blocked, SIGSEGV) && !sigismember(&blocked, SIGBUS));
        CHECK(!sigismember(&blocked, SIGSYS));
    });
    test_loop_end(own);
}

TEST("loop", "a loop of raised priority starts and ends") {
    start(true, true);
    cpw_loop_release(loop);
    AWAIT("finish of loop");
    CHECK(drains >= 1);
}

static int own_policy(void) { return sched_getscheduler(0) & ~SCHED_RESET_ON_FORK; }

/* Makes the program an ordinary one, whatever priority the tests were started with. */
static bool become_ordinary(void) {
    return sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){0}) == 0 && setpriority(PRIO_PROCESS, 0, 0) == 0;
}

static void *note_priority(void *whose) {
    journal("%s %d %d", (const char *)whose, own_policy(), getpriority(PRIO_PROCESS, 0));
    return NULL;
}

static void note_priorities(void *user) {
    pthread_t thread;
    (void)user;
    note_priority("loop");
    if (pthread_create(&thread, NULL, note_priority, "started") == 0)
        pthread_join(thread, NULL);
}

/* Journal: "loop POLICY NICE", and the same of a thread that the loop's thread starts. */
static void check_priorities(int policy, int nice_of_loop, int nice_of_started) {
    int error = 0;
    journal_clear();
    loop = cpw_loop_create(true, false, note_priorities, note_finish, "loop", &error);
    REQUIRE(loop != NULL);
    cpw_loop_release(loop);
    AWAIT("finish of loop");
    CHECK(journal_count("loop %d %d", policy, nice_of_loop) > 0);
    CHECK(journal_count("started %d %d", policy, nice_of_started) > 0);
}

TEST("loop", "a program of another nice value keeps it, on the loop's thread and on those started from there") {
    static const int values[] = {3, 19, -4};
    become_ordinary();
    for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
        if (setpriority(PRIO_PROCESS, 0, values[i]) < 0)
            continue; /* not permitted */
        check_priorities(own_policy(), values[i], values[i]);
    }
}

static sem_t is_raised; /* the program's nice value */

static void *open_from_here(void *nice_of_program) {
    while (sem_wait(&is_raised) < 0)
        CHECK_EQUAL(errno, EINTR);
    check_priorities(SCHED_OTHER, *(int *)nice_of_program, *(int *)nice_of_program);
    return NULL;
}

/* Without permissions a program can only raise its nice value, so the thread starts first. */
TEST("loop", "the program's nice value counts, not that of a pool's thread which opens the loop") {
    pthread_t thread;
    become_ordinary();
    int higher = getpriority(PRIO_PROCESS, 0) + 5;
    if (own_policy() != SCHED_OTHER || higher > 19)
        harness_skip("the tests have a low priority, which the system does not permit to raise");
    sem_init(&is_raised, 0, 0);
    REQUIRE(pthread_create(&thread, NULL, open_from_here, &higher) == 0);
    REQUIRE(setpriority(PRIO_PROCESS, 0, higher) == 0);
    sem_post(&is_raised);
    pthread_join(thread, NULL);
}

TEST("loop", "a program of another policy keeps it, on the loop's thread and on those started from there") {
    int nice = getpriority(PRIO_PROCESS, 0);
    if (sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){0}) < 0)
        REQUIRE(own_policy() != SCHED_OTHER); /* such as SCHED_IDLE, which not every program may leave */
    check_priorities(own_policy(), nice, nice);
}

TEST("loop", "an ordinary program's loop has the daemon's priority, threads started from there the ordinary one") {
    if (setpriority(PRIO_PROCESS, 0, -11) < 0 || !become_ordinary())
        harness_skip("the system does not permit nice -11");
    check_priorities(SCHED_OTHER, -11, 0);
}

TEST("loop", "stderr keeps the buffering that the program chose, and its buffer") {
    static char own[4096];
    int error = setvbuf(stderr, own, _IOFBF, sizeof(own));
    start(false, true);
    cpw_loop_release(loop);
    AWAIT("finish of loop");
    CHECK(error == 0 && __flbf(stderr) == 0);
    CHECK_EQUAL(__fbufsize(stderr), sizeof(own));
    setvbuf(stderr, NULL, _IONBF, 0); /* `own` is no longer read */
}

TEST("loop", "stderr stays unbuffered, as it is at the start of a program") {
    start(false, true);
    cpw_loop_release(loop);
    AWAIT("finish of loop");
    CHECK(__flbf(stderr) == 0 && __fbufsize(stderr) <= 1);
}

static void *wake_often(void *wakes) {
    for (size_t i = 0; i < (size_t)wakes; i++)
        cpw_loop_wake(loop);
    return NULL;
}

TEST("loop", "wakes of many threads reach the drain") {
    pthread_t threads[4];
    start(false, false);
    for (int i = 0; i < 4; i++)
        REQUIRE(pthread_create(&threads[i], NULL, wake_often, (void *)1000) == 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    AWAIT("drain 1");
    cpw_loop_release(loop);
    AWAIT("finish of loop");
}

static void release_itself(void *user) {
    if (__atomic_exchange_n((cpw_loop **)user, NULL, __ATOMIC_ACQ_REL) == NULL)
        return;
    cpw_loop_wake(loop);
    cpw_loop_release(loop);
    journal("released");
}

TEST("loop", "its own thread may release it") {
    int error;
    static cpw_loop *held;
    loop = cpw_loop_create(false, false, release_itself, note_finish, &held, &error);
    REQUIRE(loop != NULL);
    __atomic_store_n(&held, loop, __ATOMIC_RELEASE);
    cpw_loop_wake(loop);
    AWAIT("finish of");
    CHECK(journal_place("released") < journal_place("finish of"));
}

static int gate[2];

static void block(void *user) {
    char byte;
    (void)user;
    journal("blocked");
    CHECK(read(gate[0], &byte, 1) >= 0);
}

TEST("loop", "a release does not wait for a busy thread") {
    int error;
    REQUIRE(pipe2(gate, O_CLOEXEC) == 0);
    loop = cpw_loop_create(false, false, block, note_finish, "busy", &error);
    REQUIRE(loop != NULL);
    cpw_loop_wake(loop);
    AWAIT("blocked");
    cpw_loop_release(loop);
    CHECK_EQUAL(journal_count("finish of busy"), 0);
    close(gate[1]);
    AWAIT("finish of busy");
    close(gate[0]);
}

TEST("loop", "many are created and released, with and without a context") {
    for (size_t i = 0; i < 20; i++) {
        start(false, i % 4 == 0);
        cpw_loop_wake(loop);
        cpw_loop_release(loop);
        AWAIT_COUNT(i + 1, "finish of loop");
    }
}

TEST("loop", "a failed allocation is an error") {
    CHECK(with_failing_allocations(^{
        int error = 0;
        cpw_loop *made = cpw_loop_create(false, false, count_drain, note_finish, "loop", &error);
        CHECK((made == NULL) == (error < 0));
        if (made == NULL)
            CHECK_EQUAL(error, -ENOMEM);
        else
            loop = made, cpw_loop_release(made);
    }) == 1);
    AWAIT("finish of loop");
}

/* ---- Timers */

static cpw_timer *timers[3];

static void fire(void *user) { journal("fired %s", (const char *)user); }

static void fire_again(void *user) {
    static int rounds;
    (void)user;
    journal("round %d", ++rounds);
    if (rounds < 3)
        cpw_timer_arm(timers[0], 1000 * 1000);
    else
        cpw_timer_destroy(timers[0]);
}

TEST("timers", "they fire once, not when disarmed; their callback may arm and destroy them") {
    struct test_loop *own = test_loop_start("loop");
    test_loop_run(own, ^{
        timers[0] = cpw_timer_create(own->loop, false, fire_again, "");
        timers[1] = cpw_timer_create(own->loop, false, fire, "disarmed");
        timers[2] = cpw_timer_create(own->loop, false, fire, "late");
        cpw_timer_arm(timers[1], 1000 * 1000);
        cpw_timer_arm(timers[0], UINT64_MAX / 2);
        cpw_timer_arm(timers[0], 0);
        cpw_timer_disarm(timers[1]);
        cpw_timer_arm(timers[2], 50 * 1000 * 1000);
    });
    AWAIT("round 3");
    AWAIT("fired late");
    CHECK_EQUAL(journal_count("fired disarmed"), 0);
    CHECK_EQUAL(journal_count("fired late"), 1);
    test_loop_run(own, ^{
        cpw_timer_arm(timers[2], UINT64_MAX);
        cpw_timer_destroy(timers[1]);
        cpw_timer_destroy(timers[2]);
    });
    test_loop_end(own);
}

static void fire_and_destroy_the_last(void *user) {
    fire(user);
    cpw_timer_destroy(timers[2]);
}

static void run_jobs(void *user) { journal("jobs %s", (const char *)user); }

TEST("timers", "those that fire in callbacks do so once, if they are due") {
    struct test_loop *own = test_loop_start("loop");
    test_loop_run(own, ^{
        timers[0] = cpw_timer_create(own->loop, true, fire_and_destroy_the_last, "due");
        timers[1] = cpw_timer_create(own->loop, true, fire, "not due");
        timers[2] = cpw_timer_create(own->loop, true, fire, "destroyed");
        cpw_timer *other = cpw_timer_create(own->loop, false, fire, "other");
        cpw_timer_arm(timers[0], UINT64_MAX);
        cpw_timer_arm(timers[1], UINT64_MAX);
        for (int i = 0; i < 3; i += 2)
            cpw_timer_arm(timers[i], 0);
        cpw_timer_arm(other, 0);
        for (uint64_t start = cpw_now(); cpw_now() < start + 2;) {
        }
        cpw_loop_run_waiting(own->loop, run_jobs, "first");
        cpw_loop_run_waiting(own->loop, run_jobs, "second");
        CHECK_EQUAL(journal_count("fired due"), 1);
        CHECK(journal_place("fired due") < journal_place("jobs first"));
        CHECK_EQUAL(journal_count("jobs second"), 1);
        CHECK_EQUAL(journal_count("fired other"), 0);
        cpw_timer_destroy(other);
        cpw_timer_arm(timers[1], 0);
    });
    AWAIT("fired not due");
    CHECK_EQUAL(journal_count("fired due"), 1);
    CHECK_EQUAL(journal_count("fired destroyed"), 0);
    test_loop_run(own, ^{
        cpw_loop_run_waiting(own->loop, run_jobs, "last");
        cpw_timer_destroy(timers[0]);
        cpw_timer_destroy(timers[1]);
    });
    CHECK_EQUAL(journal_count("fired not due"), 1);
    test_loop_end(own);
}

/* ---- Folders */

static cpw_file_watch *watch, *other_watch;

static void stir(void *user) { journal("stirred %s", (const char *)user); }

TEST("watches", "they report the file of their name and no other") {
    struct test_loop *own = test_loop_start("loop");
    char *folder = strdup(test_path("watched"));
    mkdir(folder, 0700);
    test_loop_run(own, ^{
        char long_name[2 * NAME_MAX];
        memset(long_name, 'x', sizeof(long_name) - 1);
        long_name[sizeof(long_name) - 1] = '\0';
        CHECK(cpw_file_watch_create(own->loop, test_path("nothing"), "file", stir, "never") == NULL);
        watch = cpw_file_watch_create(own->loop, folder, "file", stir, "file");
        other_watch = cpw_file_watch_create(own->loop, folder, long_name, stir, "other");
        REQUIRE(watch != NULL && other_watch != NULL);
    });
    test_loop_run(own, ^{
        for (int i = 0; i < 300; i++) { /* several reads of the watch, each of which fills its buffer */
            char name[200];
            snprintf(name, sizeof(name), "watched/fil%0100d", i);
            write_file(test_path(name), "");
        }
    });
    write_file(test_path("watched/file"), "text");
    AWAIT("stirred file");
    CHECK_EQUAL(journal_count("stirred other"), 0);
    test_loop_run(own, ^{
        cpw_file_watch_destroy(watch);
        cpw_file_watch_destroy(other_watch);
    });
    test_loop_end(own);
    free(folder);
}

TEST("watches", "they report lost events, and the end of their folder") {
    struct test_loop *own = test_loop_start("loop");
    const char *folder = test_path("watched");
    char *limit = read_file("/proc/sys/fs/inotify/max_queued_events");
    long most = limit != NULL ? strtol(limit, NULL, 10) : 0;
    free(limit);
    mkdir(folder, 0700);
    static char *others[2];
    others[0] = strdup(test_path("watched/a"));
    others[1] = strdup(test_path("watched/b"));
    for (int i = 0; i < 2; i++)
        write_file(others[i], "");
    test_loop_run(own, ^{
        watch = cpw_file_watch_create(own->loop, test_path("watched"), "file", stir, "file");
        REQUIRE(watch != NULL);
        if (most > 0 && most <= 1 << 20) /* the kernel merges an event with an equal one before it */
            for (long i = 0; i <= most; i++)
                chmod(others[i % 2], 0600);
        else
            journal("stirred file");
    });
    AWAIT("stirred file");
    size_t before = journal_count("stirred file");
    for (int i = 0; i < 2; i++)
        unlink(others[i]);
    REQUIRE(rmdir(test_path("watched")) == 0);
    AWAIT_COUNT(before + 1, "stirred file");
    test_loop_run(own, ^{
        cpw_file_watch_destroy(watch);
    });
    test_loop_end(own);
    free(others[0]);
    free(others[1]);
}

/* ---- Files */

static cpw_poll *polled;

static void ready(void *user) {
    char bytes[64];
    ssize_t size = read(*(int *)user, bytes, sizeof(bytes));
    if (size < 0) {
        cpw_poll_set_writing(polled, false);
        journal("writable");
    } else {
        journal("read %zd", size);
    }
    if (size == 0) {
        cpw_poll_destroy(polled);
        journal("destroyed");
    }
}

TEST("polls", "they report readable and writable files, and keep a descriptor of their own") {
    struct test_loop *own = test_loop_start("loop");
    static int ends[2], reading;
    REQUIRE(pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
    reading = fcntl(ends[0], F_DUPFD_CLOEXEC, 0);
    test_loop_run(own, ^{
        CHECK(cpw_poll_create(own->loop, -1, ready, &reading) == NULL);
        polled = cpw_poll_create(own->loop, ends[0], ready, &reading);
        REQUIRE(polled != NULL);
    });
    CHECK_EQUAL(write(ends[1], "abc", 3), 3);
    AWAIT("read 3");
    close(ends[0]);
    close(ends[1]); /* the other end's end can be read as well */
    AWAIT("destroyed");
    close(reading);
    REQUIRE(pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
    reading = ends[0];
    test_loop_run(own, ^{
        polled = cpw_poll_create(own->loop, ends[1], ready, &reading);
        cpw_poll_set_writing(polled, true);
        cpw_poll_set_writing(polled, true);
    });
    AWAIT("writable");
    test_loop_run(own, ^{
        cpw_poll_destroy(polled);
    });
    CHECK(close(ends[0]) == 0 && close(ends[1]) == 0); /* the poll had a file of its own */
    test_loop_end(own);
}

TEST("polls", "a failed allocation is an error for timers, watches and polls") {
    struct test_loop *own = test_loop_start("loop");
    test_loop_run(own, ^{
        CHECK(with_failing_allocations(^{
            cpw_timer *timer = cpw_timer_create(own->loop, false, fire, "");
            watch = cpw_file_watch_create(own->loop, "/", "file", stir, "");
            cpw_poll *poll = cpw_poll_create(own->loop, 0, ready, own);
            if (timer != NULL) cpw_timer_destroy(timer);
            if (watch != NULL) cpw_file_watch_destroy(watch);
            if (poll != NULL) cpw_poll_destroy(poll);
        }) == 3);
    });
    test_loop_end(own);
}
