#include "internal.h"

#include <CProcess.h>
#include <stdio.h>

void cpw_handle_forks(void) { cpr_handle_forks(); }

bool cpw_is_forked_child(void) { return cpr_is_forked_child(); }

/* libpipewire does not expose the socket of a connection, but the kernel lists the files that a
 * loop polls, in lines such as "tfd:       12 events: ...". Without /proc a child keeps the socket
 * open. */
int cpw_close_in_children(struct pw_loop *loop) {
    char text[128];
    snprintf(text, sizeof(text), "/proc/self/fdinfo/%d", pw_loop_get_fd(loop));
    FILE *list = fopen(text, "re");
    int slot = -1, file;
    while (slot < 0 && list != NULL && fgets(text, sizeof(text), list) != NULL)
        if (sscanf(text, "tfd: %d", &file) == 1)
            slot = cpr_close_in_children(file);
    if (list != NULL)
        fclose(list);
    return slot;
}
