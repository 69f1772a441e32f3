/* Objects of other clients, and which of these are in a sandbox. No client takes the room of others.
 * Used by the watchdog only. */
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

/* A bit for each object id. A daemon uses far fewer ids; higher ones are in no set. */
enum { MOST_IDS = 1 << 20 };
typedef uint8_t id_bits[MOST_IDS / 8];

void id_bits_put(id_bits set, uint32_t id, bool is_member);
bool id_bits_has(const id_bits set, uint32_t id);

/* Whether a client is in a sandbox, as last noted. What such a client has made counts for nothing. */
void note_sandboxed(uint32_t client, bool is_in_sandbox);
bool is_sandboxed(uint32_t client);

/* Adds an object, and returns it. If there is no room, an object of a client in a sandbox makes
 * room, else the last one of the client that has most. Returns null if the object's own
 * client would then have more than that one. */
struct client_object *client_objects_add(struct client_objects *objects, uint32_t id, uint32_t client,
                                         const char *text);
void client_objects_remove(struct client_objects *objects, uint32_t id);

#endif
