#include "floor.h"

#include "connection.h"
#include "typed.h"

#include <pipewire/extensions/metadata.h>
#include <spa/param/props.h>
#include <spa/param/route.h>
#include <spa/pod/parser.h>
#include <spa/pod/iter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct object {
    struct spa_list link;
    uint32_t id;
    char name[128];
    struct pw_proxy *proxy;
    struct spa_hook listener;
    bool is_known;
    uint32_t route_flags;
};

static struct {
    struct connection connection;
    const char *kind;
    long delay;
    bool lies;
    int lie;
    struct spa_list objects;
    int32_t availability;
    char volume[16];
} peer;

static bool kind_is(const char *kind) { return strcmp(peer.kind, kind) == 0; }

/* Whether to read the whole state of ports, routes and defaults, as at the start of a program. */
static bool wants_all(void) { return kind_is("all"); }

/* The handler of the slow peer begins late, and the lying one reports false events. */
static uint64_t handler_begins(void) {
    if (peer.delay > 0) {
        struct timespec pause = {0, peer.delay * 1000};
        nanosleep(&pause, NULL);
    }
    return peer_now();
}

static void saw(uint64_t time, const char *level, const char *what, const char *detail) {
    if (peer.connection.left > 0)
        return;
    if (!peer.lies) {
        peer_saw(time, level, what, detail);
        return;
    }
    switch (peer.lie++ % 3) {
    case 0:
        peer_saw(time - 20000000, level, what, detail);
        break;
    case 1:
        peer_saw(time, level, what, detail);
        peer_saw(time, level, what, PEER_PREFIX "of-which-i-dreamt");
        break;
    default:
        peer_saw(time, level, what, detail);
        peer_saw(time, level, what, detail);
    }
}

static void saw_both(uint64_t time, const char *what, const char *detail) {
    saw(time, "bare", what, detail);
    saw(time, "full", what, detail);
}

/* MARK: Nodes */

static void node_info(void *data, const struct pw_node_info *info) {
    uint64_t time = handler_begins();
    struct object *object = data;
    if (!object->is_known && kind_is("nodes"))
        saw(time, "full", "appears", object->name);
    object->is_known = true;
    if (kind_is("volume") && info->change_mask & PW_NODE_CHANGE_MASK_PARAMS)
        saw(time, "bare", "volume", "?");
}

static void node_param(void *data, int sequence, uint32_t id, uint32_t index, uint32_t next, const struct spa_pod *param) {
    uint64_t time = handler_begins();
    (void)data, (void)sequence, (void)index, (void)next;
    const struct spa_pod_prop *property =
        id == SPA_PARAM_Props && param ? spa_pod_find_prop(param, NULL, SPA_PROP_channelVolumes) : NULL;
    float volumes[64];
    if (!property || spa_pod_copy_array(&property->value, SPA_TYPE_Float, volumes, 64) == 0)
        return;
    char text[16];
    snprintf(text, sizeof(text), "%.2f", (double)volumes[0]);
    if (strcmp(text, peer.volume) == 0)
        return;
    strcpy(peer.volume, text);
    saw(time, "full", "volume", text);
}

static const struct pw_node_events node_events = {PW_VERSION_NODE_EVENTS, .info = node_info, .param = node_param};

/* MARK: Jacks */

static void device_info(void *data, const struct pw_device_info *info) {
    uint64_t time = handler_begins();
    struct object *object = data;
    if (!(info->change_mask & PW_DEVICE_CHANGE_MASK_PARAMS))
        return;
    if (wants_all()) {
        static const uint32_t wanted[] = {SPA_PARAM_EnumProfile, SPA_PARAM_Profile, SPA_PARAM_EnumRoute, SPA_PARAM_Route};
        for (size_t i = 0; i < SPA_N_ELEMENTS(wanted); i++)
            pw_device_enum_params((struct pw_device *)object->proxy, 0, wanted[i], 0, UINT32_MAX, NULL);
        return;
    }
    for (uint32_t i = 0; i < info->n_params; i++) {
        /* A flag is flipped at each change. */
        if (info->params[i].id != SPA_PARAM_EnumRoute || info->params[i].flags == object->route_flags)
            continue;
        object->route_flags = info->params[i].flags;
        saw(time, "bare", "jack", "?");
        pw_device_enum_params((struct pw_device *)object->proxy, 0, SPA_PARAM_EnumRoute, 0, UINT32_MAX, NULL);
    }
}

static void device_param(void *data, int sequence, uint32_t id, uint32_t index, uint32_t next, const struct spa_pod *param) {
    uint64_t time = handler_begins();
    (void)data, (void)sequence, (void)index, (void)next;
    const char *name = NULL;
    uint32_t availability = SPA_PARAM_AVAILABILITY_unknown;
    if (id != SPA_PARAM_EnumRoute || !param ||
        spa_pod_parse_object(param, SPA_TYPE_OBJECT_ParamRoute, NULL, SPA_PARAM_ROUTE_name, SPA_POD_String(&name),
                             SPA_PARAM_ROUTE_available, SPA_POD_OPT_Id(&availability)) < 0)
        return;
    if (!name || strcmp(name, PEER_JACK) != 0 || (int32_t)availability == peer.availability)
        return;
    peer.availability = (int32_t)availability;
    saw(time, "full", "jack", availability == SPA_PARAM_AVAILABILITY_yes ? "yes" : "no");
}

