#include "server.h"

/* Copies of arguments, which the server owns. */

char *cpt_copy(const char *string) { return string ? strdup(string) : NULL; }

void cpt_set_entries(struct cpt_entries *entries, const cpw_property *properties, size_t count) {
    for (uint32_t i = 0; i < entries->count; i++) {
        free((void *)entries->items[i].key);
        free((void *)entries->items[i].value);
    }
    free(entries->items);
    entries->items = calloc(count ? count : 1, sizeof(*entries->items));
    entries->count = (uint32_t)count;
    for (size_t i = 0; i < count; i++)
        entries->items[i] = SPA_DICT_ITEM_INIT(cpt_copy(properties[i].key), cpt_copy(properties[i].value));
}

struct spa_pod *cpt_pod_copy(const uint8_t *bytes, size_t size) {
    if (bytes == NULL || size < sizeof(struct spa_pod))
        return NULL;
    struct spa_pod *pod = calloc(1, SPA_ROUND_UP_N(size, 8));
    memcpy(pod, bytes, size);
    pod->size = (uint32_t)(size - sizeof(struct spa_pod));
    return pod;
}

struct spa_pod **cpt_pods_copy(struct spa_pod *const *pods, size_t count) {
    struct spa_pod **copies = calloc(count ? count : 1, sizeof(*copies));
    for (size_t i = 0; i < count; i++)
        copies[i] = pods[i] ? cpt_pod_copy((const uint8_t *)pods[i], SPA_POD_SIZE(pods[i])) : NULL;
    return copies;
}

void cpt_pods_free(struct spa_pod **pods, size_t count) {
    for (size_t i = 0; i < count; i++)
        free(pods[i]);
    free(pods);
}
