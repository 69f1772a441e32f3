#include "internal.h"

#include <signal.h>

static void on_wake(void *data, uint64_t count) {
    (void)count;
    cpw_loop *loop = data;
    loop->event_time = 0;
    loop->drain(loop->user);
}

/* The thread and the owner have a reference each. The last one frees the loop. */
void cpw_loop_ref(cpw_loop *loop) { atomic_fetch_add_explicit(&loop->references, 1, memory_order_relaxed); }

void cpw_loop_unref(cpw_loop *loop) {
    if (atomic_fetch_sub_explicit(&loop->references, 1, memory_order_acq_rel) > 1)
        return;
    sem_destroy(&loop->entered);
    pw_loop_destroy(loop->loop);
    free(loop);
}

static _Thread_local bool is_loop_thread;

static void *run(void *data) {
    cpw_loop *loop = data;
    is_loop_thread = true;
    loop->thread = pthread_self();
    pthread_setname_np(loop->thread, "pipewire-loop");
    cpw_thread_set_priority(loop->is_urgent);
    pw_loop_enter(loop->loop);
    sem_post(&loop->entered);
    /* A context loads a dozen libraries, which takes longer than the rest of the start. */
    if (loop->connects)
        loop->context = cpw_context_new(loop->loop);
    while (!atomic_load_explicit(&loop->ending, memory_order_acquire)) {
        pw_loop_iterate(loop->loop, loop->is_woken_by_itself ? 0 : -1);
        if (loop->is_woken_by_itself) {
            loop->is_woken_by_itself = false;
            loop->event_time = 0;
            loop->drain(loop->user);
        }
    }
    loop->drain(loop->user);
    if (loop->context != NULL)
        pw_context_destroy(loop->context);
    pw_loop_leave(loop->loop);
    loop->finish(loop->user);
    cpw_loop_unref(loop);
    return NULL;
}

/* The thread blocks signals, because the program's handlers must not run on it. */
static int start_thread(cpw_loop *loop) {
    sigset_t all, before;
    sigfillset(&all);
    /* A blocked fault signal would end the process without calling its crash handler, or the handler
     * by which a sandbox performs a system call. */
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    for (size_t i = 0; i < SPA_N_ELEMENTS(faults); i++)
        sigdelset(&all, faults[i]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    atomic_store_explicit(&loop->references, 2, memory_order_relaxed);
    int result = -pthread_create(&thread, NULL, run, loop);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (result == 0)
        pthread_detach(thread);
    else
        atomic_store_explicit(&loop->references, 1, memory_order_relaxed);
    /* Until the thread has entered the loop, libpipewire accepts any thread as the loop's. */
    while (result == 0 && sem_wait(&loop->entered) < 0 && errno == EINTR)
        ;
    return result;
}

cpw_loop *cpw_loop_create(bool is_urgent, bool connects, void (*drain)(void *), void (*finish)(void *), void *user,
                          int *error) {
    cpw_library_initialize();
    cpw_handle_forks();

    cpw_loop *loop = calloc(1, sizeof(*loop));
    if (loop == NULL) {
        *error = -ENOMEM;
        return NULL;
    }
    spa_list_init(&loop->armed_timers);
    loop->is_urgent = is_urgent;
    loop->connects = connects;
    loop->drain = drain;
    loop->finish = finish;
    loop->user = user;
    sem_init(&loop->entered, 0, 0);
    atomic_init(&loop->references, 1);
    loop->loop = pw_loop_new(NULL);
    if (loop->loop == NULL) {
        *error = -errno;
        free(loop);
        return NULL;
    }
    loop->wake = pw_loop_add_event(loop->loop, on_wake, loop);
    *error = loop->wake ? start_thread(loop) : -errno;
    if (*error < 0) {
        cpw_loop_unref(loop);
        return NULL;
    }
    return loop;
}

/* On the loop's own thread a flag replaces the event, which saves system calls. */
void cpw_loop_wake(cpw_loop *loop) {
    if (cpw_loop_is_current(loop))
        loop->is_woken_by_itself = true;
    else
        pw_loop_signal_event(loop->loop, loop->wake);
}

bool cpw_loop_is_current(const cpw_loop *loop) { return pthread_equal(loop->thread, pthread_self()); }

bool cpw_loop_runs_current_thread(void) { return is_loop_thread; }

void cpw_loop_release(cpw_loop *loop) {
    atomic_store_explicit(&loop->ending, true, memory_order_release);
    cpw_loop_wake(loop);
    cpw_loop_unref(loop);
}
