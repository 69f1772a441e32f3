/* The floor for a client that reports typed ports: every sink and source with its type (a
 * speaker, headphones on a jack, a USB device), and every other route of a card. Like a program
 * with such a list it follows nodes, cards with their routes, and the default; it knows no
 * filters, no reasons and no players. */
#include "typed.h"

#include "connection.h"
#include "ports.h"

#include <pipewire/extensions/metadata.h>
#include <spa/param/profile.h>
#include <spa/param/route.h>
#include <spa/pod/iter.h>
#include <spa/pod/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    struct connection connection;
    struct spa_hook core_listener;
    const char *kind;
    struct spa_list objects;
    struct port_list ports;
    char chosen[128], told[128];
} peer;

static bool kind_is(const char *kind) { return strcmp(peer.kind, kind) == 0; }

static void copy(char *to, size_t size, const struct spa_dict *from, const char *key) {
    const char *value = from ? spa_dict_lookup(from, key) : NULL;
    snprintf(to, size, "%s", value ? value : "");
}

static int32_t number(const struct spa_dict *from, const char *key) {
    const char *value = from ? spa_dict_lookup(from, key) : NULL;
    return value ? atoi(value) : -1;
}

/* MARK: Reports */

static void tell(uint64_t time, const struct port *port, bool is_there) {
    const char *name = port->node;
    if (kind_is("jack") && strcmp(port->route, PEER_JACK) == 0)
        peer_saw(time, "typed", "jack", is_there ? "yes" : "no");
    else if (kind_is("nodes") && peer_is_ours(name))
        peer_saw(time, "typed", is_there ? "appears" : "goes", name);
}

static void tell_default(uint64_t time) {
    if (strcmp(peer.chosen, peer.told) == 0 || ports_find(&peer.ports, peer.chosen) == NULL)
        return;
    strcpy(peer.told, peer.chosen);
    if (kind_is("default") && peer.connection.left == 0)
        peer_saw(time, "typed", "default", peer.told);
}

/* Rebuilds the list, and reports the changes. */
static void look(void) {
    static struct port_list former;
    former = peer.ports;
    ports_list(&peer.ports, &peer.objects);
    uint64_t time = peer_now();
    for (size_t i = 0; peer.connection.left == 0 && i < peer.ports.count; i++)
        if (!ports_hold(&former, &peer.ports.ports[i]))
            tell(time, &peer.ports.ports[i], true);
    for (size_t i = 0; peer.connection.left == 0 && i < former.count; i++)
        if (!ports_hold(&peer.ports, &former.ports[i]))
            tell(time, &former.ports[i], false);
    tell_default(time);
}

/* MARK: Nodes and cards */

static void node_info(void *data, const struct pw_node_info *info) {
    struct object *object = data;
    if (!(info->change_mask & PW_NODE_CHANGE_MASK_PROPS))
        return;
    copy(object->name, sizeof(object->name), info->props, "node.name");
    copy(object->media, sizeof(object->media), info->props, "sess.media");
    object->card = number(info->props, "device.id");
    object->number = number(info->props, "card.profile.device");
    object->is_known = true;
    look();
}

static const struct pw_node_events node_events = {PW_VERSION_NODE_EVENTS, .info = node_info};

/* A card that was queried before sends as many routes again. */
static void ask(struct object *object, uint32_t param) {
    if (param == SPA_PARAM_EnumRoute)
        object->coming_count = 0;
    int asked = pw_device_enum_params((struct pw_device *)object->proxy, 0, param, 0, UINT32_MAX, NULL);
    if (param == SPA_PARAM_EnumRoute)
        object->asked = asked;
    object->sync = pw_core_sync(peer.connection.core, PW_ID_CORE, 0);
}

static void device_info(void *data, const struct pw_device_info *info) {
    struct object *object = data;
    if (info->change_mask & PW_DEVICE_CHANGE_MASK_PROPS) {
        copy(object->name, sizeof(object->name), info->props, "device.name");
        copy(object->bus, sizeof(object->bus), info->props, "device.bus");
        copy(object->api, sizeof(object->api), info->props, "device.api");
    }
    if (!(info->change_mask & PW_DEVICE_CHANGE_MASK_PARAMS))
        return;
    static const uint32_t wanted[PARAMS] = {SPA_PARAM_EnumRoute, SPA_PARAM_Profile};
    for (size_t param = 0; param < PARAMS; param++) {
        for (uint32_t i = 0; i < info->n_params; i++) {
            /* A flag is flipped at each change. */
            if (info->params[i].id != wanted[param] || info->params[i].flags == object->flags[param])
                continue;
            object->flags[param] = info->params[i].flags;
            ask(object, wanted[param]);
        }
    }
}

static void read_type(const struct spa_pod *info, struct route *route) {
    struct spa_pod_parser parser;
    struct spa_pod_frame frame;
    int32_t pairs = 0;
    const char *key, *value;
    spa_pod_parser_pod(&parser, info);
    if (spa_pod_parser_push_struct(&parser, &frame) < 0 || spa_pod_parser_get_int(&parser, &pairs) < 0)
        return;
    while (pairs-- > 0 && spa_pod_parser_get_string(&parser, &key) >= 0 &&
           spa_pod_parser_get_string(&parser, &value) >= 0)
        if (strcmp(key, "port.type") == 0)
            snprintf(route->type, sizeof(route->type), "%s", value);
}

