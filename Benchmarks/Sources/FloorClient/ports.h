#pragma once

#include <pipewire/pipewire.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_ROUTES = 32, MOST_NUMBERS = 32, MOST_PORTS = 128, PARAMS = 2 };

struct route {
    char name[64], type[24];
    uint32_t direction, availability;
    int32_t devices[MOST_NUMBERS], profiles[MOST_NUMBERS];
    uint32_t device_count, profile_count;
};

enum what { SINK, SOURCE, CARD, DEFAULTS };

struct object {
    struct spa_list link;
    uint32_t id;
    enum what what;
    struct pw_proxy *proxy;
    struct spa_hook listener;
    char name[128];
    /* Of a node. */
    bool is_known;
    char media[16];
    int32_t card, number;
    /* Of a card. */
    char bus[16], api[16];
    struct route routes[MOST_ROUTES];
    uint32_t route_count;
    /* The answer that is still coming. */
    struct route coming[MOST_ROUTES];
    uint32_t coming_count, flags[PARAMS];
    int asked;
    int32_t profile;
    int sync;
};

struct port {
    char node[128], route[64];
    enum what direction;
    const char *type;
};

struct port_list {
    struct port ports[MOST_PORTS];
    size_t count;
};

/* Every available port. */
void ports_list(struct port_list *list, const struct spa_list *objects);
bool ports_hold(const struct port_list *list, const struct port *port);
const struct port *ports_find(const struct port_list *list, const char *node);
