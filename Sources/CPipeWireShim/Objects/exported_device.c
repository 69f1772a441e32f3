#include "internal.h"

#include <spa/monitor/device.h>
#include <spa/monitor/utils.h>
#include <spa/param/param.h>
#include <spa/param/profile.h>
#include <spa/param/props.h>
#include <spa/param/route.h>
#include <spa/pod/parser.h>

/* A device of this process that the daemon publishes. Queries of other clients are answered here,
 * so the parameters are stored as pods. */

struct cpw_export {
    struct cpw_own_object own;
    struct spa_device device;
    struct spa_hook_list listeners;
    struct pw_properties *properties;
    struct spa_param_info infos[CPW_PARAM_COUNT];
    uint32_t info_count; /* 0: a device without parameters */
    struct cpw_pods pods[CPW_PARAM_COUNT];
    cpw_export_events events;
};

static const struct spa_param_info no_changes[CPW_PARAM_COUNT] = {
    [CPW_PARAM_ENUM_PROFILE] = SPA_PARAM_INFO(SPA_PARAM_EnumProfile, SPA_PARAM_INFO_READ),
    [CPW_PARAM_PROFILE] = SPA_PARAM_INFO(SPA_PARAM_Profile, SPA_PARAM_INFO_READWRITE),
    [CPW_PARAM_ENUM_ROUTE] = SPA_PARAM_INFO(SPA_PARAM_EnumRoute, SPA_PARAM_INFO_READ),
    [CPW_PARAM_ROUTE] = SPA_PARAM_INFO(SPA_PARAM_Route, SPA_PARAM_INFO_READWRITE),
};

static void emit_info(cpw_export *export, uint64_t change_mask) {
    struct spa_device_info info = SPA_DEVICE_INFO_INIT();
    info.change_mask = change_mask;
    info.props = &export->properties->dict;
    info.params = export->infos;
    info.n_params = export->info_count;
    spa_device_emit_info(&export->listeners, &info);
}

static int add_listener(void *object, struct spa_hook *listener, const struct spa_device_events *events,
                        void *data) {
    cpw_export *export = object;
    struct spa_hook_list others;
    spa_hook_list_isolate(&export->listeners, &others, listener, events, data);
    emit_info(export, SPA_DEVICE_CHANGE_MASK_PROPS | SPA_DEVICE_CHANGE_MASK_PARAMS);
    spa_hook_list_join(&export->listeners, &others);
    return 0;
}

static int sync_device(void *object, int sequence) {
    cpw_export *export = object;
    spa_device_emit_result(&export->listeners, sequence, 0, 0, NULL);
    return 0;
}

/* The filter is ignored and all entries are sent, because libpipewire reads past the end of some
 * filters when it applies them, and the filter comes from another program. */
static int enum_params(void *object, int sequence, uint32_t id, uint32_t start, uint32_t max,
                       const struct spa_pod *filter) {
    (void)filter;
    cpw_export *export = object;
    for (uint32_t param = 0; param < export->info_count; param++) {
        if (no_changes[param].id != id)
            continue;
        struct spa_result_device_params result = {.id = id};
        uint32_t sent = 0;
        for (uint32_t i = start; i < export->pods[param].count && sent < max; i++, sent++) {
            result.index = i;
            result.next = i + 1;
            result.param = export->pods[param].pods[i];
            spa_device_emit_result(&export->listeners, sequence, 0, SPA_RESULT_TYPE_DEVICE_PARAMS, &result);
        }
        return 0;
    }
    return -ENOENT;
}

static int set_profile(cpw_export *export, const struct spa_pod *pod) {
    int32_t index = -1;
    bool save = false;
    if (!cpw_pod_is_valid_object(pod, SPA_TYPE_OBJECT_ParamProfile))
        return -EINVAL;
    int result = spa_pod_parse_object(pod, SPA_TYPE_OBJECT_ParamProfile, NULL,
                                      SPA_PARAM_PROFILE_index, SPA_POD_Int(&index),
                                      SPA_PARAM_PROFILE_save, SPA_POD_OPT_Bool(&save));
    if (result < 0)
        return result;
    export->events.set_profile(export->own.user, index, save);
    return 0;
}

