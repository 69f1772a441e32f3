#include "internal.h"

#include <spa/param/audio/raw.h>
#include <spa/param/profile.h>
#include <spa/param/props.h>
#include <spa/param/route.h>
#include <spa/pod/dynamic.h>

/* The channel positions of cards with 2 to 8 channels are prefixes of these. */
static const uint32_t positions[CPW_MAX_CHANNELS] = {
    SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR,  SPA_AUDIO_CHANNEL_RL, SPA_AUDIO_CHANNEL_RR,
    SPA_AUDIO_CHANNEL_FC, SPA_AUDIO_CHANNEL_LFE, SPA_AUDIO_CHANNEL_SL, SPA_AUDIO_CHANNEL_SR,
};
static const uint32_t mono[] = {SPA_AUDIO_CHANNEL_MONO};

const uint32_t *cpw_card_positions(uint32_t channels) { return channels == 1 ? mono : positions; }

struct spa_pod *cpw_props_build(struct spa_pod_builder *builder, uint32_t id, float volume, uint32_t channels,
                                bool mute) {
    float volumes[CPW_MAX_CHANNELS];
    channels = channels < 1 ? 1 : SPA_MIN(channels, CPW_MAX_CHANNELS);
    for (uint32_t i = 0; i < channels; i++)
        volumes[i] = volume;
    return spa_pod_builder_add_object(
        builder, SPA_TYPE_OBJECT_Props, id,
        SPA_PROP_mute, SPA_POD_Bool(mute),
        SPA_PROP_channelVolumes, SPA_POD_Array(sizeof(float), SPA_TYPE_Float, channels, volumes),
        SPA_PROP_channelMap,
        SPA_POD_Array(sizeof(uint32_t), SPA_TYPE_Id, channels, cpw_card_positions(channels)));
}

static void add_numbers(struct spa_pod_builder *builder, const int32_t *numbers, size_t count) {
    spa_pod_builder_array(builder, sizeof(int32_t), SPA_TYPE_Int, (uint32_t)count, numbers);
}

/* The nodes of one class in a profile, from which session managers know which nodes need a
 * route. */
static void add_class(struct spa_pod_builder *builder, const char *name, const int32_t *nodes, size_t count) {
    struct spa_pod_frame frame;
    if (count == 0)
        return;
    spa_pod_builder_push_struct(builder, &frame);
    spa_pod_builder_string(builder, name);
    spa_pod_builder_int(builder, (int32_t)count);
    spa_pod_builder_string(builder, "card.profile.devices");
    add_numbers(builder, nodes, count);
    spa_pod_builder_pop(builder, &frame);
}

static void build_profile(struct spa_pod_builder *builder, uint32_t id, const cpw_export_params *params,
                          size_t index) {
    const cpw_export_profile *entry = &params->profiles[index];
    struct spa_pod_frame object, classes;
    spa_pod_builder_push_object(builder, &object, SPA_TYPE_OBJECT_ParamProfile, id);
    spa_pod_builder_add(
        builder,
        SPA_PARAM_PROFILE_index, SPA_POD_Int(entry->profile.index),
        SPA_PARAM_PROFILE_name, SPA_POD_String(entry->profile.name),
        SPA_PARAM_PROFILE_description, SPA_POD_String(entry->profile.description),
        SPA_PARAM_PROFILE_priority, SPA_POD_Int(entry->profile.priority),
        SPA_PARAM_PROFILE_available, SPA_POD_Id(entry->profile.available),
        0);
    spa_pod_builder_prop(builder, SPA_PARAM_PROFILE_classes, 0);
    spa_pod_builder_push_struct(builder, &classes);
    spa_pod_builder_int(builder, (entry->source_count > 0) + (entry->sink_count > 0));
    add_class(builder, "Audio/Source", entry->sources, entry->source_count);
    add_class(builder, "Audio/Sink", entry->sinks, entry->sink_count);
    spa_pod_builder_pop(builder, &classes);
    if (id == SPA_PARAM_Profile) {
        spa_pod_builder_prop(builder, SPA_PARAM_PROFILE_save, 0);
        spa_pod_builder_bool(builder, params->save_profile);
    }
    spa_pod_builder_pop(builder, &object);
}

static void add_info(struct spa_pod_builder *builder, const cpw_route *route) {
    const char *const pairs[][2] = {
        {"port.type", route->port_type},
        {"port.availability-group", route->availability_group},
        {"device.product.name", route->product_name},
    };
    struct spa_pod_frame frame;
    int32_t count = 0;
    for (size_t i = 0; i < SPA_N_ELEMENTS(pairs); i++)
        count += pairs[i][1] != NULL;
    spa_pod_builder_prop(builder, SPA_PARAM_ROUTE_info, 0);
    spa_pod_builder_push_struct(builder, &frame);
    spa_pod_builder_int(builder, count);
    for (size_t i = 0; i < SPA_N_ELEMENTS(pairs); i++) {
        if (pairs[i][1] == NULL)
            continue;
        spa_pod_builder_string(builder, pairs[i][0]);
        spa_pod_builder_string(builder, pairs[i][1]);
    }
    spa_pod_builder_pop(builder, &frame);
}

