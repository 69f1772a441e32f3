#include "internal.h"

#include <spa/param/param.h>
#include <spa/pod/builder.h>

/* A node that the daemon runs for this process, as it runs one for each PCM device of a real
 * card. */

struct cpw_node {
    struct cpw_own_object own;
};

cpw_node *cpw_node_create(cpw_connection *connection, const char *factory, const cpw_property *properties,
                          size_t count, const cpw_own_object_events *events, void *user, int *error) {
    cpw_node *node = calloc(1, sizeof(*node));
    if (node == NULL) {
        *error = -ENOMEM;
        return NULL;
    }
    struct spa_dict dict = SPA_DICT_INIT((const struct spa_dict_item *)properties, (uint32_t)count);
    struct pw_proxy *proxy =
        pw_core_create_object(connection->core, factory, PW_TYPE_INTERFACE_Node, PW_VERSION_NODE, &dict, 0);
    if (proxy == NULL) {
        *error = -errno;
        free(node);
        return NULL;
    }
    cpw_own_object_follow(&node->own, connection, proxy, events, user);
    *error = 0;
    return node;
}

int cpw_node_set_volume(cpw_node *node, float volume, uint32_t channels, bool mute) {
    uint8_t buffer[512];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(buffer, sizeof(buffer));
    if (node->own.proxy == NULL)
        return -ENOTCONN;
    const struct spa_pod *props = cpw_props_build(&builder, SPA_PARAM_Props, volume, channels, mute);
    return pw_node_set_param((struct pw_node *)node->own.proxy, SPA_PARAM_Props, 0, props);
}

void cpw_node_destroy(cpw_node *node) {
    cpw_own_object_remove(&node->own);
    free(node);
}
