/* A process that does one last thing when the program ends that it belongs to, however that ends. */
#ifndef CGUARD_H
#define CGUARD_H

#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

typedef struct cgd_guard cgd_guard;

enum { CGD_ORDER_SIZE = 128 * 1024 };

/* What it does, in a process of its own; `place` is as it was given, `order` what it was told last. Not called if it was
 * told nothing. It may allocate memory and open files; nothing of the program's is open. */
typedef void (*cgd_work)(const char *place, char *order);

/* Takes and releases the locks that the work needs, in a copy of the program that ends if it does not return. */
typedef void (*cgd_trial)(void);

/* Null with *error set on failure. A lock that another thread holds just now would be held in the guard for ever: with a
 * trial it is made anew until it has none. */
cgd_guard *_Nullable cgd_create(cgd_work work, cgd_trial _Nullable trial, const char *place, int *error);
/* More than 0 and less than CGD_ORDER_SIZE bytes, without a zero among them. A negative errno on failure: what was told before holds. */
int cgd_tell(cgd_guard *guard, const char *order, size_t length);
/* It does its work now. */
void cgd_destroy(cgd_guard *guard);

/* ---- fork -------------------------------------------------------------------------------------------------- */

/* Any thread. From now on a child that is forked without exec is recognized, and closes all sockets that are kept from
 * it: while a child holds them other programs do not notice the end of this one. */
void cgd_use(void);
/* Any thread. Whether this is such a child: none of the library's threads is in it. */
bool cgd_is_forked(void);
/* Any thread. Keeps an open socket from children until it is released. Its slot, or -1 if it is no socket, is kept already,
 * or there are too many. */
int cgd_keep(int file);
/* Any thread. After the socket was closed; nothing for -1. */
void cgd_release(int slot);

#pragma clang assume_nonnull end

#endif
