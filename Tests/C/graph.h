/* What the tests of connections share: objects of a daemon in the process of the test, and clients
 * that bind them. */
#ifndef GRAPH_H
#define GRAPH_H

#include "client.h"
#include "pods.h"

enum { NODE = CPW_OBJECT_NODE, DEVICE = CPW_OBJECT_DEVICE, METADATA = CPW_OBJECT_METADATA };

/* Interest in sinks, cards and the default metadata, which are bound when they appear. */
enum { EVERYTHING = 3 };
extern const cpw_interest everything[EVERYTHING];

/* Replaces the values of the parameter with one. */
void set_param(cpt_object *device, cpw_device_param param, struct pod pod);
/* A card with one route, the speaker, and one profile. */
cpt_object *add_card(cpt_server *server);

void bind_object(struct client *client, cpt_object *object, int type);
/* Binds a device, and returns when it has answered all four questions. */
void bind_card(struct client *client, cpt_object *card);

#endif
