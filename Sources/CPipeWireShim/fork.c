#include "internal.h"

#include <CGuard.h>
#include <stdio.h>

void cpw_use(void) { cgd_use(); }

bool cpw_is_forked(void) { return cgd_is_forked(); }

/* libpipewire does not show the socket of a connection, but the kernel lists what a loop waits for: lines such as
 * "tfd:       12 events: ...". Without /proc a child keeps the connection open. */
int cpw_keep_from_children(struct pw_loop *loop) {
    char text[128];
    snprintf(text, sizeof(text), "/proc/self/fdinfo/%d", pw_loop_get_fd(loop));
    FILE *list = fopen(text, "re");
    int slot = -1, file;
    while (slot < 0 && list != NULL && fgets(text, sizeof(text), list) != NULL)
        if (sscanf(text, "tfd: %d", &file) == 1)
            slot = cgd_keep(file);
    if (list != NULL)
        fclose(list);
    return slot;
}
