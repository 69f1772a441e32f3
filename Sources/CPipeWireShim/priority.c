#define _GNU_SOURCE
#include "internal.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel's structure in its first form. The C library has none before 2.41, and the kernel's header contradicts the library's. */
struct scheduling {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t turn, deadline, period; /* nanoseconds; `turn` is `sched_runtime` */
};

enum { STARTED_THREADS_ARE_ORDINARY = 0x01 /* SCHED_FLAG_RESET_ON_FORK */ };

static bool set(struct scheduling *own, int32_t nice) {
    own->nice = nice;
    return syscall(SYS_sched_setattr, 0, own, 0) == 0;
}

/* The daemon and the session manager have this priority by default. Without it, a gate that has to close before they
 * send sound elsewhere would close after they have done so. The shorter turn lets this thread run between theirs on
 * Linux 6.12 and later; earlier kernels ignore it. It is all that remains where the system does not permit the priority.
 *
 * A program that was given another priority or policy than the ordinary one keeps it: someone chose it. That also makes
 * the flag exact, because it resets a thread that is started from here to nice 0, and to no other value. */
void cpw_thread_raise_priority(void) {
    static const int32_t nice_of_pipewire = -11;
    static const uint64_t turn = 700 * SPA_NSEC_PER_USEC;
    struct scheduling own = {0};
    if (syscall(SYS_sched_getattr, 0, &own, sizeof(own), 0) != 0 || own.policy != SCHED_OTHER || own.nice != 0)
        return;
    own.flags |= STARTED_THREADS_ARE_ORDINARY;
    own.turn = turn;
    if (!set(&own, nice_of_pipewire))
        set(&own, 0);
}
