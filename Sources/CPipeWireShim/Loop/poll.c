#include "internal.h"

#include <CProcess.h>
#include <fcntl.h>
#include <unistd.h>

struct cpw_poll {
    cpw_loop *loop;
    struct spa_source *source;
    bool is_writing;
    int socket_slot; /* of CProcess.h */
    void (*ready)(void *user);
    void *user;
};

static void on_ready(void *data, int file, uint32_t mask) {
    (void)file;
    (void)mask;
    cpw_poll *poll = data;
    poll->loop->event_time = 0;
    poll->ready(poll->user);
}

cpw_poll *cpw_poll_create(cpw_loop *loop, int file, void (*ready)(void *user), void *user) {
    cpw_poll *poll = calloc(1, sizeof(*poll));
    int own = poll != NULL ? fcntl(file, F_DUPFD_CLOEXEC, 0) : -1;
    if (own < 0) {
        free(poll);
        return NULL;
    }
    poll->loop = loop;
    poll->ready = ready;
    poll->user = user;
    poll->source = pw_loop_add_io(loop->loop, own, SPA_IO_IN, true, on_ready, poll);
    poll->socket_slot = cpr_close_in_children(own);
    if (poll->source != NULL)
        return poll;
    close(own);
    cpr_forget_socket(poll->socket_slot);
    free(poll);
    return NULL;
}

void cpw_poll_set_writing(cpw_poll *poll, bool is_writing) {
    if (is_writing == poll->is_writing)
        return;
    poll->is_writing = is_writing;
    pw_loop_update_io(poll->loop->loop, poll->source, is_writing ? SPA_IO_IN | SPA_IO_OUT : SPA_IO_IN);
}

void cpw_poll_destroy(cpw_poll *poll) {
    pw_loop_destroy_source(poll->loop->loop, poll->source);
    cpr_forget_socket(poll->socket_slot);
    free(poll);
}
