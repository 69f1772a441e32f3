#include "internal.h"

#include <unistd.h>

/* The kernel maps a page of new memory at the first write to it. */
void cpw_make_resident(void *memory, size_t size) {
    volatile char *bytes = memory;
    long page = sysconf(_SC_PAGESIZE);
    for (size_t offset = 0; page > 0 && offset < size; offset += (size_t)page)
        bytes[offset] = 0;
    /* The memory may begin within a page. */
    if (size > 0)
        bytes[size - 1] = 0;
}
