#include "internal.h"

#include <math.h>
#include <spa/param/profile.h>
#include <spa/param/props.h>
#include <spa/param/route.h>
#include <spa/pod/iter.h>
#include <spa/pod/parser.h>

/* All pods come from other processes. The parser checks sizes and types; numbers are checked by the
 * code that decides with them. */

/* The parser reads the single value of a choice without checking that the choice is large enough
 * for the size that the value claims. It reads choices only directly below an object. */
static bool is_sound_value(const struct spa_pod *value) {
    if (value->type != SPA_TYPE_Choice)
        return true;
    return spa_pod_is_choice(value) &&
           SPA_POD_CHOICE_VALUE_SIZE(value) <= SPA_POD_BODY_SIZE(value) - sizeof(struct spa_pod_choice_body);
}

bool cpw_pod_is_valid_object(const struct spa_pod *pod, uint32_t type) {
    if (!spa_pod_is_object_type(pod, type))
        return false;
    const struct spa_pod_prop *property;
    SPA_POD_OBJECT_FOREACH((const struct spa_pod_object *)pod, property)
        if (!is_sound_value(&property->value))
            return false;
    return true;
}

/* The parser returns null for a value of type None, which stands for a missing string. */
static const char *text(const char *string) { return string ? string : ""; }

bool cpw_pod_profile(const struct spa_pod *pod, cpw_profile *profile) {
    *profile = (cpw_profile){.index = -1, .name = "", .description = ""};
    if (!cpw_pod_is_valid_object(pod, SPA_TYPE_OBJECT_ParamProfile))
        return false;
    uint32_t available = SPA_PARAM_AVAILABILITY_unknown;
    int result = spa_pod_parse_object(
        pod, SPA_TYPE_OBJECT_ParamProfile, NULL,
        SPA_PARAM_PROFILE_index, SPA_POD_Int(&profile->index),
        SPA_PARAM_PROFILE_name, SPA_POD_String(&profile->name),
        SPA_PARAM_PROFILE_description, SPA_POD_OPT_String(&profile->description),
        SPA_PARAM_PROFILE_priority, SPA_POD_OPT_Int(&profile->priority),
        SPA_PARAM_PROFILE_available, SPA_POD_OPT_Id(&available));
    profile->available = available;
    profile->name = text(profile->name);
    profile->description = text(profile->description);
    return result >= 0;
}

/* `info` is a struct: the number of pairs, then key, value, key, value. */
static void read_info(const struct spa_pod *info, cpw_route *route) {
    struct spa_pod_parser parser;
    struct spa_pod_frame frame;
    int32_t pairs = 0;
    spa_pod_parser_pod(&parser, info);
    if (spa_pod_parser_push_struct(&parser, &frame) < 0 || spa_pod_parser_get_int(&parser, &pairs) < 0)
        return;
    for (int32_t i = 0; i < pairs; i++) {
        const char *key, *value;
        if (spa_pod_parser_get_string(&parser, &key) < 0 || spa_pod_parser_get_string(&parser, &value) < 0)
            return;
        if (strcmp(key, "port.type") == 0)
            route->port_type = value;
        else if (strcmp(key, "port.availability-group") == 0)
            route->availability_group = value;
        else if (strcmp(key, "device.product.name") == 0)
            route->product_name = value;
    }
}

uint32_t cpw_pod_array(const struct spa_pod *array, uint32_t type, void *into, uint32_t capacity) {
    if (array == NULL || !spa_pod_is_array(array) || SPA_POD_ARRAY_VALUE_SIZE(array) != 4)
        return 0;
    /* Since PipeWire 1.6 it is a macro, which takes the size of a value from the type of this pointer. */
    uint32_t *values = into;
    return spa_pod_copy_array(array, type, values, capacity);
}

static size_t read_numbers(const struct spa_pod *array, int32_t *into, size_t capacity) {
    return cpw_pod_array(array, SPA_TYPE_Int, into, (uint32_t)capacity);
}

