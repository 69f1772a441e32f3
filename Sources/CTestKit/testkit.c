#define _GNU_SOURCE
#include "CTestKit.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <unistd.h>

static int add_files(posix_spawn_file_actions_t *actions, const ctk_launch *launch) {
    int result = launch->input >= 0 ? posix_spawn_file_actions_adddup2(actions, launch->input, 0)
                                    : posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    if (result == 0)
        result = launch->log != NULL
                     ? posix_spawn_file_actions_addopen(actions, 1, launch->log, O_WRONLY | O_CREAT | O_APPEND, 0600)
                     : posix_spawn_file_actions_adddup2(actions, launch->output, 1);
    if (result == 0)
        result = posix_spawn_file_actions_adddup2(actions, launch->log != NULL ? 1 : launch->errors, 2);
    /* What the host program left open is not for daemons. */
    if (result == 0)
        result = posix_spawn_file_actions_addclosefrom_np(actions, 3);
    return result;
}

static int add_attributes(posix_spawnattr_t *attributes, const ctk_launch *launch) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &all);
    posix_spawnattr_setpgroup(attributes, launch->group);
    return posix_spawnattr_setflags(attributes,
                                    POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

int ctk_spawn(const ctk_launch *launch) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t child = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    int result = add_files(&actions, launch);
    if (result == 0)
        result = add_attributes(&attributes, launch);
    if (result == 0)
        result = posix_spawn(&child, launch->program, &actions, &attributes, (char *const *)launch->arguments,
                             (char *const *)launch->environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return result == 0 ? child : -result;
}

int ctk_wait(int child) {
    siginfo_t information;
    int result;
    do
        result = waitid(P_PID, (id_t)child, &information, WEXITED | WNOWAIT);
    while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : 0;
}

int ctk_reap(int child) {
    int status = 0, result;
    do
        result = waitpid(child, &status, 0);
    while (result < 0 && errno == EINTR);
    if (result < 0)
        return -errno;
    return WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
}

int ctk_pipe(int *ends) { return pipe2(ends, O_CLOEXEC) < 0 ? -errno : 0; }

int ctk_watch(const char *directory) {
    int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (watch < 0)
        return -errno;
    if (inotify_add_watch(watch, directory, IN_CREATE | IN_MOVED_TO) < 0) {
        int error = errno;
        close(watch);
        return -error;
    }
    return watch;
}

int ctk_await(int watch, int interruption, int milliseconds) {
    struct pollfd files[] = {{.fd = watch, .events = POLLIN}, {.fd = interruption, .events = POLLIN}};
    char buffer[4096];
    int result;
    do
        result = poll(files, 2, milliseconds);
    while (result < 0 && errno == EINTR);
    while (read(watch, buffer, sizeof(buffer)) > 0)
        ;
    return result < 0 ? -errno : result;
}
