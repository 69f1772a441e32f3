#include "internal.h"

/* A set of ids of the registry's objects, as a bitmap. */

/* A daemon uses far fewer ids at a time. */
enum { most_ids = 1 << 20, first_ids = 1024 };

static bool grow(struct cpw_id_set *ids, uint32_t id) {
    uint32_t size = ids->size != 0 ? ids->size : first_ids;
    while (size <= id)
        size *= 2;
    uint8_t *bits = realloc(ids->bits, size / 8);
    if (bits == NULL)
        return false;
    memset(bits + ids->size / 8, 0, (size - ids->size) / 8);
    ids->bits = bits;
    ids->size = size;
    return true;
}

void cpw_id_set_put(struct cpw_id_set *ids, uint32_t id, bool is_member) {
    if (ids->lost || id >= most_ids)
        return;
    if (id >= ids->size && !grow(ids, id)) {
        ids->lost = true;
        return;
    }
    if (is_member)
        ids->bits[id / 8] |= (uint8_t)(1u << id % 8);
}

bool cpw_id_set_remove(struct cpw_id_set *ids, uint32_t id) {
    if (ids->lost || id >= ids->size)
        return true;
    bool was_member = ids->bits[id / 8] & 1u << id % 8;
    ids->bits[id / 8] &= (uint8_t)~(1u << id % 8);
    return was_member;
}

void cpw_id_set_clear(struct cpw_id_set *ids) {
    free(ids->bits);
    *ids = (struct cpw_id_set){0};
}
