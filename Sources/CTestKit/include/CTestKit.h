/* Functions of the C library that the test kit needs and Swift cannot import: those of GNU,
 * variadic functions, and macros. */
#ifndef CTESTKIT_H
#define CTESTKIT_H


#pragma clang assume_nonnull begin

/* Every function returns 0 or more on success, and a negative errno on failure. It may be called on
 * any thread. */

typedef struct {
    const char *program;                             /* absolute path */
    const char *_Nullable const *_Nonnull arguments; /* the program's name is the first; ends with NULL */
    const char *_Nullable const *_Nonnull environment; /* KEY=value; ends with NULL */
    const char *_Nullable log;                       /* the file to which the program's output is appended; or NULL */
    int output, errors;                              /* without a log: open files for its standard output and error */
    int input;                                       /* an open file for its standard input; -1 for none */
    int group;                                       /* the process group to join; 0 for a new one that it leads */
} ctk_launch;

/* Starts a program with default handling of signals, none of them blocked, and no other open file.
 * Returns its process ID. */
int ctk_spawn(const ctk_launch *launch);

/* Waits until the child has ended, without collecting its exit status, which stays for ctk_reap. */
int ctk_wait(int child);

/* Waits until the child has ended, and collects its exit status. Returns its exit code, or 256 plus
 * the number of the signal that ended it. */
int ctk_reap(int child);

/* Makes a pipe, whose two files no child inherits: ends[0] to read and ends[1] to write. */
int ctk_pipe(int *ends);

/* Returns a file that becomes readable when an entry is created in the directory or moved to it. */
int ctk_watch(const char *directory);

/* Waits until `watch` or `interruption` is readable, for at most `milliseconds`, and empties
 * `watch`. */
int ctk_await(int watch, int interruption, int milliseconds);

#pragma clang assume_nonnull end
#endif
