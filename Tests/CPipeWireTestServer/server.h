#ifndef CPT_SERVER_H
#define CPT_SERVER_H

#include "CPipeWireTestServer.h"

#include <errno.h>
#include <pipewire/impl.h>
#include <pipewire/pipewire.h>
#include <stdlib.h>
#include <string.h>

struct cpt_server {
    struct pw_thread_loop *thread;
    struct pw_context *context;
    struct spa_source *wake;
    struct spa_list objects;
};

struct cpt_param {
    struct spa_pod **pods; /* null entries: no pod */
    size_t count;
    uint32_t flags;
    size_t asked;
};

struct cpt_object {
    struct spa_list link;
    cpt_server *server;
    cpw_object_type type;
    struct pw_global *global;
    struct spa_list bindings;  /* struct binding */
    struct spa_list questions; /* held ones */
    struct cpt_entries {
        struct spa_dict_item *items;
        uint32_t count;
    } properties;
    int32_t state;
    struct cpt_param params[CPW_PARAM_COUNT];
    bool holds;
    struct spa_list metadata; /* struct metadata_entry */
};

/* server.c */
const char *cpt_interface(cpw_object_type type, uint32_t *version);
void cpt_wake(cpt_server *server);

/* objects.c */
int cpt_object_bind(void *data, struct pw_impl_client *client, uint32_t permissions, uint32_t version, uint32_t id);
void cpt_object_free(cpt_object *object);

#endif
