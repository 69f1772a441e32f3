#include "Watchdog/client_objects.h"

#include <stdio.h>
#include <string.h>

static id_bits sandboxed_clients;

/* A removed object keeps its bit, which the next object of its type with this id overwrites. */
void id_bits_put(id_bits set, uint32_t id, bool is_member) {
    if (id >= MOST_IDS)
        return;
    uint8_t bit = (uint8_t)(1u << id % 8);
    set[id / 8] = (uint8_t)(is_member ? set[id / 8] | bit : set[id / 8] & ~bit);
}

bool id_bits_has(const id_bits set, uint32_t id) { return id < MOST_IDS && set[id / 8] & 1u << id % 8; }

void note_sandboxed(uint32_t client, bool is_in_sandbox) { id_bits_put(sandboxed_clients, client, is_in_sandbox); }

bool is_sandboxed(uint32_t client) { return id_bits_has(sandboxed_clients, client); }

static void remove_at(struct client_objects *objects, size_t index) {
    objects->count--;
    memmove(&objects->objects[index], &objects->objects[index + 1],
            (objects->count - index) * sizeof(objects->objects[0]));
}

static size_t count_of(const struct client_objects *objects, uint32_t client) {
    size_t count = 0;
    for (size_t i = 0; i < objects->count; i++)
        count += objects->objects[i].client == client;
    return count;
}

/* The last object of the client that has most, and how many that client has. */
static size_t find_surplus(const struct client_objects *objects, size_t *most) {
    size_t surplus = 0;
    *most = 0;
    for (size_t i = 0; i < objects->count; i++) {
        size_t count = count_of(objects, objects->objects[i].client);
        if (count >= *most) {
            *most = count;
            surplus = i;
        }
    }
    return surplus;
}

struct client_object *client_objects_add(struct client_objects *objects, uint32_t id, uint32_t client,
                                         const char *text) {
    for (size_t i = 0; objects->count == CLIENT_OBJECTS && i < objects->count; i++)
        if (is_sandboxed(objects->objects[i].client))
            remove_at(objects, i);
    if (objects->count == CLIENT_OBJECTS) {
        size_t most, surplus = find_surplus(objects, &most);
        if (most <= count_of(objects, client) + 1)
            return NULL;
        remove_at(objects, surplus);
    }
    struct client_object *object = &objects->objects[objects->count++];
    *object = (struct client_object){.id = id, .client = client};
    snprintf(object->text, sizeof(object->text), "%s", text);
    return object;
}

void client_objects_remove(struct client_objects *objects, uint32_t id) {
    for (size_t i = 0; i < objects->count; i++)
        if (objects->objects[i].id == id)
            remove_at(objects, i--);
}
