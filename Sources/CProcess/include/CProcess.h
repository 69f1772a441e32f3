/* A process that does one last thing when the program ends that it belongs to, however that ends. */
#ifndef CPROCESS_H
#define CPROCESS_H

#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

typedef struct cpr_watchdog cpr_watchdog;

enum { CPR_WATCHDOG_ORDER_SIZE = 128 * 1024 };

/* What it does, in a process of its own; `place` is as it was given, `order` what it was told last. Not called if it was
 * told nothing. It may allocate memory and open files; nothing of the program's is open. */
typedef void (*cpr_watchdog_work)(const char *place, char *order);

/* Takes and releases the locks that the work needs, in a copy of the program that ends if it does not return. */
typedef void (*cpr_watchdog_trial)(void);

/* Null with *error set on failure. A lock that another thread holds just now would be held in the watchdog for ever: with a
 * trial it is made anew until it has none. */
cpr_watchdog *_Nullable cpr_watchdog_create(cpr_watchdog_work work, cpr_watchdog_trial _Nullable trial, const char *place, int *error);
/* More than 0 and less than CPR_WATCHDOG_ORDER_SIZE bytes, without a zero among them. A negative errno on failure: what was told before holds. */
int cpr_watchdog_set_order(cpr_watchdog *watchdog, const char *order, size_t length);
/* It does its work now. */
void cpr_watchdog_destroy(cpr_watchdog *watchdog);

/* ---- fork -------------------------------------------------------------------------------------------------- */

/* Any thread. From now on a child that is forked without exec is recognized, and closes all sockets that are kept from
 * it: while a child holds them other programs do not notice the end of this one. */
void cpr_handle_forks(void);
/* Any thread. Whether this is such a child: none of the library's threads is in it. */
bool cpr_is_forked_child(void);
/* Any thread. Keeps an open socket from children until it is released. Its slot, or -1 if it is no socket, is kept already,
 * or there are too many. */
int cpr_close_in_children(int file);
/* Any thread. After the socket was closed; nothing for -1. */
void cpr_forget_socket(int slot);

#pragma clang assume_nonnull end

#endif