static int set_route(cpw_export *export, const struct spa_pod *pod) {
    int32_t index = -1, device = -1, muted = -1;
    bool save = false, mute = false;
    float volume = -1;
    const struct spa_pod *props = NULL, *volumes = NULL;
    if (!cpw_pod_is_valid_object(pod, SPA_TYPE_OBJECT_ParamRoute))
        return -EINVAL;
    int result = spa_pod_parse_object(pod, SPA_TYPE_OBJECT_ParamRoute, NULL,
                                      SPA_PARAM_ROUTE_index, SPA_POD_Int(&index),
                                      SPA_PARAM_ROUTE_device, SPA_POD_Int(&device),
                                      SPA_PARAM_ROUTE_props, SPA_POD_OPT_Pod(&props),
                                      SPA_PARAM_ROUTE_save, SPA_POD_OPT_Bool(&save));
    if (result < 0)
        return result;
    if (cpw_pod_is_valid_object(props, SPA_TYPE_OBJECT_Props)) {
        spa_pod_parse_object(props, SPA_TYPE_OBJECT_Props, NULL, SPA_PROP_channelVolumes, SPA_POD_OPT_Pod(&volumes));
        if (cpw_pod_mute(props, &mute))
            muted = mute;
        cpw_pod_array(volumes, SPA_TYPE_Float, &volume, 1);
    }
    export->events.set_route(export->own.user, index, device, save, volume, muted);
    return 0;
}

static int set_param(void *object, uint32_t id, uint32_t flags, const struct spa_pod *pod) {
    (void)flags;
    switch (id) {
    case SPA_PARAM_Profile:
        return set_profile(object, pod);
    case SPA_PARAM_Route:
        return set_route(object, pod);
    default:
        return -ENOENT;
    }
}

static const struct spa_device_methods methods = {
    SPA_VERSION_DEVICE_METHODS,
    .add_listener = add_listener,
    .sync = sync_device,
    .enum_params = enum_params,
    .set_param = set_param,
};

cpw_export *cpw_export_create(cpw_connection *connection, const cpw_property *properties, size_t count,
                              const cpw_export_params *params, const cpw_export_events *events, void *user,
                              int *error) {
    cpw_export *export = calloc(1, sizeof(*export));
    if (export == NULL) {
        *error = -ENOMEM;
        return NULL;
    }
    struct spa_dict dict = SPA_DICT_INIT((const struct spa_dict_item *)properties, (uint32_t)count);
    export->device.iface =
        SPA_INTERFACE_INIT(SPA_TYPE_INTERFACE_Device, SPA_VERSION_DEVICE, &methods, export);
    export->events = *events;
    spa_hook_list_init(&export->listeners);
    memcpy(export->infos, no_changes, sizeof(no_changes));
    export->info_count = params->profile_count + params->route_count > 0 ? CPW_PARAM_COUNT : 0;
    export->properties = pw_properties_new_dict(&dict);
    *error = export->properties ? cpw_export_pods_build(params, export->pods) : -ENOMEM;
    if (*error == 0 && pw_properties_get(export->properties, PW_KEY_DEVICE_NAME) == NULL)
        *error = -EINVAL;
    struct pw_proxy *proxy = NULL;
    if (*error == 0) {
        proxy = pw_core_export(connection->core, SPA_TYPE_INTERFACE_Device, &export->properties->dict,
                               &export->device, 0);
        *error = proxy ? 0 : -errno;
    }
    if (*error < 0) {
        cpw_export_destroy(export);
        return NULL;
    }
    const cpw_own_object_events own_events = {events->bound, events->removed, events->failed};
    cpw_own_object_follow(&export->own, connection, proxy, &own_events, user);
    return export;
}

int cpw_export_update(cpw_export *export, const cpw_export_params *params, uint32_t changed) {
    struct cpw_pods pods[CPW_PARAM_COUNT];
    int result = cpw_export_pods_build(params, pods);
    if (result < 0)
        return result;
    cpw_export_pods_free(export->pods);
    memcpy(export->pods, pods, sizeof(pods));
    for (uint32_t param = 0; param < export->info_count; param++)
        if (changed & (1u << param))
            export->infos[param].flags ^= SPA_PARAM_INFO_SERIAL;
    emit_info(export, SPA_DEVICE_CHANGE_MASK_PARAMS);
    return 0;
}

void cpw_export_destroy(cpw_export *export) {
    cpw_own_object_remove(&export->own);
    cpw_export_pods_free(export->pods);
    pw_properties_free(export->properties);
    free(export);
}