static void build_route(struct spa_pod_builder *builder, uint32_t id, const cpw_export_route *entry) {
    const cpw_route *route = &entry->route;
    struct spa_pod_frame object;
    spa_pod_builder_push_object(builder, &object, SPA_TYPE_OBJECT_ParamRoute, id);
    spa_pod_builder_add(
        builder,
        SPA_PARAM_ROUTE_index, SPA_POD_Int(route->index),
        SPA_PARAM_ROUTE_direction, SPA_POD_Id(route->is_input ? SPA_DIRECTION_INPUT : SPA_DIRECTION_OUTPUT),
        SPA_PARAM_ROUTE_name, SPA_POD_String(route->name),
        SPA_PARAM_ROUTE_description, SPA_POD_String(route->description),
        SPA_PARAM_ROUTE_priority, SPA_POD_Int(route->priority),
        SPA_PARAM_ROUTE_available, SPA_POD_Id(route->available),
        0);
    add_info(builder, route);
    spa_pod_builder_prop(builder, SPA_PARAM_ROUTE_profiles, 0);
    add_numbers(builder, route->profiles, route->profile_count);
    if (id == SPA_PARAM_Route) {
        spa_pod_builder_add(builder, SPA_PARAM_ROUTE_device, SPA_POD_Int(route->device), SPA_PARAM_ROUTE_profile,
                            SPA_POD_Int(entry->profile), 0);
        spa_pod_builder_prop(builder, SPA_PARAM_ROUTE_props, 0);
        cpw_props_build(builder, id, entry->volume, entry->channels, entry->mute);
    }
    spa_pod_builder_prop(builder, SPA_PARAM_ROUTE_devices, 0);
    add_numbers(builder, route->devices, route->device_count);
    if (id == SPA_PARAM_Route) {
        spa_pod_builder_prop(builder, SPA_PARAM_ROUTE_save, 0);
        spa_pod_builder_bool(builder, entry->save);
    }
    spa_pod_builder_pop(builder, &object);
}

static void build(struct spa_pod_builder *builder, const cpw_export_params *params, int param, size_t index) {
    switch (param) {
    case CPW_PARAM_ENUM_PROFILE:
        build_profile(builder, SPA_PARAM_EnumProfile, params, index);
        break;
    case CPW_PARAM_PROFILE:
        build_profile(builder, SPA_PARAM_Profile, params, (size_t)params->active_profile);
        break;
    case CPW_PARAM_ENUM_ROUTE:
        build_route(builder, SPA_PARAM_EnumRoute, &params->routes[index]);
        break;
    case CPW_PARAM_ROUTE:
        build_route(builder, SPA_PARAM_Route, &params->active_routes[index]);
        break;
    }
}

/* The builder grows as needed, so names and lists may have any length. */
static struct spa_pod *build_copy(const cpw_export_params *params, int param, size_t index) {
    uint8_t buffer[1024];
    struct spa_pod_dynamic_builder builder;
    spa_pod_dynamic_builder_init(&builder, buffer, sizeof(buffer), 4096);
    build(&builder.b, params, param, index);
    struct spa_pod *pod = builder.b.data ? spa_pod_builder_deref(&builder.b, 0) : NULL;
    struct spa_pod *copy = pod ? malloc(SPA_POD_SIZE(pod)) : NULL;
    if (copy != NULL)
        memcpy(copy, pod, SPA_POD_SIZE(pod));
    spa_pod_dynamic_builder_clean(&builder);
    return copy;
}

int cpw_export_pods_build(const cpw_export_params *params, struct cpw_pods pods[CPW_PARAM_COUNT]) {
    bool in_profile = params->active_profile >= 0 && (size_t)params->active_profile < params->profile_count;
    const size_t counts[CPW_PARAM_COUNT] = {
        [CPW_PARAM_ENUM_PROFILE] = params->profile_count,
        [CPW_PARAM_PROFILE] = in_profile,
        [CPW_PARAM_ENUM_ROUTE] = params->route_count,
        [CPW_PARAM_ROUTE] = params->active_route_count,
    };
    memset(pods, 0, sizeof(*pods) * CPW_PARAM_COUNT);
    for (int param = 0; param < CPW_PARAM_COUNT; param++) {
        if (counts[param] == 0)
            continue;
        pods[param].pods = calloc(counts[param], sizeof(*pods[param].pods));
        for (size_t i = 0; pods[param].pods != NULL && i < counts[param]; i++)
            if ((pods[param].pods[i] = build_copy(params, param, i)) != NULL)
                pods[param].count++;
            else
                break;
        if (pods[param].count < counts[param]) {
            cpw_export_pods_free(pods);
            return -ENOMEM;
        }
    }
    return 0;
}

void cpw_export_pods_free(struct cpw_pods pods[CPW_PARAM_COUNT]) {
    for (int param = 0; param < CPW_PARAM_COUNT; param++) {
        for (size_t i = 0; i < pods[param].count; i++)
            free(pods[param].pods[i]);
        free(pods[param].pods);
        pods[param] = (struct cpw_pods){0};
    }
}
