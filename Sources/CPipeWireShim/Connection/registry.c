#include "internal.h"

#include <pipewire/extensions/metadata.h>
#include <pipewire/extensions/session-manager.h>
#include <spa/param/param.h>

static const cpw_property *items(const struct spa_dict *dict) {
    return dict ? (const cpw_property *)dict->items : NULL;
}

static size_t count(const struct spa_dict *dict) { return dict ? dict->n_items : 0; }

static const struct {
    const char *interface;
    cpw_object_type type;
    uint32_t version;
} interfaces[] = {
    {PW_TYPE_INTERFACE_Node, CPW_OBJECT_NODE, PW_VERSION_NODE},
    {PW_TYPE_INTERFACE_Device, CPW_OBJECT_DEVICE, PW_VERSION_DEVICE},
    {PW_TYPE_INTERFACE_Link, CPW_OBJECT_LINK, PW_VERSION_LINK},
    {PW_TYPE_INTERFACE_Client, CPW_OBJECT_CLIENT, PW_VERSION_CLIENT},
    {PW_TYPE_INTERFACE_Metadata, CPW_OBJECT_METADATA, PW_VERSION_METADATA},
    {PW_TYPE_INTERFACE_Session, CPW_OBJECT_SESSION, PW_VERSION_SESSION},
};

static cpw_object_type type_of(const char *interface) {
    if (interface == NULL)
        return CPW_OBJECT_OTHER;
    for (size_t i = 0; i < SPA_N_ELEMENTS(interfaces); i++)
        if (strcmp(interfaces[i].interface, interface) == 0)
            return interfaces[i].type;
    return CPW_OBJECT_OTHER;
}

/* Whether an interest matches the object. On a busy computer most objects match none, and nothing
 * is stored about them. */
static bool matches_interests(const cpw_connection *connection, cpw_object_type type, const struct spa_dict *properties,
                     bool *binds) {
    const char *key = NULL, *value = NULL;
    bool has_interests = false;
    for (size_t i = 0; i < connection->interest_count; i++) {
        const cpw_interest *interest = &connection->interests[i];
        if (interest->type != type)
            continue;
        has_interests = true;
        if (interest->key != key) {
            key = interest->key;
            value = properties != NULL ? spa_dict_lookup(properties, key) : NULL;
        }
        if (value != NULL && (interest->value == NULL || strcmp(value, interest->value) == 0)) {
            *binds = interest->binds;
            return true;
        }
    }
    return !has_interests;
}

static bool is_session_factory(const char *interface, const struct spa_dict *properties) {
    const char *name = properties != NULL ? spa_dict_lookup(properties, PW_KEY_FACTORY_NAME) : NULL;
    return interface != NULL && strcmp(interface, PW_TYPE_INTERFACE_Factory) == 0 && name != NULL &&
           strcmp(name, "session") == 0;
}

static void on_global(void *data, uint32_t id, uint32_t permissions, const char *interface, uint32_t version,
                      const struct spa_dict *properties) {
    (void)permissions, (void)version;
    cpw_connection *connection = data;
    cpw_object_type type = type_of(interface);
    if (connection->failed)
        return;
    if (is_session_factory(interface, properties))
        connection->session_factory = id;
    bool binds = false;
    bool is_reported = type != CPW_OBJECT_OTHER && matches_interests(connection, type, properties, &binds);
    cpw_id_set_put(&connection->reported_ids, id, is_reported);
    cpw_id_set_put(&connection->client_ids, id, type == CPW_OBJECT_CLIENT);
    if (!is_reported)
        return;
    if (binds) {
        /* An object that was removed meanwhile is not bound; its removal is reported as usual. */
        cpw_connection_bind(connection, id, type);
        return;
    }
    connection->loop->event_time = cpw_now();
    connection->events.global(connection->user, id, type, items(properties), count(properties));
}

