/* An exported device answers any client of the daemon. Its callbacks are static, so its source
 * is included here, under other names than those of the shim. */
#define cpw_export_create cfuzz_export_create
#define cpw_export_update cfuzz_export_update
#define cpw_export_destroy cfuzz_export_destroy
#include "Objects/exported_device.c"

#include "CFuzz.h"
#include "pods.h"

static void on_profile(void *user, int32_t index, bool save) {
    (void)user, (void)index, (void)save;
}

static void on_route(void *user, int32_t index, int32_t device, bool save, float volume, int32_t mute) {
    (void)user, (void)index, (void)device, (void)save, (void)volume;
    if (mute < -1 || mute > 1)
        abort();
}

static void on_result(void *data, int sequence, int result, uint32_t type, const void *answer) {
    (void)data, (void)sequence, (void)result;
    const struct spa_result_device_params *params = answer;
    volatile uint8_t sink = 0;
    if (type != SPA_RESULT_TYPE_DEVICE_PARAMS)
        return;
    for (size_t i = 0; i < SPA_POD_SIZE(params->param); i++)
        sink ^= ((const uint8_t *)params->param)[i];
}

static const struct spa_device_events listener_events = {SPA_VERSION_DEVICE_EVENTS, .result = on_result};

static const int32_t numbers[] = {0, 1};
static const cpw_export_profile profiles[] = {
    {.profile = {0, "off", "Off", 0, 2}},
    {.profile = {1, "HiFi", "Music", 10, 2}, .sinks = numbers, .sink_count = 2, .sources = numbers, .source_count = 1},
};
static const cpw_export_route routes[] = {
    {.route = {.index = 1, .name = "speaker", .description = "Speaker", .available = 2, .port_type = "speaker",
               .profiles = numbers, .profile_count = 2, .devices = numbers, .device_count = 1, .device = 0},
     .profile = 1, .volume = 0.5f, .channels = 2},
};
static const cpw_export_params params = {profiles, 2, 1, false, routes, 1, routes, 1};

void cfuzz_export(const uint8_t *bytes, size_t size) {
    if (size == 0)
        return;
    cpw_export export = {.info_count = CPW_PARAM_COUNT, .events = {.set_profile = on_profile, .set_route = on_route}};
    struct spa_hook hook = {0};
    spa_hook_list_init(&export.listeners);
    if (cpw_export_pods_build(&params, export.pods) < 0)
        abort();
    spa_hook_list_append(&export.listeners, &hook, &listener_events, NULL);
    struct spa_pod *pod = cfuzz_pod_copy(bytes + 1, size - 1);
    uint32_t id = no_changes[bytes[0] % CPW_PARAM_COUNT].id;
    if (bytes[0] & 4)
        enum_params(&export, 1, id, 0, 8, pod);
    else if (pod != NULL)
        set_param(&export, id, 0, pod);
    free(pod);
    cpw_export_pods_free(export.pods);
}
