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
    float soft_volumes[CPW_MAX_VOLUMES];
    size_t soft_volume_count;
    bool soft_mute;
    struct spa_list metadata; /* struct metadata_entry */
};

/* server.c */
const char *cpt_interface(cpw_object_type type, uint32_t *version);
void cpt_wake(cpt_server *server);

/* objects.c */
int cpt_object_bind(void *data, struct pw_impl_client *client, uint32_t permissions, uint32_t version, uint32_t id);
void cpt_object_free(cpt_object *object);

/* copies.c: the owner frees them */
char *cpt_copy(const char *string);
void cpt_set_entries(struct cpt_entries *entries, const cpw_property *properties, size_t count);
struct spa_pod *cpt_pod_copy(const uint8_t *bytes, size_t size);
struct spa_pod **cpt_pods_copy(struct spa_pod *const *pods, size_t count);
void cpt_pods_free(struct spa_pod **pods, size_t count);

/* written.c: their data is the object */
extern const struct pw_node_methods cpt_node_methods;

#endif
