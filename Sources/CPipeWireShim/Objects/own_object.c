#include "internal.h"

static void on_bound(void *data, uint32_t id) {
    struct cpw_own_object *object = data;
    if (object->events.bound != NULL)
        object->events.bound(object->user, id);
}

/* Also called when the connection ends. The proxy is destroyed here, because it would outlive its
 * core. */
static void on_removed(void *data) {
    struct cpw_own_object *object = data;
    bool notifies = object->events.removed != NULL && !object->connection->failed;
    pw_proxy_destroy(object->proxy);
    if (notifies)
        object->events.removed(object->user);
}

static void on_error(void *data, int sequence, int result, const char *message) {
    (void)sequence;
    struct cpw_own_object *object = data;
    object->events.failed(object->user, result, message ? message : spa_strerror(result));
}

static void on_destroyed(void *data) {
    struct cpw_own_object *object = data;
    spa_hook_remove(&object->listener);
    object->proxy = NULL;
}

static const struct pw_proxy_events proxy_events = {
    PW_VERSION_PROXY_EVENTS,
    .destroy = on_destroyed,
    .bound = on_bound,
    .removed = on_removed,
    .error = on_error,
};

void cpw_own_object_follow(struct cpw_own_object *object, cpw_connection *connection, struct pw_proxy *proxy,
                           const cpw_own_object_events *events, void *user) {
    object->connection = connection;
    object->proxy = proxy;
    object->events = *events;
    object->user = user;
    pw_proxy_add_listener(proxy, &object->listener, &proxy_events, object);
}

void cpw_own_object_remove(struct cpw_own_object *object) {
    if (object->proxy != NULL)
        pw_proxy_destroy(object->proxy);
}
