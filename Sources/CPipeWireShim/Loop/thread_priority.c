#define _GNU_SOURCE
#include "internal.h"

#include <sched.h>
#include <sys/resource.h>
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

/* The nice value of the program is its main thread's: libdispatch gives 0 or -4 to its own threads, and a loop is mostly
 * opened on one of those. The thread that opens the loop may be nicer than the program. */
static int32_t nice_of_program(int32_t own) {
    errno = 0;
    int nice = getpriority(PRIO_PROCESS, (id_t)getpid());
    return errno == 0 ? SPA_MAX(own, nice) : own;
}

/* The daemon and the session manager have this priority by default. Without it, a gate that has to close before they
 * send sound elsewhere would close after they have done so. The shorter turn lets this thread run between theirs on
 * Linux 6.12 and later; earlier kernels ignore it. It is all that remains where the system does not permit the priority.
 *
 * A program that was given another priority or policy than the ordinary one keeps it: someone chose it. That also makes
 * the flag exact, because it resets a thread that is started from here to nice 0, and to no other value. */
void cpw_thread_set_priority(bool is_urgent) {
    static const int32_t nice_of_pipewire = -11;
    static const uint64_t turn = 700 * SPA_NSEC_PER_USEC;
    struct scheduling own = {0};
    if (syscall(SYS_sched_getattr, 0, &own, sizeof(own), 0) != 0 || own.policy != SCHED_OTHER)
        return;
    int32_t nice = nice_of_program(own.nice);
    if (is_urgent && nice == 0) {
        own.flags |= STARTED_THREADS_ARE_ORDINARY;
        own.turn = turn;
        if (!set(&own, nice_of_pipewire))
            set(&own, nice);
    } else if (nice != own.nice) {
        setpriority(PRIO_PROCESS, 0, nice); /* the calling thread's, on Linux */
    }
}
