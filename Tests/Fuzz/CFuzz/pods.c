#include "pods.h"

#include "CFuzz.h"

/* The message that contains a pod guarantees its size and nothing else, and the next pod begins
 * at a multiple of 8. The address sanitizer guards the bytes behind that. */
struct spa_pod *cfuzz_pod_copy(const uint8_t *bytes, size_t size) {
    if (size < sizeof(struct spa_pod))
        return NULL;
    struct spa_pod *pod = aligned_alloc(8, SPA_ROUND_UP_N(size, 8));
    if (pod == NULL)
        abort();
    memset((uint8_t *)pod + SPA_ROUND_DOWN_N(size, 8), 0xa5, SPA_ROUND_UP_N(size, 8) - SPA_ROUND_DOWN_N(size, 8));
    memcpy(pod, bytes, size);
    pod->size = (uint32_t)(size - sizeof(*pod));
    return pod;
}

/* Reads every byte, for the sanitizer, and checks that the text ends within its pod. */
static void read_text(const struct spa_pod *pod, size_t size, const char *text) {
    if (text == NULL)
        return;
    const char *start = (const char *)pod, *end = start + size;
    bool is_inside = text >= start && text < end;
    if (is_inside ? memchr(text, 0, (size_t)(end - text)) == NULL : text[0] != 0)
        abort();
}

static void read_numbers(const int32_t *numbers, size_t count, size_t capacity) {
    volatile int32_t sink = 0;
    if (count > capacity || (numbers == NULL && count > 0))
        abort();
    for (size_t i = 0; i < count; i++)
        sink ^= numbers[i];
}

static void read_route(const struct spa_pod *pod, size_t size) {
    struct cpw_route_storage *storage = malloc(sizeof(*storage));
    cpw_route route;
    if (cpw_pod_route(pod, &route, storage)) {
        read_text(pod, size, route.name);
        read_text(pod, size, route.description);
        read_text(pod, size, route.port_type);
        read_text(pod, size, route.availability_group);
        read_text(pod, size, route.product_name);
        read_numbers(route.profiles, route.profile_count, SPA_N_ELEMENTS(storage->profiles));
        read_numbers(route.devices, route.device_count, SPA_N_ELEMENTS(storage->devices));
        if (route.name == NULL || route.description == NULL)
            abort();
    }
    free(storage);
}

static void read_profile(const struct spa_pod *pod, size_t size) {
    cpw_profile profile;
    if (!cpw_pod_profile(pod, &profile))
        return;
    if (profile.name == NULL || profile.description == NULL)
        abort();
    read_text(pod, size, profile.name);
    read_text(pod, size, profile.description);
}

void cfuzz_pod(const uint8_t *bytes, size_t size) {
    if (size == 0)
        return;
    bool mute;
    float volumes[CPW_MAX_VOLUMES];
    struct spa_pod *pod = cfuzz_pod_copy(bytes + 1, size - 1);
    switch (bytes[0] % 3) {
    case 0:
        read_route(pod, size - 1);
        break;
    case 1:
        read_profile(pod, size - 1);
        break;
    case 2:
        cpw_pod_mute(pod, &mute);
        cpw_pod_volumes(pod, volumes);
        break;
    }
    free(pod);
}