static void take_routes(struct object *object) {
    memcpy(object->routes, object->coming, object->coming_count * sizeof(*object->routes));
    object->route_count = object->coming_count;
    look();
}

static void read_route(struct object *object, const struct spa_pod *param) {
    const struct spa_pod *info = NULL, *devices = NULL, *profiles = NULL;
    const char *name = NULL;
    if (object->coming_count == MOST_ROUTES)
        return;
    struct route *route = &object->coming[object->coming_count];
    *route = (struct route){0};
    if (spa_pod_parse_object(param, SPA_TYPE_OBJECT_ParamRoute, NULL, SPA_PARAM_ROUTE_direction,
                             SPA_POD_Id(&route->direction), SPA_PARAM_ROUTE_name, SPA_POD_String(&name),
                             SPA_PARAM_ROUTE_available, SPA_POD_OPT_Id(&route->availability), SPA_PARAM_ROUTE_info,
                             SPA_POD_OPT_Pod(&info), SPA_PARAM_ROUTE_profiles, SPA_POD_OPT_Pod(&profiles),
                             SPA_PARAM_ROUTE_devices, SPA_POD_OPT_Pod(&devices)) < 0)
        return;
    snprintf(route->name, sizeof(route->name), "%s", name ? name : "");
    if (info)
        read_type(info, route);
    if (devices)
        route->device_count = spa_pod_copy_array(devices, SPA_TYPE_Int, route->devices, MOST_NUMBERS);
    if (profiles)
        route->profile_count = spa_pod_copy_array(profiles, SPA_TYPE_Int, route->profiles, MOST_NUMBERS);
    if (++object->coming_count == object->route_count)
        take_routes(object);
}

static void device_param(void *data, int sequence, uint32_t id, uint32_t index, uint32_t next, const struct spa_pod *param) {
    struct object *object = data;
    (void)index, (void)next;
    if (id == SPA_PARAM_EnumRoute && param && sequence == object->asked)
        read_route(object, param);
    if (id == SPA_PARAM_Profile && param)
        spa_pod_parse_object(param, SPA_TYPE_OBJECT_ParamProfile, NULL, SPA_PARAM_PROFILE_index,
                             SPA_POD_Int(&object->profile));
}

static const struct pw_device_events device_events = {
    PW_VERSION_DEVICE_EVENTS, .info = device_info, .param = device_param};

static void done(void *data, uint32_t id, int sequence) {
    struct object *object;
    (void)data, (void)id;
    spa_list_for_each(object, &peer.objects, link) {
        if (object->sync == sequence)
            take_routes(object);
    }
}

static const struct pw_core_events core_events = {PW_VERSION_CORE_EVENTS, .done = done};

/* MARK: Default and registry */

static int metadata_property(void *data, uint32_t subject, const char *key, const char *type, const char *value) {
    (void)data, (void)subject, (void)type;
    if (key && strcmp(key, "default.audio.sink") == 0 && peer_name_in_json(value, peer.chosen, sizeof(peer.chosen)))
        tell_default(peer_now());
    return 0;
}

static const struct pw_metadata_events metadata_events = {PW_VERSION_METADATA_EVENTS, .property = metadata_property};

static struct object *add(uint32_t id, enum what what, const char *type, uint32_t version, const void *events) {
    struct object *object = calloc(1, sizeof(*object));
    object->id = id;
    object->what = what;
    object->profile = object->sync = -1;
    spa_list_append(&peer.objects, &object->link);
    object->proxy = pw_registry_bind(peer.connection.registry, id, type, version, 0);
    pw_proxy_add_object_listener(object->proxy, &object->listener, events, object);
    return object;
}

static void appeared(void *data, uint32_t id, uint32_t permissions, const char *type, uint32_t version,
                     const struct spa_dict *properties) {
    (void)data, (void)permissions, (void)version;
    const char *class = properties ? spa_dict_lookup(properties, "media.class") : NULL;
    const char *metadata = properties ? spa_dict_lookup(properties, "metadata.name") : NULL;
    if (class && strcmp(type, PW_TYPE_INTERFACE_Node) == 0 && strncmp(class, "Audio/", 6) == 0)
        add(id, strcmp(class, "Audio/Sink") == 0 ? SINK : SOURCE, type, PW_VERSION_NODE, &node_events);
    if (class && strcmp(type, PW_TYPE_INTERFACE_Device) == 0 && strcmp(class, "Audio/Device") == 0)
        add(id, CARD, type, PW_VERSION_DEVICE, &device_events);
    if (metadata && strcmp(type, PW_TYPE_INTERFACE_Metadata) == 0 && strcmp(metadata, "default") == 0)
        add(id, DEFAULTS, type, PW_VERSION_METADATA, &metadata_events);
}

static void disappeared(void *data, uint32_t id) {
    struct object *object;
    (void)data;
    spa_list_for_each(object, &peer.objects, link) {
        if (object->id != id)
            continue;
        spa_list_remove(&object->link);
        pw_proxy_destroy(object->proxy);
        free(object);
        return look();
    }
}

static const struct pw_registry_events registry_events = {
    PW_VERSION_REGISTRY_EVENTS, .global = appeared, .global_remove = disappeared};

int typed_client(const char *kind) {
    peer.kind = kind;
    spa_list_init(&peer.objects);
    if (connection_open(&peer.connection, &registry_events, NULL) < 0)
        return 69;
    pw_core_add_listener(peer.connection.core, &peer.core_listener, &core_events, NULL);
    pw_main_loop_run(peer.connection.main_loop);
    return 0;
}
