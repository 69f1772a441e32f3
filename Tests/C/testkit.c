/* Sources/CTestKit: programs, pipes and watched folders. */
#define _GNU_SOURCE
#include "CTestKit.h"

#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const no_environment[] = {NULL};

/* Runs a script of the shell; returns what ctk_reap does. */
static int run(const char *script, const char *const *environment, const char *log, int input, int output) {
    const char *const arguments[] = {"sh", "-c", script, NULL};
    const ctk_launch launch = {"/bin/sh", arguments, environment, log, output, output, input, 0};
    int child = ctk_spawn(&launch);
    if (child < 0)
        return child;
    CHECK_EQUAL(ctk_wait(child), 0);
    CHECK_EQUAL(ctk_wait(child), 0); /* removes nothing */
    return ctk_reap(child);
}

TEST("test kit", "exit codes and signals are reported once") {
    CHECK_EQUAL(run("exit 7", no_environment, "/dev/null", -1, -1), 7);
    CHECK_EQUAL(run("kill -KILL $$", no_environment, "/dev/null", -1, -1), 256 + SIGKILL);
    CHECK_EQUAL(ctk_wait(99999999), -ECHILD);
    CHECK_EQUAL(ctk_reap(99999999), -ECHILD);
    const char *const arguments[] = {"x", NULL};
    const ctk_launch launch = {test_path("nothing"), arguments, no_environment, "/dev/null", -1, -1, -1, 0};
    CHECK_EQUAL(ctk_spawn(&launch), -ENOENT);
    CHECK(run("exit 0", no_environment, NULL, -1, -1) < 0); /* no file for its output */
    CHECK(run("exit 0", no_environment, test_path("nothing/log"), -1, -1) < 0);
}

static int input, signals;

static void end_input(int number) {
    (void)number;
    if (++signals == 20)
        close(input);
}

TEST("test kit", "signals that the program handles do not end the wait for a child") {
    int ends[2];
    timer_t timer;
    const char *const arguments[] = {"sh", "-c", "read line; exit 3", NULL};
    REQUIRE(ctk_pipe(ends) == 0);
    const ctk_launch launch = {"/bin/sh", arguments, no_environment, "/dev/null", -1, -1, ends[0], 0};
    int child = ctk_spawn(&launch);
    REQUIRE(child > 0);
    input = ends[1];
    struct sigaction action = {.sa_handler = end_input};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    const struct timespec often = {.tv_nsec = 1000 * 1000};
    REQUIRE(sigaction(SIGUSR1, &action, NULL) == 0 && timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    REQUIRE(timer_settime(timer, 0, &(struct itimerspec){often, often}, NULL) == 0);
    CHECK_EQUAL(ctk_reap(child), 3);
    timer_delete(timer);
    close(ends[0]);
}

TEST("test kit", "programs receive their environment, input, output and log, and no other file") {
    const char *const environment[] = {"A=a b", "B=c", NULL};
    const char *log = test_path("log");
    CHECK_EQUAL(run("echo \"$A$B$HOME\"", environment, log, -1, -1), 0);
    CHECK_EQUAL(run("echo second >&2", environment, log, -1, -1), 0);
    char *text = read_file(log);
    CHECK_TEXT(text, "a bc\nsecond\n");
    free(text);
    int in[2], out[2], stray = dup2(0, 50); /* not closed on exec */
    CHECK(ctk_pipe(in) == 0 && ctk_pipe(out) == 0);
    CHECK((fcntl(in[0], F_GETFD) & FD_CLOEXEC) && (fcntl(in[1], F_GETFD) & FD_CLOEXEC));
    CHECK_EQUAL(write(in[1], "line\n", 5), 5);
    close(in[1]);
    CHECK_EQUAL(run("cat; [ ! -e /proc/$$/fd/50 ] || echo stray", no_environment, NULL, in[0], out[1]), 0);
    close(out[1]);
    char bytes[100];
    ssize_t size = read(out[0], bytes, sizeof(bytes) - 1);
    bytes[size > 0 ? size : 0] = '\0';
    CHECK_TEXT(bytes, "line\n");
    close(in[0]), close(out[0]), close(stray);
}

TEST("test kit", "programs start with default signals, in the given process group") {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    signal(SIGTERM, SIG_IGN);
    const char *const arguments[] = {"sleep", "100", NULL};
    ctk_launch launch = {"/bin/sleep", arguments, no_environment, "/dev/null", -1, -1, -1, 0};
    int first = ctk_spawn(&launch);
    REQUIRE(first > 0);
    launch.group = first;
    int second = ctk_spawn(&launch);
    REQUIRE(second > 0);
    CHECK_EQUAL(getpgid(second), first);
    kill(-first, SIGTERM);
    CHECK_EQUAL(ctk_reap(first), 256 + SIGTERM);
    CHECK_EQUAL(ctk_reap(second), 256 + SIGTERM);
}

TEST("test kit", "waiting for a folder ends with an event, an interruption or a timeout") {
    int ends[2];
    CHECK(ctk_pipe(ends) == 0);
    CHECK_EQUAL(ctk_watch(test_path("nothing")), -ENOENT);
    int watch = ctk_watch(test_path("."));
    REQUIRE(watch >= 0);
    CHECK_EQUAL(ctk_await(watch, ends[0], 0), 0);
    for (int i = 0; i < 300; i++) { /* more than one read */
        char name[100] = "long name of a file that fills the buffer that events are read into ";
        name[66] = (char)('a' + i % 26), name[67] = (char)('a' + i / 26);
        write_file(test_path(name), "");
    }
    CHECK_EQUAL(ctk_await(watch, ends[0], 10000), 1);
    CHECK_EQUAL(ctk_await(watch, ends[0], 0), 0);
    CHECK_EQUAL(write(ends[1], "x", 1), 1);
    CHECK_EQUAL(ctk_await(watch, ends[0], 10000), 1);
    close(watch), close(ends[0]), close(ends[1]);
}
