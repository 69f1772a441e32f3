#include "server.h"

#include <pipewire/extensions/metadata.h>

/* A program that keeps a metadata object and then answers nothing, as one that is blocked. */
struct cpt_silent {
    struct pw_loop *loop;
    struct pw_context *context;
    struct pw_core *core;
    struct pw_proxy *metadata;
};

static int publish(cpt_silent *silent, const char *path, const char *name) {
    struct spa_dict_item item = SPA_DICT_ITEM_INIT(PW_KEY_METADATA_NAME, name);
    struct spa_dict properties = SPA_DICT_INIT(&item, 1);
    silent->loop = pw_loop_new(NULL);
    if (silent->loop == NULL)
        return -errno;
    silent->context = pw_context_new(silent->loop, pw_properties_new(PW_KEY_CONFIG_NAME, "null", NULL), 0);
    if (silent->context == NULL)
        return -errno;
    pw_context_load_module(silent->context, "libpipewire-module-protocol-native", NULL, NULL);
    pw_context_load_module(silent->context, "libpipewire-module-metadata", NULL, NULL);
    silent->core = pw_context_connect(silent->context, pw_properties_new(PW_KEY_REMOTE_NAME, path, NULL), 0);
    if (silent->core == NULL)
        return -errno;
    silent->metadata = pw_core_create_object(silent->core, "metadata", PW_TYPE_INTERFACE_Metadata,
                                             PW_VERSION_METADATA, &properties, 0);
    return silent->metadata ? 0 : -errno;
}

cpt_silent *cpt_silent_start(const char *path, const char *name) {
    cpt_silent *silent = calloc(1, sizeof(*silent));
    if (silent == NULL)
        return NULL;
    if (publish(silent, path, name) < 0) {
        cpt_silent_stop(silent);
        return NULL;
    }
    pw_loop_enter(silent->loop);
    for (int turn = 0; turn < 1000 && pw_proxy_get_bound_id(silent->metadata) == SPA_ID_INVALID; turn++)
        pw_loop_iterate(silent->loop, 10);
    pw_loop_leave(silent->loop);
    return silent;
}

void cpt_silent_stop(cpt_silent *silent) {
    if (silent->loop != NULL)
        pw_loop_enter(silent->loop);
    if (silent->metadata != NULL)
        pw_proxy_destroy(silent->metadata);
    if (silent->core != NULL)
        pw_core_disconnect(silent->core);
    if (silent->context != NULL)
        pw_context_destroy(silent->context);
    if (silent->loop != NULL) {
        pw_loop_leave(silent->loop);
        pw_loop_destroy(silent->loop);
    }
    free(silent);
}
