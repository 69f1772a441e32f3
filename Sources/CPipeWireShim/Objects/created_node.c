#include "internal.h"

#include <spa/param/param.h>
#include <spa/pod/builder.h>

/* A node that the daemon runs for this process, as it runs one for each PCM device of a real
 * card. */

struct cpw_node {
    cpw_connection *connection;
    struct pw_proxy *proxy; /* null once the connection or the daemon's object is gone */
    struct spa_hook listener;
    cpw_node_events events;
    void *user;
};

static void on_bound(void *data, uint32_t id) {
    cpw_node *node = data;
    node->events.bound(node->user, id);
}

/* Also called when the connection ends. The proxy is destroyed here, because it would outlive its
 * core. */
static void on_removed(void *data) {
    cpw_node *node = data;
    bool notifies = !node->connection->failed;
    pw_proxy_destroy(node->proxy);
    if (notifies)
        node->events.removed(node->user);
}

static void on_error(void *data, int sequence, int result, const char *message) {
    (void)sequence;
    cpw_node *node = data;
    node->events.failed(node->user, result, message ? message : spa_strerror(result));
}

static void on_destroyed(void *data) {
    cpw_node *node = data;
    spa_hook_remove(&node->listener);
    node->proxy = NULL;
}

static const struct pw_proxy_events proxy_events = {
    PW_VERSION_PROXY_EVENTS,
    .destroy = on_destroyed,
    .bound = on_bound,
    .removed = on_removed,
    .error = on_error,
};

cpw_node *cpw_node_create(cpw_connection *connection, const char *factory, const cpw_property *properties,
                          size_t count, const cpw_node_events *events, void *user, int *error) {
    cpw_node *node = calloc(1, sizeof(*node));
    if (node == NULL) {
        *error = -ENOMEM;
        return NULL;
    }
    struct spa_dict dict = SPA_DICT_INIT((const struct spa_dict_item *)properties, (uint32_t)count);
    node->connection = connection;
    node->events = *events;
    node->user = user;
    node->proxy =
        pw_core_create_object(connection->core, factory, PW_TYPE_INTERFACE_Node, PW_VERSION_NODE, &dict, 0);
    if (node->proxy == NULL) {
        *error = -errno;
        free(node);
        return NULL;
    }
    pw_proxy_add_listener(node->proxy, &node->listener, &proxy_events, node);
    *error = 0;
    return node;
}

int cpw_node_set_volume(cpw_node *node, float volume, uint32_t channels, bool mute) {
    uint8_t buffer[512];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(buffer, sizeof(buffer));
    if (node->proxy == NULL)
        return -ENOTCONN;
    const struct spa_pod *props = cpw_props_build(&builder, SPA_PARAM_Props, volume, channels, mute);
    return pw_node_set_param((struct pw_node *)node->proxy, SPA_PARAM_Props, 0, props);
}

void cpw_node_destroy(cpw_node *node) {
    if (node->proxy != NULL)
        pw_proxy_destroy(node->proxy);
    free(node);
}
