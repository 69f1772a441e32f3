#include "Tap/tap.h"

#include <spa/utils/string.h>

/* Links the tap to the monitor ports of its sink while that exists, and to no other ports. */

/* A monitor port of any sink, because a port may be announced before its node. */
struct monitor {
    struct spa_list link;
    uint32_t id, node;
    bool refused; /* a link to it was refused once */
};

struct cpw_tap_link {
    struct cpw_tap *tap;
    int index; /* of the tap's port */
    uint32_t monitor;
    bool refused;
    struct pw_proxy *proxy;
    struct spa_hook listener;
};

static void report_attached(struct cpw_tap *tap, bool attached) {
    if (tap->attached == attached)
        return;
    tap->attached = attached;
    tap->events.attached(tap->user, attached ? tap->sink : SPA_ID_INVALID);
}

static struct monitor *find_monitor(const struct cpw_tap *tap, uint32_t id) {
    struct monitor *monitor;
    spa_list_for_each(monitor, &tap->monitors, link) {
        if (monitor->id == id)
            return monitor;
    }
    return NULL;
}

static void on_link_bound(void *data, uint32_t id) {
    (void)id;
    report_attached(((struct cpw_tap_link *)data)->tap, true);
}

static void on_link_removed(void *data) { pw_proxy_destroy(((struct cpw_tap_link *)data)->proxy); }

static void on_link_error(void *data, int sequence, int result, const char *message) {
    (void)sequence;
    struct cpw_tap_link *link = data;
    struct cpw_tap *tap = link->tap;
    struct monitor *monitor = find_monitor(tap, link->monitor);
    link->refused = true;
    /* The port may have been removed during the request, which the registry announces after the
     * refusal. If it still exists, the link is requested once more, at the registry's next
     * event. */
    if (result != -ENOENT && monitor != NULL && monitor->refused)
        tap->events.failed(tap->user, result, message ? message : spa_strerror(result));
    if (monitor != NULL)
        monitor->refused = true;
}

static void on_link_destroyed(void *data) {
    struct cpw_tap_link *link = data;
    struct cpw_tap *tap = link->tap;
    tap->links[link->index] = NULL;
    spa_hook_remove(&link->listener);
    free(link);
    for (int i = 0; i < CPW_MAX_CHANNELS; i++)
        if (tap->links[i] != NULL)
            return;
    report_attached(tap, false);
}

static const struct pw_proxy_events link_events = {
    PW_VERSION_PROXY_EVENTS,
    .destroy = on_link_destroyed,
    .bound = on_link_bound,
    .removed = on_link_removed,
    .error = on_link_error,
};

static void make_link(struct cpw_tap *tap, int index, const struct monitor *monitor) {
    struct cpw_tap_link *link = calloc(1, sizeof(*link));
    struct pw_properties *properties = pw_properties_new(NULL, NULL);
    if (link == NULL || properties == NULL) {
        free(link);
        pw_properties_free(properties);
        return;
    }
    pw_properties_setf(properties, PW_KEY_LINK_OUTPUT_NODE, "%u", monitor->node);
    pw_properties_setf(properties, PW_KEY_LINK_OUTPUT_PORT, "%u", monitor->id);
    pw_properties_setf(properties, PW_KEY_LINK_INPUT_NODE, "%u", tap->node);
    pw_properties_setf(properties, PW_KEY_LINK_INPUT_PORT, "%u", tap->input_ids[index]);
    *link = (struct cpw_tap_link){.tap = tap, .index = index, .monitor = monitor->id};
    link->proxy = pw_core_create_object(tap->connection->core, "link-factory", PW_TYPE_INTERFACE_Link,
                                        PW_VERSION_LINK, &properties->dict, 0);
    pw_properties_free(properties);
    if (link->proxy == NULL) {
        free(link);
        return;
    }
    tap->links[index] = link;
    pw_proxy_add_listener(link->proxy, &link->listener, &link_events, link);
}

static bool is_linked(const struct cpw_tap *tap, uint32_t monitor) {
    for (int i = 0; i < CPW_MAX_CHANNELS; i++)
        if (tap->links[i] != NULL && tap->links[i]->monitor == monitor)
            return true;
    return false;
}

