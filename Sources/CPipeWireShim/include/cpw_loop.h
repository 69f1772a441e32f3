/* Loop: one thread, timers, wake-ups, files. CPipeWireShim.h has the rules that hold for all. */
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

/* Any thread. Makes a loop and starts its thread. The thread calls `drain(user)` after each
 * wake-up, and `finish(user)` as its last action, after which it never calls `drain`.
 *
 * `is_urgent`: the thread has the priority of PipeWire's own processes (nice -11) and short time
 * slices, if the system permits that and the program is an ordinary one (SCHED_OTHER, nice 0).
 * Otherwise it has the caller's policy, and the nice value of the main thread or of the caller,
 * whichever is higher. `connects`: prepares what the first connection needs. */
cpw_loop *_Nullable cpw_loop_create(bool is_urgent, bool connects, void (*drain)(void *user),
                                    void (*finish)(void *user), void *user, int *error);

/* Any thread. Makes the loop call `drain` soon. One call of `drain` may answer several wake-ups. */
void cpw_loop_wake(cpw_loop *loop);

/* Any thread. Between the two calls the loop may be woken, even if its thread ends meanwhile. */
void cpw_loop_ref(cpw_loop *loop);
void cpw_loop_unref(cpw_loop *loop);

/* Any thread. Whether the caller runs on the loop's thread. */
bool cpw_loop_is_current(const cpw_loop *loop);

/* Any thread. Whether the caller runs on the thread of any loop. */
bool cpw_loop_runs_current_thread(void);

/* Any thread. Ends the thread after a last `drain`, and frees the loop. Does not wait for that,
 * because the caller may be a thread of Swift's pool, and the loop's thread may read from a slow
 * disk. All connections, timers, watches and polls must be destroyed before the last `drain`
 * ends. */
void cpw_loop_release(cpw_loop *loop);

/* Makes a timer, which is not armed. Null if memory or files are exhausted. `fired` may destroy
 * it. If `fires_in_callbacks`, cpw_loop_run_waiting may call `fired` too. */
cpw_timer *_Nullable cpw_timer_create(cpw_loop *loop, bool fires_in_callbacks, void (*fired)(void *user),
                                      void *user);

/* Makes the timer fire once, `nanoseconds` from now (0: as soon as possible). Replaces an earlier
 * time. */
void cpw_timer_arm(cpw_timer *timer, uint64_t nanoseconds);
void cpw_timer_disarm(cpw_timer *timer);
void cpw_timer_destroy(cpw_timer *timer);

/* Fires timers that are due, then calls `jobs(user)`, from within a callback of PipeWire. The loop
 * sends callbacks as long as the daemon sends events, and checks no timer meanwhile. A gate that is
 * closed by a timer or a job was not closed by the event of that callback. */
void cpw_loop_run_waiting(cpw_loop *loop, void (*jobs)(void *user), void *user);

/* Calls `changed(user)` when a file of this name may have been created in the folder: it was, the
 * kernel dropped events, or the folder was removed, after which there are no more calls. Null if
 * there is no such folder, or memory or files are exhausted. */
cpw_file_watch *_Nullable cpw_file_watch_create(cpw_loop *loop, const char *folder, const char *name,
                                                void (*changed)(void *user), void *user);
/* Must not be called within `changed`. */
void cpw_file_watch_destroy(cpw_file_watch *watch);

/* Calls `ready(user)` when an open file can be read, or written if that is enabled. Null if memory
 * or files are exhausted. Polls a duplicate of the file: if the caller closed the file itself while
 * a forked child still has it, the kernel would report a source that the loop has removed. */
cpw_poll *_Nullable cpw_poll_create(cpw_loop *loop, int file, void (*ready)(void *user), void *user);
void cpw_poll_set_writing(cpw_poll *poll, bool is_writing);
/* Must not be called within `ready`. */
void cpw_poll_destroy(cpw_poll *poll);

/* Any thread. CLOCK_MONOTONIC in nanoseconds. */
uint64_t cpw_now(void);
/* Any thread. Nanoseconds that the computer has slept since it was started, which CLOCK_MONOTONIC
 * omits. Accurate to 10 ms. */
uint64_t cpw_time_asleep(void);
/* Any thread that holds the mutex. Waits for a pthread condition of CLOCK_MONOTONIC until a time in
 * nanoseconds, and returns 0 or ETIMEDOUT. It is not in Swift, where the module of `timespec` depends
 * on the order of headers. */
int cpw_wait(void *condition, void *mutex, uint64_t deadline);
/* Any thread. Makes an eventfd that does not block, which the caller closes, or returns -errno. It is
 * not in Swift, which has no header for it. */
int cpw_event_descriptor(void);

/* Any thread. The version of the loaded libpipewire, such as "0.3.65". Never freed. */
const char *cpw_library_version(void);

#pragma clang assume_nonnull end
#endif
