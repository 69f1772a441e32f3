/* What the test kit needs of the C library that Swift does not see: functions of GNU, variadic ones, macros. */
#ifndef CTESTKIT_H
#define CTESTKIT_H


#pragma clang assume_nonnull begin

/* Every result is 0 or more on success and a negative errno on failure. Any thread. */

typedef struct {
    const char *program;                             /* absolute path */
    const char *_Nullable const *_Nonnull arguments; /* the program's name first; ends with null */
    const char *_Nullable const *_Nonnull environment; /* KEY=value; ends with null */
    const char *_Nullable log;                       /* what the program prints is added to this file; or */
    int output, errors;                              /* these open files are to be its standard output and error */
    int input;                                       /* to be its standard input; -1: nothing */
    int group;                                       /* the process group to join; 0: a new one that it leads */
} ctk_launch;

/* Starts a program with the signals' defaults, none blocked, and no other open file. Returns its id. */
int ctk_spawn(const ctk_launch *launch);

/* Waits until the child has ended, without taking the news of it from ctk_reap. */
int ctk_wait(int child);

/* Takes the news of a child that has ended: its exit code, or 256 and more: the signal that ended it plus 256. */
int ctk_reap(int child);

/* Makes a pipe of two files that no child inherits: [0] to read, [1] to write. */
int ctk_pipe(int *ends);

/* Returns a file that can be read when something is made in the directory. */
int ctk_watch(const char *directory);

/* Waits until `watch` can be read and reads all that there is, until `interruption` can be read, or until the time is
 * up. */
int ctk_await(int watch, int interruption, int milliseconds);

#pragma clang assume_nonnull end
#endif
