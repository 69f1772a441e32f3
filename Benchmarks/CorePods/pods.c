#include "CorePods.h"

#include "internal.h"

#include <spa/param/route.h>
#include <spa/pod/builder.h>

enum { ROUTES = 4 };

struct core_pods {
    uint8_t bytes[4096];
    const struct spa_pod *routes[ROUTES];
};

struct jack {
    uint32_t direction;
    const char *name, *description, *type;
    int32_t priority;
    uint32_t plugged, pulled;
};

static const struct jack jacks[ROUTES] = {
    {SPA_DIRECTION_INPUT, "analog-input-internal-mic", "Internal Microphone", "mic", 8900, SPA_PARAM_AVAILABILITY_unknown,
     SPA_PARAM_AVAILABILITY_unknown},
    {SPA_DIRECTION_INPUT, "analog-input-headset-mic", "Headset Microphone", "headset", 8800, SPA_PARAM_AVAILABILITY_yes,
     SPA_PARAM_AVAILABILITY_no},
    {SPA_DIRECTION_OUTPUT, "analog-output-speaker", "Speaker", "speaker", 10000, SPA_PARAM_AVAILABILITY_no,
     SPA_PARAM_AVAILABILITY_unknown},
    {SPA_DIRECTION_OUTPUT, "analog-output-headphones", "Headphones", "headphones", 9900, SPA_PARAM_AVAILABILITY_yes,
     SPA_PARAM_AVAILABILITY_no},
};

static const struct spa_pod *build(struct spa_pod_builder *builder, const struct jack *jack, int32_t index, bool plugged) {
    int32_t profiles[] = {1}, devices[] = {jack->direction == SPA_DIRECTION_OUTPUT};
    struct spa_pod_frame object, info;
    spa_pod_builder_push_object(builder, &object, SPA_TYPE_OBJECT_ParamRoute, SPA_PARAM_EnumRoute);
    spa_pod_builder_add(builder, SPA_PARAM_ROUTE_index, SPA_POD_Int(index), SPA_PARAM_ROUTE_direction,
                        SPA_POD_Id(jack->direction), SPA_PARAM_ROUTE_name, SPA_POD_String(jack->name),
                        SPA_PARAM_ROUTE_description, SPA_POD_String(jack->description), SPA_PARAM_ROUTE_priority,
                        SPA_POD_Int(jack->priority), SPA_PARAM_ROUTE_available,
                        SPA_POD_Id(plugged ? jack->plugged : jack->pulled), SPA_PARAM_ROUTE_profiles,
                        SPA_POD_Array(sizeof(int32_t), SPA_TYPE_Int, 1, profiles), SPA_PARAM_ROUTE_devices,
                        SPA_POD_Array(sizeof(int32_t), SPA_TYPE_Int, 1, devices), 0);
    spa_pod_builder_prop(builder, SPA_PARAM_ROUTE_info, 0);
    spa_pod_builder_push_struct(builder, &info);
    spa_pod_builder_add(builder, SPA_POD_Int(1), SPA_POD_String("port.type"), SPA_POD_String(jack->type), NULL);
    spa_pod_builder_pop(builder, &info);
    return spa_pod_builder_pop(builder, &object);
}

core_pods *core_pods_create(bool plugged) {
    core_pods *pods = calloc(1, sizeof(*pods));
    if (pods == NULL)
        return NULL;
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(pods->bytes, sizeof(pods->bytes));
    for (int32_t i = 0; i < ROUTES; i++) {
        pods->routes[i] = build(&builder, &jacks[i], i, plugged);
        if (pods->routes[i] == NULL)
            return NULL;
    }
    return pods;
}

void core_pods_notify(const core_pods *pods, const cpw_connection_events *events, void *user, uint32_t device) {
    events->params_begin(user, device, CPW_PARAM_ENUM_ROUTE);
    for (int i = 0; i < ROUTES; i++)
        cpw_device_emit_route(events, user, device, CPW_PARAM_ENUM_ROUTE, pods->routes[i]);
    events->params_end(user, device, CPW_PARAM_ENUM_ROUTE);
}

static const cpw_property shown[] = {
    {"object.serial", "101"}, {"factory.id", "18"},           {"client.id", "33"},
    {"node.name", "node"},    {"node.description", "A sink"}, {"media.class", "Audio/Sink"},
};

static const cpw_property all[] = {
    {"factory.name", "support.null-audio-sink"},
    {"node.name", "node"},
    {"node.description", "A sink"},
    {"media.class", "Audio/Sink"},
    {"audio.position", "FL,FR"},
    {"object.linger", "false"},
    {"monitor.channel-volumes", "true"},
    {"adapter.auto-port-config", "{ mode = dsp monitor = true position = preserve }"},
    {"object.id", "101"},
    {"object.serial", "101"},
    {"client.id", "33"},
    {"factory.id", "18"},
    {"clock.quantum-limit", "8192"},
    {"node.driver", "true"},
    {"factory.mode", "merge"},
    {"audio.adapt.follower", ""},
    {"library.name", "audioconvert/libspa-audioconvert"},
};

void core_pods_notify_sink(const cpw_connection_events *events, void *user, uint32_t id) {
    events->global(user, id, CPW_OBJECT_NODE, shown, SPA_N_ELEMENTS(shown));
    events->properties(user, id, CPW_OBJECT_NODE, all, SPA_N_ELEMENTS(all));
}
