#include "internal.h"

/* Up to 1.2 only `client-rt.conf` gives the data thread real-time priority; later all files do. */
struct pw_context *cpw_context_new(struct pw_loop *loop) {
    if (cpw_library_is_older_than(1, 3, 0)) {
        struct pw_properties *properties = pw_properties_new(PW_KEY_CONFIG_NAME, "client-rt.conf", NULL);
        struct pw_context *context = pw_context_new(loop, properties, 0);
        if (context != NULL)
            return context;
    }
    return pw_context_new(loop, NULL, 0);
}
