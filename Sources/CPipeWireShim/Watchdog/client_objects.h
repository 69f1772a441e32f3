/* Objects of other clients. No client takes the room of others. Used by the watchdog only. */
#ifndef CPW_CLIENT_OBJECTS_H
#define CPW_CLIENT_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLIENT_OBJECTS = 256, CLIENT_OBJECT_TEXT = 256 };

struct client_object {
    uint32_t id, client;
    uint32_t device;               /* for the caller */
    char text[CLIENT_OBJECT_TEXT]; /* empty if the caller needs none */
};

struct client_objects {
    struct client_object objects[CLIENT_OBJECTS]; /* in the order in which they appeared */
    size_t count;
};

/* Adds an object, and returns it. If there is no room, an object of a client for which `is_ignored` is
 * true makes room, else the last one of the client that has most. Returns null if the object's own
 * client would then have more than that one. */
struct client_object *client_objects_add(struct client_objects *objects, uint32_t id, uint32_t client, const char *text,
                                         bool (*is_ignored)(uint32_t client));
void client_objects_remove(struct client_objects *objects, uint32_t id);

#endif
