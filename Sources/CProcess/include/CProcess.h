/* Processes: a watchdog that acts when the program has ended, what a forked child closes, and the
 * environment.
 *
 * Functions are for any thread, but one watchdog is used by one thread at a time. An `int` result
 * is 0 or more on success, and a negative errno on failure. */
#ifndef CPROCESS_H
#define CPROCESS_H

#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

/* ---- Watchdog ---------------------------------------------------------------------------------- */

/* A process that carries out an order after the program has ended in any way, a SIGKILL
 * included. */
typedef struct cpr_watchdog cpr_watchdog;

enum { CPR_WATCHDOG_ORDER_SIZE = 128 * 1024 };

/* The work of the watchdog, called in its process. `argument` is that of cpr_watchdog_create,
 * `order` the last order; not called without one. It may allocate memory and open files. No file of
 * the program is open. */
typedef void (*cpr_watchdog_work)(const char *argument, char *order);

/* Called by the work: ends the process after this time, whatever it waits for. */
void cpr_watchdog_end_after(unsigned seconds);

/* Takes and releases each lock that the work needs. Called in a copy of the program that has none of
 * its files, and is killed if the call does not return. */
typedef void (*cpr_watchdog_trial)(void);

/* Starts a watchdog. Null with *error set on failure. A lock that another thread holds at the time
 * of the fork would stay locked in the watchdog forever. A trial that hangs, crashes or exits detects
 * that, and the fork is then repeated some times. -EDEADLK: the trial failed each time. -ETIMEDOUT: a
 * copy of the program did not return from its fork, because a handler of a library hung. The caller
 * owns the result.
 *
 * The calling thread waits some milliseconds, and longer the more memory the program has; for about
 * 4 s if each trial fails, and for 5 s if a handler hangs in the copy. A handler that hangs in the
 * program itself has no limit, as for any fork. */
cpr_watchdog *_Nullable cpr_watchdog_create(cpr_watchdog_work work, cpr_watchdog_trial _Nullable trial,
                                            const char *argument, int *error);
/* Replaces the order. It has more than 0 and less than CPR_WATCHDOG_ORDER_SIZE bytes, and no zero
 * byte. A kill during the call leaves the former order or the new one. -EINVAL: it is empty.
 * -EMSGSIZE: it is too long. -EPERM: the caller is a child that the program forked without exec. On
 * failure the former order stays. */
int cpr_watchdog_set_order(cpr_watchdog *watchdog, const char *order, size_t length);
/* Makes the watchdog carry out its order now, and frees the handle. Does not wait for the work. In
 * such a child it only frees the handle. */
void cpr_watchdog_destroy(cpr_watchdog *watchdog);

/* ---- fork -------------------------------------------------------------------------------------- */

/* From now on a child that is forked without exec is recognized, and closes the sockets that are
 * registered below, because other programs would otherwise not notice the end of this process. */
void cpr_handle_forks(void);
/* Whether this process is such a child. It has none of the library's threads. */
bool cpr_is_forked_child(void);
/* Registers an open socket that children must close. Returns its slot, or -1 if the file is not a
 * socket, is registered already, or no slot is free. */
int cpr_close_in_children(int file);
/* Frees a slot after its socket was closed. Does nothing for -1. */
void cpr_forget_socket(int slot);

/* ---- Environment ------------------------------------------------------------------------------- */

/* The variables of this process, NAME=VALUE, with a null pointer after the last; null if there are
 * none. Must not be read while another thread changes a variable. */
char *_Nullable const *_Nullable cpr_environment(void);

#pragma clang assume_nonnull end

#endif