bool cpw_pod_mute(const struct spa_pod *pod, bool *mute) {
    const struct spa_pod *flag = NULL;
    if (!cpw_pod_is_valid_object(pod, SPA_TYPE_OBJECT_Props))
        return false;
    spa_pod_parse_object(pod, SPA_TYPE_OBJECT_Props, NULL, SPA_PROP_mute, SPA_POD_OPT_Pod(&flag));
    return flag != NULL && spa_pod_get_bool(flag, mute) >= 0;
}

uint32_t cpw_pod_volumes(const struct spa_pod *pod, float volumes[CPW_MAX_VOLUMES]) {
    const struct spa_pod *array = NULL;
    if (!cpw_pod_is_valid_object(pod, SPA_TYPE_OBJECT_Props))
        return 0;
    spa_pod_parse_object(pod, SPA_TYPE_OBJECT_Props, NULL, SPA_PROP_channelVolumes, SPA_POD_OPT_Pod(&array));
    uint32_t count = cpw_pod_array(array, SPA_TYPE_Float, volumes, CPW_MAX_VOLUMES);
    for (uint32_t i = 0; i < count; i++)
        if (!isfinite(volumes[i]) || volumes[i] < 0)
            return 0;
    return count;
}

/* Accepts a choice of a single value as that value, as the parser does. */
static void read_availability(const struct spa_pod *value, cpw_route *route) {
    if (value != NULL && spa_pod_is_choice(value) && SPA_POD_CHOICE_TYPE(value) == SPA_CHOICE_None)
        value = SPA_POD_CHOICE_CHILD(value);
    if (value != NULL)
        spa_pod_get_id(value, &route->available);
}

bool cpw_pod_route(const struct spa_pod *pod, cpw_route *route, struct cpw_route_storage *storage) {
    *route = (cpw_route){.index = -1, .name = "", .description = "", .device = -1, .available = SPA_PARAM_AVAILABILITY_unknown};
    if (!cpw_pod_is_valid_object(pod, SPA_TYPE_OBJECT_ParamRoute))
        return false;
    uint32_t direction = SPA_DIRECTION_OUTPUT;
    const struct spa_pod *available = NULL, *info = NULL, *profiles = NULL, *devices = NULL, *props = NULL;
    int result = spa_pod_parse_object(
        pod, SPA_TYPE_OBJECT_ParamRoute, NULL,
        SPA_PARAM_ROUTE_index, SPA_POD_Int(&route->index),
        SPA_PARAM_ROUTE_direction, SPA_POD_Id(&direction),
        SPA_PARAM_ROUTE_name, SPA_POD_String(&route->name),
        SPA_PARAM_ROUTE_description, SPA_POD_OPT_String(&route->description),
        SPA_PARAM_ROUTE_priority, SPA_POD_OPT_Int(&route->priority),
        SPA_PARAM_ROUTE_available, SPA_POD_OPT_Pod(&available),
        SPA_PARAM_ROUTE_info, SPA_POD_OPT_Pod(&info),
        SPA_PARAM_ROUTE_profiles, SPA_POD_OPT_Pod(&profiles),
        SPA_PARAM_ROUTE_device, SPA_POD_OPT_Int(&route->device),
        SPA_PARAM_ROUTE_props, SPA_POD_OPT_Pod(&props),
        SPA_PARAM_ROUTE_devices, SPA_POD_OPT_Pod(&devices));
    if (result < 0)
        return false;
    route->name = text(route->name);
    route->description = text(route->description);
    route->is_input = direction == SPA_DIRECTION_INPUT;
    read_availability(available, route);
    route->profiles = storage->profiles;
    route->profile_count = read_numbers(profiles, storage->profiles, SPA_N_ELEMENTS(storage->profiles));
    route->devices = storage->devices;
    route->device_count = read_numbers(devices, storage->devices, SPA_N_ELEMENTS(storage->devices));
    if (info != NULL)
        read_info(info, route);
    if (props != NULL)
        cpw_pod_mute(props, &route->mute);
    route->volumes = storage->volumes;
    route->volume_count = cpw_pod_volumes(props, storage->volumes);
    return true;
}
