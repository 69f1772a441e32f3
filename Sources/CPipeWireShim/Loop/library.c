#include "internal.h"

#include <stdio.h>
#include <stdio_ext.h>

/* PipeWire's logger makes stderr line-buffered. The program chose its buffering, so that is
 * restored. An unbuffered stream has a buffer of at most one byte, and a buffered one keeps its
 * buffer. */
static void initialize(void) {
    bool was_line_buffered = __flbf(stderr), was_unbuffered = __fbufsize(stderr) <= 1;
    pw_init(NULL, NULL);
    if (!was_line_buffered && __flbf(stderr))
        setvbuf(stderr, NULL, was_unbuffered ? _IONBF : _IOFBF, 0);
}

void cpw_library_initialize(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, initialize);
}

const char *cpw_library_version(void) { return pw_get_library_version(); }

bool cpw_library_is_older_than(int major, int minor, int micro) {
    int is[3] = {0};
    sscanf(pw_get_library_version(), "%d.%d.%d", &is[0], &is[1], &is[2]);
    return is[0] != major ? is[0] < major : is[1] != minor ? is[1] < minor : is[2] < micro;
}