static void on_global_removed(void *data, uint32_t id) {
    cpw_connection *connection = data;
    if (connection->failed)
        return;
    connection->loop->event_time = cpw_now();
    if (id == connection->session_factory)
        connection->session_factory = SPA_ID_INVALID;
    cpw_streams_close_gates(connection, id);
    if (cpw_id_set_remove(&connection->client_ids, id))
        cpw_devices_plan_rechecks(connection);
    if (!cpw_id_set_remove(&connection->reported_ids, id))
        return;
    connection->events.global_removed(connection->user, id);
}

static const struct pw_registry_events registry_events = {
    PW_VERSION_REGISTRY_EVENTS,
    .global = on_global,
    .global_remove = on_global_removed,
};

int cpw_connection_watch_registry(cpw_connection *connection, const cpw_interest *interests, size_t count) {
    if (connection->registry != NULL)
        return -EALREADY;
    connection->interests = interests;
    connection->interest_count = count;
    connection->recheck_timer = cpw_timer_create(connection->loop, false, cpw_devices_recheck, connection);
    connection->registry = pw_core_get_registry(connection->core, PW_VERSION_REGISTRY, 0);
    if (connection->registry == NULL)
        return -errno;
    pw_registry_add_listener(connection->registry, &connection->registry_listener, &registry_events, connection);
    return 0;
}

/* ---- Bound objects */

static void on_removed(void *data) { pw_proxy_destroy(((struct cpw_object *)data)->proxy); }

static void on_destroyed(void *data) {
    struct cpw_object *object = data;
    spa_hook_remove(&object->proxy_listener);
    spa_hook_remove(&object->listener);
    cpw_device_cancel_enumerations(object);
    spa_list_remove(&object->link);
    free(object);
}

static const struct pw_proxy_events proxy_events = {
    PW_VERSION_PROXY_EVENTS,
    .removed = on_removed,
    .destroy = on_destroyed,
};

static void on_node_info(void *data, const struct pw_node_info *info) {
    struct cpw_object *object = data;
    cpw_connection *connection = object->connection;
    if (connection->failed)
        return;
    connection->loop->event_time = cpw_now();
    if (info->change_mask & PW_NODE_CHANGE_MASK_PROPS)
        connection->events.properties(connection->user, object->id, CPW_OBJECT_NODE, items(info->props),
                                      count(info->props));
    if (info->change_mask & PW_NODE_CHANGE_MASK_STATE)
        connection->events.node_state(connection->user, object->id, info->state);
}

static void on_node_param(void *data, int sequence, uint32_t id, uint32_t index, uint32_t next,
                          const struct spa_pod *pod) {
    (void)sequence, (void)index, (void)next;
    struct cpw_object *object = data;
    cpw_connection *connection = object->connection;
    bool mute;
    float volumes[CPW_MAX_VOLUMES];
    if (connection->failed || id != SPA_PARAM_Props)
        return;
    connection->loop->event_time = cpw_now();
    if (cpw_pod_mute(pod, &mute))
        connection->events.node_mute(connection->user, object->id, mute);
    uint32_t count = cpw_pod_volumes(pod, volumes);
    if (count > 0)
        connection->events.node_volumes(connection->user, object->id, volumes, count);
}

static const struct pw_node_events node_events = {
    PW_VERSION_NODE_EVENTS,
    .info = on_node_info,
    .param = on_node_param,
};

static int on_metadata(void *data, uint32_t subject, const char *key, const char *type, const char *value) {
    struct cpw_object *object = data;
    cpw_connection *connection = object->connection;
    if (connection->failed)
        return 0;
    connection->loop->event_time = cpw_now();
    connection->events.metadata(connection->user, object->id, subject, key, type, value);
    return 0;
}

static const struct pw_metadata_events metadata_events = {PW_VERSION_METADATA_EVENTS, .property = on_metadata};

static void add_listener(struct cpw_object *object) {
    switch (object->type) {
    case CPW_OBJECT_NODE:
        pw_node_add_listener((struct pw_node *)object->proxy, &object->listener, &node_events, object);
        break;
    case CPW_OBJECT_DEVICE:
        cpw_device_add_listener(object);
        break;
    case CPW_OBJECT_METADATA:
        pw_metadata_add_listener((struct pw_metadata *)object->proxy, &object->listener, &metadata_events, object);
        break;
    default:
        break;
    }
}

