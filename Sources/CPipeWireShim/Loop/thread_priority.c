#define _GNU_SOURCE
#include "internal.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The first version of `struct sched_attr`. glibc has none before 2.41, and the kernel's header
 * conflicts with glibc's. */
struct scheduling {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period; /* nanoseconds */
};

enum { RESET_ON_FORK = 0x01 /* SCHED_FLAG_RESET_ON_FORK */ };

static bool set(struct scheduling *own, int32_t nice) {
    own->nice = nice;
    return syscall(SYS_sched_setattr, 0, own, 0) == 0;
}

/* The program's nice value is that of its main thread, because a loop is mostly created on a thread
 * of libdispatch, which sets 0 or -4. If the creating thread has a higher value, that counts. */
static int32_t nice_of_program(int32_t own) {
    errno = 0;
    int nice = getpriority(PRIO_PROCESS, (id_t)getpid());
    return errno == 0 ? SPA_MAX(own, nice) : own;
}

/* The daemon and the session manager have nice -11 by default. With a lower priority the loop would
 * close a gate after they have moved the sound to another output. The short slice has a similar
 * effect from Linux 6.12 on, also where the system does not permit the nice value. */
void cpw_thread_set_priority(bool is_urgent) {
    static const int32_t nice_of_pipewire = -11;
    static const uint64_t slice = 700 * SPA_NSEC_PER_USEC;
    struct scheduling own = {0};
    if (syscall(SYS_sched_getattr, 0, &own, sizeof(own), 0) != 0 || own.policy != SCHED_OTHER)
        return;
    int32_t nice = nice_of_program(own.nice);
    /* Only at nice 0: another value was chosen, and threads that are started here are reset to
     * 0. */
    if (is_urgent && nice == 0) {
        own.flags |= RESET_ON_FORK;
        own.runtime = slice;
        if (!set(&own, nice_of_pipewire))
            set(&own, nice);
    } else if (nice != own.nice) {
        setpriority(PRIO_PROCESS, 0, nice); /* the calling thread's, on Linux */
    }
}
