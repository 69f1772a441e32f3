#include "ports.h"

#include <spa/param/param.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *word, *output, *input;
} types[] = {
    {"speaker", "builtInSpeaker", "unknown"}, {"headphones", "headphones", "unknown"},
    {"headset", "headphones", "headsetMic"},  {"mic", "unknown", "builtInMic"},
    {"line", "lineOut", "lineIn"},            {"hdmi", "hdmi", "unknown"},
    {"spdif", "lineOut", "lineIn"},           {"handset", "builtInReceiver", "unknown"},
};

static const char *type_of(const struct object *node, const struct object *card, const struct route *route) {
    if (strcmp(node->media, "raop") == 0)
        return "airPlay";
    if (card == NULL)
        return "virtual";
    if (strcmp(card->api, "bluez5") == 0)
        return node->what == SINK ? "bluetoothA2DP" : "bluetoothHFP";
    if (strcmp(card->bus, "usb") == 0)
        return "usbAudio";
    for (size_t i = 0; route && i < sizeof(types) / sizeof(*types); i++)
        if (strcmp(types[i].word, route->type) == 0)
            return node->what == SINK ? types[i].output : types[i].input;
    return "unknown";
}

static bool holds(const int32_t *numbers, uint32_t count, int32_t wanted) {
    for (uint32_t i = 0; i < count; i++)
        if (numbers[i] == wanted)
            return true;
    return count == 0;
}

static bool can_serve(const struct route *route, const struct object *node, const struct object *card) {
    return route->availability != SPA_PARAM_AVAILABILITY_no &&
           (route->direction == SPA_DIRECTION_OUTPUT) == (node->what == SINK) &&
           holds(route->devices, route->device_count, node->number) &&
           holds(route->profiles, route->profile_count, card->profile);
}

bool ports_hold(const struct port_list *list, const struct port *port) {
    for (size_t i = 0; i < list->count; i++) {
        const struct port *other = &list->ports[i];
        if (other->direction == port->direction && strcmp(other->node, port->node) == 0 &&
            strcmp(other->route, port->route) == 0 && strcmp(other->type, port->type) == 0)
            return true;
    }
    return false;
}

const struct port *ports_find(const struct port_list *list, const char *node) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->ports[i].node, node) == 0)
            return &list->ports[i];
    return NULL;
}

static void add(struct port_list *list, const struct object *node, const struct object *card, const struct route *route) {
    if (list->count == MOST_PORTS)
        return;
    struct port *port = &list->ports[list->count];
    snprintf(port->node, sizeof(port->node), "%s", node->name);
    snprintf(port->route, sizeof(port->route), "%s", route ? route->name : "");
    port->direction = node->what;
    port->type = type_of(node, card, route);
    if (!ports_hold(list, port))
        list->count++;
}

static const struct object *card_of(const struct object *node, const struct spa_list *objects) {
    const struct object *card;
    spa_list_for_each(card, objects, link)
        if (card->what == CARD && (int32_t)card->id == node->card)
            return card;
    return NULL;
}

void ports_list(struct port_list *list, const struct spa_list *objects) {
    const struct object *node;
    list->count = 0;
    spa_list_for_each(node, objects, link) {
        if ((node->what != SINK && node->what != SOURCE) || !node->is_known)
            continue;
        const struct object *card = card_of(node, objects);
        if (card == NULL || card->route_count == 0)
            add(list, node, card, NULL);
        for (uint32_t i = 0; card && i < card->route_count; i++)
            if (can_serve(&card->routes[i], node, card))
                add(list, node, card, &card->routes[i]);
    }
}
