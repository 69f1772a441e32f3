#include "internal.h"

_Static_assert(sizeof(cpw_property) == sizeof(struct spa_dict_item), "a property is a dictionary entry");
_Static_assert(offsetof(cpw_property, key) == offsetof(struct spa_dict_item, key), "key");
_Static_assert(offsetof(cpw_property, value) == offsetof(struct spa_dict_item, value), "value");

static int compare(const void *key, const void *entry) { return strcmp(key, *(const char *const *)entry); }

void cpw_properties_pick(const cpw_property *properties, size_t count, const char *const *keys, size_t key_count,
                         const char **out) {
    memset(out, 0, key_count * sizeof(*out));
    for (size_t i = 0; i < count; i++) {
        if (properties[i].key == NULL)
            continue;
        const char *const *found = bsearch(properties[i].key, keys, key_count, sizeof(*keys), compare);
        if (found != NULL)
            out[found - keys] = properties[i].value;
    }
}
