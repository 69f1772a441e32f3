/* Sources/CProcess/fork.c: the files of a child that was forked without exec. */
#define _GNU_SOURCE
#include "CProcess.h"
#include "harness.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_open(int file) { return fcntl(file, F_GETFD) >= 0; }

static void make_pair(int files[2]) { REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, files) == 0); }

/* The result of `check` in a child. */
static int in_child(int (*check)(const int *files), const int *files) {
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0)
        _exit(check(files));
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A bit for each of four open files, and one for being recognized as a child. */
static int report(const int *files) {
    int result = cpr_is_forked_child() ? 16 : 0;
    for (int index = 0; index < 4; index++)
        result |= is_open(files[index]) ? 1 << index : 0;
    return result;
}

TEST("fork", "a child closes the sockets that are kept from it, and nothing else") {
    cpr_handle_forks();
    int kept[2], plain[2], released[2], reused[2];
    make_pair(kept);
    make_pair(plain);
    make_pair(released);
    make_pair(reused);
    REQUIRE(cpr_close_in_children(kept[0]) >= 0);
    CHECK_EQUAL(cpr_close_in_children(kept[0]), -1);
    int slot = cpr_close_in_children(released[0]);
    REQUIRE(slot >= 0);
    cpr_forget_socket(slot);
    cpr_forget_socket(-1);
    /* The number belongs to another socket before its slot is released. */
    REQUIRE(cpr_close_in_children(reused[0]) >= 0);
    REQUIRE(dup2(plain[0], reused[0]) == reused[0]);
    int files[] = {kept[0], plain[0], released[0], reused[0]};
    CHECK_EQUAL(in_child(report, files), 2 + 4 + 8 + 16);
    CHECK_EQUAL(report(files), 1 + 2 + 4 + 8);
}

TEST("fork", "a file that is no socket is not kept") {
    int files[2];
    REQUIRE(pipe(files) == 0);
    CHECK_EQUAL(cpr_close_in_children(files[0]), -1);
    CHECK_EQUAL(cpr_close_in_children(-1), -1);
}

TEST("fork", "a child of a program without threads may continue in its place") {
    int files[2];
    make_pair(files);
    REQUIRE(cpr_close_in_children(files[0]) >= 0);
    CHECK_EQUAL(in_child(report, (int[]){files[0], files[0], files[0], files[0]}), 15);
}

/* The child's own files have the numbers of those that were closed. */
static int fork_again(const int *files) {
    int own = dup(files[1]);
    return in_child(report, (int[]){own, own, own, own});
}

TEST("fork", "a child's child keeps the sockets that the child opened") {
    cpr_handle_forks();
    int files[2];
    make_pair(files);
    REQUIRE(cpr_close_in_children(files[0]) >= 0);
    CHECK_EQUAL(in_child(fork_again, files), 15 + 16);
}
