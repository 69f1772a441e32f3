#include <CoreFoundation/CoreFoundation.h>
#include <pthread.h>

static pthread_mutex_t loop_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t loop_stopped = PTHREAD_COND_INITIALIZER;
static unsigned loop_stops;
static struct as_cf_run_loop { char unused; } loop;

CFRunLoopRef CFRunLoopGetMain(void) { return &loop; }
CFRunLoopRef CFRunLoopGetCurrent(void) { return &loop; }

void CFRunLoopRun(void) {
    pthread_mutex_lock(&loop_lock);
    for (unsigned stops = loop_stops; stops == loop_stops;) pthread_cond_wait(&loop_stopped, &loop_lock);
    pthread_mutex_unlock(&loop_lock);
}

void CFRunLoopStop(CFRunLoopRef stopped) {
    (void)stopped;
    pthread_mutex_lock(&loop_lock);
    loop_stops++;
    pthread_cond_broadcast(&loop_stopped);
    pthread_mutex_unlock(&loop_lock);
}
