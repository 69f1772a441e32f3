#include "internal.h"

#include <limits.h>
#include <sys/inotify.h>
#include <unistd.h>

struct cpw_file_watch {
    cpw_loop *loop;
    struct spa_source *source;
    char name[NAME_MAX + 1];
    void (*changed)(void *user);
    void *user;
};

static void on_readable(void *data, int file, uint32_t mask) {
    (void)mask;
    cpw_file_watch *watch = data;
    _Alignas(struct inotify_event) char events[4096];
    bool is_affected = false;
    ssize_t size;
    while ((size = read(file, events, sizeof(events))) > 0) {
        for (char *next = events; next < events + size;) {
            const struct inotify_event *event = (const struct inotify_event *)next;
            /* Events were dropped, or the folder was removed: the caller has to check. */
            is_affected = is_affected || event->mask & (IN_Q_OVERFLOW | IN_IGNORED) ||
                          (event->len > 0 && strcmp(event->name, watch->name) == 0);
            next += sizeof(*event) + event->len;
        }
    }
    watch->loop->event_time = 0;
    if (is_affected)
        watch->changed(watch->user);
}

static int open_inotify(const char *folder) {
    int file = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (file >= 0 && inotify_add_watch(file, folder, IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_ONLYDIR) < 0) {
        close(file);
        file = -1;
    }
    return file;
}

cpw_file_watch *cpw_file_watch_create(cpw_loop *loop, const char *folder, const char *name, void (*changed)(void *), void *user) {
    cpw_file_watch *watch = calloc(1, sizeof(*watch));
    int file = watch != NULL ? open_inotify(folder) : -1;
    if (file >= 0) {
        watch->loop = loop;
        strncpy(watch->name, name, sizeof(watch->name) - 1);
        watch->changed = changed;
        watch->user = user;
        watch->source = pw_loop_add_io(loop->loop, file, SPA_IO_IN, true, on_readable, watch);
        if (watch->source != NULL)
            return watch;
        close(file);
    }
    free(watch);
    return NULL;
}

void cpw_file_watch_destroy(cpw_file_watch *watch) {
    pw_loop_destroy_source(watch->loop->loop, watch->source);
    free(watch);
}
