#include "Watchdog/client_objects.h"

#include <stdio.h>
#include <string.h>

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

struct client_object *client_objects_add(struct client_objects *objects, uint32_t id, uint32_t client, const char *text,
                                         bool (*is_ignored)(uint32_t client)) {
    for (size_t i = 0; objects->count == CLIENT_OBJECTS && i < objects->count; i++)
        if (is_ignored(objects->objects[i].client))
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
