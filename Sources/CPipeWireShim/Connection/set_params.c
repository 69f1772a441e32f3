#include "internal.h"

#include <pipewire/extensions/metadata.h>
#include <spa/param/param.h>
#include <spa/param/profile.h>
#include <spa/param/props.h>
#include <spa/param/route.h>
#include <spa/pod/builder.h>

/* ---- Devices */

static int set_param(cpw_connection *connection, uint32_t id, uint32_t param, const struct spa_pod *pod) {
    struct pw_proxy *device = cpw_bound_proxy(connection, id, CPW_OBJECT_DEVICE);
    return device == NULL ? -ENOENT : pw_device_set_param((struct pw_device *)device, param, 0, pod);
}

int cpw_connection_set_route(cpw_connection *connection, uint32_t id, int32_t index, int32_t node) {
    uint8_t bytes[256];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(bytes, sizeof(bytes));
    const struct spa_pod *pod = spa_pod_builder_add_object(
        &builder, SPA_TYPE_OBJECT_ParamRoute, SPA_PARAM_Route,
        SPA_PARAM_ROUTE_index, SPA_POD_Int(index),
        SPA_PARAM_ROUTE_device, SPA_POD_Int(node),
        SPA_PARAM_ROUTE_save, SPA_POD_Bool(false));
    return set_param(connection, id, SPA_PARAM_Route, pod);
}

int cpw_connection_set_route_volumes(cpw_connection *connection, uint32_t id, int32_t index, int32_t node,
                                     const float *volumes, size_t count) {
    uint8_t bytes[1024];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(bytes, sizeof(bytes));
    struct spa_pod_frame frame;
    if (volumes == NULL || count == 0 || count > CPW_MAX_VOLUMES)
        return -EINVAL;
    spa_pod_builder_push_object(&builder, &frame, SPA_TYPE_OBJECT_ParamRoute, SPA_PARAM_Route);
    spa_pod_builder_add(&builder, SPA_PARAM_ROUTE_index, SPA_POD_Int(index), SPA_PARAM_ROUTE_device, SPA_POD_Int(node),
                        0);
    spa_pod_builder_prop(&builder, SPA_PARAM_ROUTE_props, 0);
    spa_pod_builder_add_object(
        &builder, SPA_TYPE_OBJECT_Props, SPA_PARAM_Route,
        SPA_PROP_channelVolumes, SPA_POD_Array(sizeof(float), SPA_TYPE_Float, (uint32_t)count, volumes));
    spa_pod_builder_add(&builder, SPA_PARAM_ROUTE_save, SPA_POD_Bool(true), 0);
    return set_param(connection, id, SPA_PARAM_Route, spa_pod_builder_pop(&builder, &frame));
}

int cpw_connection_set_profile(cpw_connection *connection, uint32_t id, int32_t index) {
    uint8_t bytes[256];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(bytes, sizeof(bytes));
    const struct spa_pod *pod = spa_pod_builder_add_object(
        &builder, SPA_TYPE_OBJECT_ParamProfile, SPA_PARAM_Profile,
        SPA_PARAM_PROFILE_index, SPA_POD_Int(index),
        SPA_PARAM_PROFILE_save, SPA_POD_Bool(false));
    return set_param(connection, id, SPA_PARAM_Profile, pod);
}

/* ---- Nodes and metadata */

/* `keys` has the keys of the volumes and of the mute flag; the latter may be 0. */
static int set_volumes(cpw_connection *connection, uint32_t id, const uint32_t keys[2], const float *volumes,
                       size_t count, bool mute) {
    uint8_t bytes[512];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(bytes, sizeof(bytes));
    struct spa_pod_frame frame;
    struct pw_proxy *node = cpw_bound_proxy(connection, id, CPW_OBJECT_NODE);
    if (node == NULL)
        return -ENOENT;
    if (volumes == NULL || count == 0 || count > CPW_MAX_VOLUMES)
        return -EINVAL;
    spa_pod_builder_push_object(&builder, &frame, SPA_TYPE_OBJECT_Props, SPA_PARAM_Props);
    if (keys[1] != 0)
        spa_pod_builder_add(&builder, keys[1], SPA_POD_Bool(mute), 0);
    spa_pod_builder_add(&builder, keys[0],
                        SPA_POD_Array(sizeof(float), SPA_TYPE_Float, (uint32_t)count, volumes), 0);
    const struct spa_pod *pod = spa_pod_builder_pop(&builder, &frame);
    return pw_node_set_param((struct pw_node *)node, SPA_PARAM_Props, 0, pod);
}

int cpw_connection_set_node_volumes(cpw_connection *connection, uint32_t id, const float *volumes, size_t count) {
    return set_volumes(connection, id, (uint32_t[]){SPA_PROP_channelVolumes, 0}, volumes, count, false);
}

int cpw_connection_set_soft_volumes(cpw_connection *connection, uint32_t id, const float *volumes, size_t count,
                                    bool mute) {
    return set_volumes(connection, id, (uint32_t[]){SPA_PROP_softVolumes, SPA_PROP_softMute}, volumes, count, mute);
}

int cpw_connection_set_metadata(cpw_connection *connection, uint32_t id, const char *key, const char *type,
                                const char *value) {
    struct pw_proxy *metadata = cpw_bound_proxy(connection, id, CPW_OBJECT_METADATA);
    return metadata == NULL ? -ENOENT
                            : pw_metadata_set_property((struct pw_metadata *)metadata, 0, key, type, value);
}
