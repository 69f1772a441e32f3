#include "internal.h"

/* Which objects concern somebody. Most of a busy machine's do not: of them nothing is kept, and nobody is called. */

/* Far more objects than a daemon has at a time. */
enum { most_ids = 1 << 20, first_ids = 1024 };

bool cpw_told_concerns(const cpw_connection *connection, cpw_object_type type, const struct spa_dict *properties) {
    const char *key = NULL, *value = NULL;
    bool is_choosy = false;
    for (size_t i = 0; i < connection->interest_count; i++) {
        const cpw_interest *interest = &connection->interests[i];
        if (interest->type != type)
            continue;
        is_choosy = true;
        if (interest->key != key) {
            key = interest->key;
            value = properties != NULL ? spa_dict_lookup(properties, key) : NULL;
        }
        if (value != NULL && strcmp(value, interest->value) == 0)
            return true;
    }
    return !is_choosy;
}

static bool grow(struct cpw_told *told, uint32_t id) {
    uint32_t size = told->size != 0 ? told->size : first_ids;
    while (size <= id)
        size *= 2;
    uint8_t *bits = realloc(told->bits, size / 8);
    if (bits == NULL)
        return false;
    memset(bits + told->size / 8, 0, (size - told->size) / 8);
    told->bits = bits;
    told->size = size;
    return true;
}

void cpw_told_note(struct cpw_told *told, uint32_t id, bool is_told) {
    if (told->lost || id >= most_ids)
        return;
    if (id >= told->size && !grow(told, id)) {
        told->lost = true;
        return;
    }
    if (is_told)
        told->bits[id / 8] |= (uint8_t)(1u << id % 8);
}

bool cpw_told_end(struct cpw_told *told, uint32_t id) {
    if (told->lost || id >= told->size)
        return true;
    bool was_told = told->bits[id / 8] & 1u << id % 8;
    told->bits[id / 8] &= (uint8_t)~(1u << id % 8);
    return was_told;
}

void cpw_told_clear(struct cpw_told *told) {
    free(told->bits);
    *told = (struct cpw_told){0};
}
