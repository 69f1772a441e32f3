#include "Streams/gain.h"
#include "internal.h"

#include "CPipeWireTestServer.h"

#include <math.h>
#include <spa/utils/json.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Memory that ends where the bytes end: the page after them is not accessible. A pod starts at a
 * multiple of 8, and in a message the next one does too, so up to 7 bytes behind it can be read. */
struct fenced {
    uint8_t *map;
    size_t map_size;
    uint8_t *bytes;
    size_t size;
};

static bool fence(struct fenced *fenced, const uint8_t *bytes, size_t size) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t room = SPA_ROUND_UP_N(size, 8), readable = SPA_ROUND_UP_N(room + 1, page);
    fenced->map_size = readable + page;
    fenced->map = mmap(NULL, fenced->map_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fenced->map == MAP_FAILED)
        return false;
    mprotect(fenced->map + readable, page, PROT_NONE);
    fenced->bytes = fenced->map + readable - room;
    fenced->size = size;
    memset(fenced->map, 0xa5, readable);
    memcpy(fenced->bytes, bytes, size);
    /* A message that holds the pod always has its size. */
    uint32_t body = (uint32_t)(size - sizeof(struct spa_pod));
    memcpy(fenced->bytes, &body, sizeof(body));
    return true;
}

static bool string_is_sane(const struct fenced *fenced, const char *string, bool may_be_null) {
    if (string == NULL)
        return may_be_null;
    const uint8_t *start = (const uint8_t *)string, *end = fenced->bytes + fenced->size;
    if (start < fenced->bytes || start >= end)
        return string[0] == '\0';
    return memchr(start, 0, (size_t)(end - start)) != NULL;
}

static cpt_outcome outcome(bool accepted, bool sane) {
    return !accepted ? CPT_REFUSED : sane ? CPT_ACCEPTED : CPT_INSANE;
}

cpt_outcome cpt_try_profile(const uint8_t *bytes, size_t size) {
    cpw_profile profile;
    struct fenced fenced;
    if (bytes == NULL || size < sizeof(struct spa_pod))
        return outcome(cpw_pod_profile(NULL, &profile), false);
    if (!fence(&fenced, bytes, size))
        return CPT_INSANE;
    bool accepted = cpw_pod_profile((const struct spa_pod *)fenced.bytes, &profile);
    bool sane = !accepted || (string_is_sane(&fenced, profile.name, false) &&
                              string_is_sane(&fenced, profile.description, false));
    munmap(fenced.map, fenced.map_size);
    return outcome(accepted, sane);
}

cpt_outcome cpt_try_route(const uint8_t *bytes, size_t size) {
    cpw_route route;
    struct {
        uint8_t before[64];
        struct cpw_route_storage storage;
        uint8_t after[64];
    } guarded;
    struct fenced fenced;
    if (bytes == NULL || size < sizeof(struct spa_pod))
        return outcome(cpw_pod_route(NULL, &route, &guarded.storage), false);
    if (!fence(&fenced, bytes, size))
        return CPT_INSANE;
    memset(&guarded, 0x5a, sizeof(guarded));
    bool accepted = cpw_pod_route((const struct spa_pod *)fenced.bytes, &route, &guarded.storage);
    bool sane = true;
    for (size_t i = 0; i < sizeof(guarded.before); i++)
        sane = sane && guarded.before[i] == 0x5a && guarded.after[i] == 0x5a;
    if (accepted)
        sane = sane && string_is_sane(&fenced, route.name, false) &&
               string_is_sane(&fenced, route.description, false) && string_is_sane(&fenced, route.port_type, true) &&
               string_is_sane(&fenced, route.availability_group, true) &&
               string_is_sane(&fenced, route.product_name, true) &&
               route.profile_count <= SPA_N_ELEMENTS(guarded.storage.profiles) &&
               route.device_count <= SPA_N_ELEMENTS(guarded.storage.devices) &&
               (route.profiles == NULL) <= (route.profile_count == 0) &&
               (route.devices == NULL) <= (route.device_count == 0);
    munmap(fenced.map, fenced.map_size);
    return !sane ? CPT_INSANE : outcome(accepted, true);
}

