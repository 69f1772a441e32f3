/* Loop: one thread, timers, wake-ups. CPipeWireShim.h has the rules that hold for all. */
#ifndef CPW_PUBLIC_LOOP_H
#define CPW_PUBLIC_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct cpw_loop cpw_loop;
typedef struct cpw_timer cpw_timer;
typedef struct cpw_file_watch cpw_file_watch;
typedef struct cpw_poll cpw_poll;

/* Makes a loop and starts its thread. `drain(user)` is called on the thread after each wake; `finish(user)` as the
 * very last thing that the thread does, when nothing can call `drain` any more. Null with *error set on failure.
 * `is_urgent`: the thread has the priority of PipeWire's own processes (nice -11) and short turns, if the system permits
 * that and the program is an ordinary one (SCHED_OTHER, nice 0). Otherwise it has the program's: the main thread's nice
 * value, or the caller's if that is higher, and the caller's policy.
 * `connects`: a connection is going to be made, and what it needs is made ready at once. */
cpw_loop *_Nullable cpw_loop_create(bool is_urgent, bool connects, void (*drain)(void *user),
                                    void (*finish)(void *user), void *user, int *error);

/* Any thread. Makes the loop call `drain` soon; several calls may be answered by one. */
void cpw_loop_wake(cpw_loop *loop);

/* Any thread. From one to the other the loop may be woken, even if its thread ends meanwhile. */
void cpw_loop_ref(cpw_loop *loop);
void cpw_loop_unref(cpw_loop *loop);

/* Any thread. Whether the caller runs on the loop's thread. */
bool cpw_loop_is_current(const cpw_loop *loop);

/* Any thread. Ends the thread after one last `drain`, which frees the loop, and does not wait for it: the caller may be
 * a thread of Swift's pool, and the loop's may be reading from a slow disk. Every connection and timer of the loop must
 * have been destroyed by then, the last drain included. */
void cpw_loop_release(cpw_loop *loop);

/* Makes a timer that is not armed. `fired(user)` is called on the loop's thread. Null if memory or files are short. */
cpw_timer *_Nullable cpw_timer_create(cpw_loop *loop, void (*fired)(void *user), void *user);

/* Lets the timer fire once, `nanoseconds` from now (0: as soon as possible), whatever it was armed to before. */
void cpw_timer_arm(cpw_timer *timer, uint64_t nanoseconds);
void cpw_timer_disarm(cpw_timer *timer);
void cpw_timer_destroy(cpw_timer *timer);

/* Calls `changed(user)` on the loop's thread when something of that name is made in a folder, or may have been: the kernel
 * dropped events, or the folder was removed, after which nothing more is reported. Null if there is no such folder, or
 * memory or files are short. */
cpw_file_watch *_Nullable cpw_file_watch_create(cpw_loop *loop, const char *folder, const char *name, void (*changed)(void *user),
                                      void *user);
void cpw_file_watch_destroy(cpw_file_watch *watch);

/* Calls `ready(user)` on the loop's thread when there is something to read from an open file, or, while asked for, room
 * to write. The poll has a file of its own for that: were the caller's closed first, while a child that was just forked still
 * has it, the loop would be told of a source that is no more. Null if memory or files are short. */
cpw_poll *_Nullable cpw_poll_create(cpw_loop *loop, int file, void (*ready)(void *user), void *user);
void cpw_poll_set_writing(cpw_poll *poll, bool is_writing);
void cpw_poll_destroy(cpw_poll *poll);

/* Any thread. CLOCK_MONOTONIC in nanoseconds. */
uint64_t cpw_now(void);
/* Any thread. Nanoseconds for which the computer has slept since it was started, which CLOCK_MONOTONIC leaves out; accurate to
 * 10 ms. */
uint64_t cpw_time_asleep(void);

/* The version of the libpipewire that runs, such as "0.3.65". Any thread; never freed. */
const char *cpw_library_version(void);

#pragma clang assume_nonnull end
#endif
