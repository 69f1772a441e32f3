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

/* The daemon and its session manager have this priority by default, and while they answer an event at it everybody else
 * waits: a gate that has to close before they send sound elsewhere, too. Among equals, whoever asks for shorter turns than they
 * have is let in between: since Linux 6.12, which gives nobody less time for it; before that it means nothing. News is thought through
 * in a fraction of such a turn. Where the system allows no priority the shorter turn is left, which anybody may have. */
void cpw_hurry(void) {
    static const int32_t nice_of_pipewire = -11;
    static const uint64_t turn = 700 * SPA_NSEC_PER_USEC;
    struct scheduling own = {0};
    if (syscall(SYS_sched_getattr, 0, &own, sizeof(own), 0) != 0 || own.policy != SCHED_OTHER)
        return;
    int32_t nice = own.nice;
    own.flags |= STARTED_THREADS_ARE_ORDINARY;
    own.turn = turn;
    if (nice <= nice_of_pipewire || !set(&own, nice_of_pipewire))
        set(&own, nice);
}
