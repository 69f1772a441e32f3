#include "internal.h"

#include <errno.h>
#include <sys/eventfd.h>

int cpw_event_descriptor(void) {
    int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return descriptor < 0 ? -errno : descriptor;
}