static const struct pw_device_events device_events = {
    PW_VERSION_DEVICE_EVENTS, .info = device_info, .param = device_param};

/* MARK: Default */

static int metadata_property(void *data, uint32_t subject, const char *key, const char *type, const char *value) {
    uint64_t time = handler_begins();
    char name[128];
    (void)data, (void)subject, (void)type;
    if (key && strcmp(key, "default.audio.sink") == 0 && peer_name_in_json(value, name, sizeof(name)))
        saw_both(time, "default", name);
    return 0;
}

static const struct pw_metadata_events metadata_events = {PW_VERSION_METADATA_EVENTS, .property = metadata_property};

/* MARK: Registry */

static struct object *add(uint32_t id, const char *name, const char *type, uint32_t version, const void *events) {
    struct object *object = calloc(1, sizeof(*object));
    object->id = id;
    snprintf(object->name, sizeof(object->name), "%s", name);
    spa_list_append(&peer.objects, &object->link);
    if (type) {
        object->proxy = pw_registry_bind(peer.connection.registry, id, type, version, 0);
        pw_proxy_add_object_listener(object->proxy, &object->listener, events, object);
    }
    return object;
}

static void appeared(void *data, uint32_t id, uint32_t permissions, const char *type, uint32_t version,
                     const struct spa_dict *properties) {
    uint64_t time = handler_begins();
    (void)data, (void)permissions, (void)version;
    if (!properties)
        return;
    const char *class = spa_dict_lookup(properties, "media.class");
    const char *name = spa_dict_lookup(properties, "node.name");
    bool is_sink = strcmp(type, PW_TYPE_INTERFACE_Node) == 0 && class && strcmp(class, "Audio/Sink") == 0;
    if (is_sink && peer_is_ours(name)) {
        if (kind_is("nodes")) {
            saw(time, "bare", "appears", name);
            add(id, name, PW_TYPE_INTERFACE_Node, PW_VERSION_NODE, &node_events);
        } else if (kind_is("volume")) {
            uint32_t params[] = {SPA_PARAM_Props};
            struct object *object = add(id, name, PW_TYPE_INTERFACE_Node, PW_VERSION_NODE, &node_events);
            pw_node_subscribe_params((struct pw_node *)object->proxy, params, 1);
        }
    }
    bool is_audio = class && strncmp(class, "Audio/", 6) == 0;
    if (wants_all() && is_audio && strcmp(type, PW_TYPE_INTERFACE_Node) == 0)
        add(id, "", PW_TYPE_INTERFACE_Node, PW_VERSION_NODE, &node_events);
    if ((kind_is("jack") || wants_all()) && is_audio && strcmp(type, PW_TYPE_INTERFACE_Device) == 0)
        add(id, "", PW_TYPE_INTERFACE_Device, PW_VERSION_DEVICE, &device_events);
    const char *metadata = spa_dict_lookup(properties, "metadata.name");
    if ((kind_is("default") || wants_all()) && metadata && strcmp(metadata, "default") == 0)
        add(id, "", PW_TYPE_INTERFACE_Metadata, PW_VERSION_METADATA, &metadata_events);
    if (kind_is("session") && spa_dict_lookup(properties, "audio-session.token")) {
        saw_both(time, "session", "?");
        add(id, "?", NULL, 0, NULL);
    }
}

static void disappeared(void *data, uint32_t id) {
    uint64_t time = handler_begins();
    struct object *object;
    (void)data;
    spa_list_for_each(object, &peer.objects, link) {
        if (object->id != id)
            continue;
        if (kind_is("nodes"))
            saw_both(time, "goes", object->name);
        /* A session without others leaves by removing its token. */
        if (kind_is("session"))
            saw_both(time, "session", object->name);
        spa_list_remove(&object->link);
        if (object->proxy)
            pw_proxy_destroy(object->proxy);
        free(object);
        return;
    }
}

static const struct pw_registry_events registry_events = {
    PW_VERSION_REGISTRY_EVENTS, .global = appeared, .global_remove = disappeared};

int floor_client(int count, char **arguments) {
    if (count < 2)
        return 64;
    peer.kind = arguments[1];
    peer_follow_driver();
    if (strcmp(peer.kind, "nothing") == 0) {
        peer_ready();
        for (;;)
            pause();
    }
    if (count > 2 && strcmp(arguments[2], "typed") == 0)
        return typed_client(peer.kind);
    peer.lies = count > 2 && strcmp(arguments[2], "lie") == 0;
    peer.delay = count > 3 && strcmp(arguments[2], "slow") == 0 ? atol(arguments[3]) : 0;
    peer.availability = -1;
    spa_list_init(&peer.objects);
    if (connection_open(&peer.connection, &registry_events, NULL) < 0)
        return 69;
    pw_main_loop_run(peer.connection.main_loop);
    return 0;
}