static void make_links(struct cpw_tap *tap) {
    struct monitor *monitor;
    /* Not in on_link_error, because a proxy must not be destroyed in its own error event. */
    for (int i = 0; i < CPW_MAX_CHANNELS; i++)
        if (tap->links[i] != NULL && tap->links[i]->refused)
            pw_proxy_destroy(tap->links[i]->proxy);
    spa_list_for_each(monitor, &tap->monitors, link) {
        if (monitor->node != tap->sink || is_linked(tap, monitor->id))
            continue;
        for (int i = 0; i < CPW_MAX_CHANNELS; i++) {
            if (tap->links[i] != NULL || tap->input_ids[i] == SPA_ID_INVALID)
                continue;
            make_link(tap, i, monitor);
            break;
        }
    }
}

static uint32_t number(const struct spa_dict *properties, const char *key) {
    uint32_t value = SPA_ID_INVALID;
    spa_atou32(spa_dict_lookup(properties, key), &value, 10);
    return value;
}

static void add_port(struct cpw_tap *tap, uint32_t id, const struct spa_dict *properties) {
    uint32_t node = number(properties, PW_KEY_NODE_ID), index = number(properties, PW_KEY_PORT_ID);
    if (node == tap->node && index < CPW_MAX_CHANNELS) {
        tap->input_ids[index] = id;
    } else if (spa_atob(spa_dict_lookup(properties, PW_KEY_PORT_MONITOR))) {
        struct monitor *monitor = calloc(1, sizeof(*monitor));
        if (monitor == NULL)
            return;
        *monitor = (struct monitor){.id = id, .node = node};
        spa_list_append(&tap->monitors, &monitor->link);
    }
}

static void on_global(void *data, uint32_t id, uint32_t permissions, const char *type, uint32_t version,
                      const struct spa_dict *properties) {
    (void)permissions, (void)version;
    struct cpw_tap *tap = data;
    if (properties == NULL)
        return;
    if (spa_streq(type, PW_TYPE_INTERFACE_Node)) {
        const char *name = spa_dict_lookup(properties, PW_KEY_NODE_NAME);
        if (name != NULL && strcmp(name, tap->sink_name) == 0) {
            if (tap->sink == SPA_ID_INVALID)
                tap->sink = id;
            else
                tap->next_sink = id;
        }
    } else if (spa_streq(type, PW_TYPE_INTERFACE_Port)) {
        add_port(tap, id, properties);
    } else {
        return;
    }
    make_links(tap);
}

static void on_global_removed(void *data, uint32_t id) {
    struct cpw_tap *tap = data;
    struct monitor *monitor, *next;
    if (tap->next_sink == id)
        tap->next_sink = SPA_ID_INVALID;
    if (tap->sink == id) {
        tap->sink = tap->next_sink;
        tap->next_sink = SPA_ID_INVALID;
        make_links(tap);
    }
    spa_list_for_each_safe(monitor, next, &tap->monitors, link) {
        if (monitor->id != id)
            continue;
        spa_list_remove(&monitor->link);
        free(monitor);
    }
}

static const struct pw_registry_events registry_events = {
    PW_VERSION_REGISTRY_EVENTS,
    .global = on_global,
    .global_remove = on_global_removed,
};

int cpw_tap_links_start(struct cpw_tap *tap) {
    tap->node = pw_filter_get_node_id(tap->filter);
    for (int i = 0; i < CPW_MAX_CHANNELS; i++)
        tap->input_ids[i] = SPA_ID_INVALID;
    tap->registry = pw_core_get_registry(tap->connection->core, PW_VERSION_REGISTRY, 0);
    if (tap->registry == NULL)
        return -errno;
    pw_registry_add_listener(tap->registry, &tap->registry_listener, &registry_events, tap);
    return 0;
}

void cpw_tap_links_stop(struct cpw_tap *tap) {
    struct monitor *monitor;
    tap->attached = false; /* sends no further event */
    for (int i = 0; i < CPW_MAX_CHANNELS; i++)
        if (tap->links[i] != NULL)
            pw_proxy_destroy(tap->links[i]->proxy);
    if (tap->registry != NULL) {
        spa_hook_remove(&tap->registry_listener);
        pw_proxy_destroy((struct pw_proxy *)tap->registry);
    }
    spa_list_consume(monitor, &tap->monitors, link) {
        spa_list_remove(&monitor->link);
        free(monitor);
    }
}