void cpt_emit_route(const cpw_connection_events *events, void *user, uint32_t device, cpw_device_param param,
                    const uint8_t *bytes, size_t size) {
    struct fenced fenced;
    if (!fence(&fenced, bytes, size))
        return;
    cpw_device_emit_route(events, user, device, param, (const struct spa_pod *)fenced.bytes);
    munmap(fenced.map, fenced.map_size);
}

cpt_outcome cpt_try_mute(const uint8_t *bytes, size_t size) {
    struct fenced fenced;
    bool mute;
    if (bytes == NULL || size < sizeof(struct spa_pod))
        return outcome(cpw_pod_mute(NULL, &mute), false);
    if (!fence(&fenced, bytes, size))
        return CPT_INSANE;
    bool accepted = cpw_pod_mute((const struct spa_pod *)fenced.bytes, &mute);
    munmap(fenced.map, fenced.map_size);
    return outcome(accepted, true);
}

cpt_outcome cpt_try_volumes(const uint8_t *bytes, size_t size) {
    struct fenced fenced;
    struct {
        float volumes[CPW_MAX_VOLUMES];
        uint8_t after[64];
    } guarded;
    if (bytes == NULL || size < sizeof(struct spa_pod))
        return outcome(cpw_pod_volumes(NULL, guarded.volumes) > 0, false);
    if (!fence(&fenced, bytes, size))
        return CPT_INSANE;
    memset(&guarded, 0x5a, sizeof(guarded));
    uint32_t count = cpw_pod_volumes((const struct spa_pod *)fenced.bytes, guarded.volumes);
    bool sane = count <= CPW_MAX_VOLUMES;
    for (size_t i = 0; i < sizeof(guarded.after); i++)
        sane = sane && guarded.after[i] == 0x5a;
    for (uint32_t i = 0; sane && i < count; i++)
        sane = guarded.volumes[i] >= 0 && isfinite(guarded.volumes[i]);
    munmap(fenced.map, fenced.map_size);
    return !sane ? CPT_INSANE : outcome(count > 0, true);
}

bool cpt_format_is(uint32_t rate, uint32_t channels, uint32_t wanted_rate, uint32_t wanted_channels) {
    struct cpw_format_storage storage;
    return cpw_format_is(cpw_format_build(&storage, rate, channels), wanted_rate, wanted_channels);
}

bool cpt_json_name(const char *json, char *into, size_t capacity) {
    struct spa_json whole, object;
    spa_json_init(&whole, json, strlen(json));
    if (spa_json_enter_object(&whole, &object) <= 0)
        return false;
    char key[256];
    const char *value;
    int length;
    while ((length = spa_json_next(&object, &value)) > 0) {
        bool readable = length < (int)sizeof(key);
        if (readable)
            spa_json_parse_stringn(value, length, key, sizeof(key));
        if ((length = spa_json_next(&object, &value)) <= 0)
            return false;
        if (!readable || strcmp(key, "name") != 0)
            continue;
        return length < (int)capacity && !spa_json_is_container(value, length) &&
               spa_json_parse_stringn(value, length, into, (int)capacity) > 0;
    }
    return false;
}

void cpt_gain_apply(cpt_gain *gain, cpt_gain target, uint32_t rate, float *samples, uint32_t frames,
                    uint32_t channels) {
    cpw_gain own = {.volume = gain->volume, .duck = gain->duck};
    cpw_gain_apply(&own, (cpw_gain){.volume = target.volume, .duck = target.duck}, rate, samples, frames, channels);
    *gain = (cpt_gain){.volume = own.volume, .duck = own.duck};
}

uint64_t cpt_turn_of_this_thread(void) {
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } own = {0};
    return syscall(SYS_sched_getattr, 0, &own, sizeof(own), 0) == 0 ? own.runtime : 0;
}