int cpw_connection_bind(cpw_connection *connection, uint32_t id, cpw_object_type type) {
    if (connection->registry == NULL || connection->failed)
        return -ENOTCONN;
    if (type != CPW_OBJECT_NODE && type != CPW_OBJECT_DEVICE && type != CPW_OBJECT_METADATA)
        return -EINVAL;
    struct cpw_object *object = calloc(1, sizeof(*object));
    if (object == NULL)
        return -ENOMEM;
    object->connection = connection;
    object->id = id;
    object->type = type;
    for (size_t i = 0; i < SPA_N_ELEMENTS(interfaces) && object->proxy == NULL; i++)
        if (interfaces[i].type == type)
            object->proxy = pw_registry_bind(connection->registry, id, interfaces[i].interface,
                                             interfaces[i].version, 0);
    if (object->proxy == NULL) {
        int result = errno != 0 ? -errno : -EIO;
        free(object);
        return result;
    }
    spa_list_append(&connection->objects, &object->link);
    pw_proxy_add_listener(object->proxy, &object->proxy_listener, &proxy_events, object);
    add_listener(object);
    return 0;
}

/* The daemon announces all objects that a client may see: a connection for one object would wake up
 * for each object that appears. A client can only drop permissions, so those of this object stay as
 * they are. If the daemon refuses (it may, to a sandboxed program), only the wake-ups remain. */
static void restrict_visibility(cpw_connection *connection, uint32_t id) {
    const struct pw_permission permissions[] = {
        PW_PERMISSION_INIT(PW_ID_CORE, PW_PERM_ALL),
        PW_PERMISSION_INIT(id, PW_PERM_ALL),
        PW_PERMISSION_INIT(PW_ID_ANY, 0),
    };
    pw_client_update_permissions(pw_core_get_client(connection->core), SPA_N_ELEMENTS(permissions), permissions);
}

/* A registry is needed only for binding. */
int cpw_connection_bind_only(cpw_connection *connection, uint32_t id, cpw_object_type type) {
    if (connection->registry != NULL)
        return -EALREADY;
    restrict_visibility(connection, id);
    connection->registry = pw_core_get_registry(connection->core, PW_VERSION_REGISTRY, 0);
    if (connection->registry == NULL)
        return -errno;
    int result = cpw_connection_bind(connection, id, type);
    pw_proxy_destroy((struct pw_proxy *)connection->registry);
    connection->registry = NULL;
    return result;
}

static struct cpw_object *find_bound(cpw_connection *connection, uint32_t id, cpw_object_type type) {
    struct cpw_object *object;
    if (connection->failed)
        return NULL;
    spa_list_for_each(object, &connection->objects, link)
        if (object->id == id && object->type == type)
            return object;
    return NULL;
}

struct pw_proxy *cpw_bound_proxy(cpw_connection *connection, uint32_t id, cpw_object_type type) {
    struct cpw_object *object = find_bound(connection, id, type);
    return object == NULL ? NULL : object->proxy;
}

/* The daemon stores the parameters of a node, unlike those of a device, and sends each change to
 * subscribers. */
int cpw_connection_subscribe_props(cpw_connection *connection, uint32_t id) {
    uint32_t params[] = {SPA_PARAM_Props};
    struct cpw_object *object = find_bound(connection, id, CPW_OBJECT_NODE);
    if (object == NULL)
        return -ENOENT;
    return pw_node_subscribe_params((struct pw_node *)object->proxy, params, SPA_N_ELEMENTS(params));
}

void cpw_registry_clear(cpw_connection *connection) {
    struct cpw_object *object;
    spa_list_consume(object, &connection->objects, link)
        pw_proxy_destroy(object->proxy);
    if (connection->registry != NULL) {
        spa_hook_remove(&connection->registry_listener);
        pw_proxy_destroy((struct pw_proxy *)connection->registry);
        connection->registry = NULL;
    }
    cpw_id_set_clear(&connection->reported_ids);
    cpw_id_set_clear(&connection->client_ids);
}
