#ifndef CPW_TAP_H
#define CPW_TAP_H

#include "internal.h"

#include <pipewire/filter.h>

/* The counts of the real-time thread. */
struct cpw_tap_counts {
    uint32_t generation; /* the number of resets that it has applied */
    cpw_tap_report report;
    uint64_t last_loud_frame; /* its position since the last reset */
};

/* A copy for other threads. `version` is odd while the real-time thread writes. */
struct cpw_tap_published {
    _Atomic uint32_t version;
    _Atomic uint32_t generation;
    _Atomic uint64_t cycles, frames, loud_frames, gap_frames, first_loud_time, last_loud_time;
    _Atomic float peak;
};

struct cpw_tap {
    cpw_connection *connection;
    char *sink_name;
    float threshold;
    cpw_tap_events events;
    void *user;

    struct pw_filter *filter;
    struct spa_hook filter_listener;
    void *inputs[CPW_MAX_CHANNELS]; /* the filter's ports */

    struct cpw_tap_counts counts; /* real-time thread only */
    struct cpw_tap_published published;
    _Atomic uint32_t resets;

    /* tap_links.c */
    struct pw_registry *registry;
    struct spa_hook registry_listener;
    uint32_t node;                         /* of the filter */
    _Atomic uint32_t sink;                 /* SPA_ID_INVALID: there is none of that name */
    uint32_t next_sink;                    /* of this name, appeared before `sink` ended */
    uint32_t input_ids[CPW_MAX_CHANNELS];  /* global ids of the filter's ports */
    struct cpw_tap_link *links[CPW_MAX_CHANNELS];
    struct spa_list monitors;              /* monitor ports of all sinks */
    bool attached;
};

/* Starts linking the filter to the sink. The filter must have its node. */
int cpw_tap_links_start(struct cpw_tap *tap);
void cpw_tap_links_stop(struct cpw_tap *tap);

#endif
