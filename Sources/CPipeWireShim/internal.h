#ifndef CPW_INTERNAL_H
#define CPW_INTERNAL_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CPipeWireShim.h"

#include <errno.h>
#include <pipewire/pipewire.h>
#include <pthread.h>
#include <semaphore.h>
#include <spa/utils/result.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct cpw_loop {
    struct pw_loop *loop;
    pthread_t thread;
    struct spa_source *wake;
    void (*drain)(void *user);
    void (*finish)(void *user);
    void *user;
    bool is_urgent;
    bool connects;
    struct pw_context *context; /* for the first connection; the loop's thread only */
    sem_t entered;
    bool is_woken_by_itself; /* by itself; the loop's thread only */
    atomic_bool ending;
    atomic_int references; /* its thread's and its owner's */
};

/* For the thread of that loop. Null with errno set on failure. */
struct pw_context *cpw_context_new(cpw_loop *loop);

struct cpw_connection {
    cpw_loop *loop;
    struct pw_context *context;
    bool borrows_context;
    struct pw_core *core;
    struct pw_registry *registry;
    struct spa_hook core_listener, registry_listener;
    struct spa_list objects;   /* bound ones */
    struct spa_list enumerations; /* those under way, in the order in which they end */
    struct spa_list streams;
    struct spa_list ending_streams; /* those that the daemon has not removed yet */
    const cpw_interest *interests;
    size_t interest_count;
    struct cpw_id_set {
        uint8_t *bits; /* by id */
        uint32_t size; /* in bits; objects beyond are taken for some of these */
        bool lost;     /* there was no memory for it: everything is */
    } reported_ids, client_ids;
    cpw_connection_events events;
    void *user;
    uint32_t cookie;
    uint32_t session_factory; /* the daemon's, for Session objects; SPA_ID_INVALID: none was seen */
    cpw_timer *recheck_timer; /* null: there was no file for it, or this connection does not watch */
    uint64_t recheck_time; /* when it ends; 0: not armed */
    uint64_t event_time;   /* when the callback that is being served began */
    int socket_slot;       /* of its socket in CProcess.h */
    bool failed;
};

/* An object that the connection bound: a node, a device, a metadata object. */
struct cpw_object {
    struct spa_list link;
    cpw_connection *connection;
    uint32_t id;
    cpw_object_type type;
    struct pw_proxy *proxy;
    struct spa_hook proxy_listener, listener;
    struct cpw_enumeration {
        struct spa_list link;
        struct cpw_object *object;
        bool is_stale;     /* changed during the answer under way */
        bool has_begun;    /* `params_begin` was called for the answer under way */
        bool has_skipped;  /* an entry of the answer under way was not reported */
        bool was_reported; /* a whole answer was */
        int32_t request;   /* its sequence number, which the answers repeat */
        int32_t sequence;  /* of the sync that ends the answer; 0: none under way */
        uint32_t flags;    /* as last received */
        bool has_flags;
        uint32_t rechecks;     /* how often to query again, because the answer may be stale */
        uint64_t recheck_time; /* when to; 0: not planned */
    } params[CPW_PARAM_COUNT];
};

/* loop.c: whether the libpipewire that was loaded is older than that. */
bool cpw_library_is_older_than(int major, int minor, int micro);

/* fork.c: keeps a socket that was added to the loop from children. Its slot in CProcess.h, or -1: there is none. */
int cpw_close_in_children(struct pw_loop *loop);

/* ids.c */
void cpw_id_set_put(struct cpw_id_set *ids, uint32_t id, bool is_one);
/* Whether it was one; it is none any more. */
bool cpw_id_set_remove(struct cpw_id_set *ids, uint32_t id);
void cpw_id_set_clear(struct cpw_id_set *ids);

/* registry.c */

/* Null: the object is not bound, or gone. */
struct pw_proxy *cpw_bound_proxy(cpw_connection *connection, uint32_t id, cpw_object_type type);
void cpw_registry_clear(cpw_connection *connection);

/* stream.c: closes the gates of the streams that have the removed object as a gate trigger. */
void cpw_streams_close_gates(cpw_connection *connection, uint32_t id);

/* stream_end.c */
void cpw_streams_done(cpw_connection *connection, int32_t sequence);
void cpw_streams_clear(cpw_connection *connection);

/* priority.c: gives the calling thread the program's priority, or, if it is urgent, the daemon's, where the system permits
 * that and the program has no priority or policy of its own. Threads that it starts have the program's. */
void cpw_thread_set_priority(bool is_urgent);

/* device.c */
void cpw_device_add_listener(struct cpw_object *object);
void cpw_device_cancel_enumerations(struct cpw_object *object);
/* Asks at once what was to be asked when the answers under way have come. */
void cpw_devices_repeat_stale(cpw_connection *connection);
/* A program went: answers under way may be old ones. */
void cpw_devices_plan_rechecks(cpw_connection *connection);
void cpw_devices_recheck(void *connection);
void cpw_devices_done(cpw_connection *connection, int32_t sequence);
/* An entry of a list of routes, unless the pod is none. */
void cpw_device_emit_route(const cpw_connection_events *events, void *user, uint32_t id, cpw_device_param param,
                           const struct spa_pod *pod);

/* pod.c */

/* Whether the pod, which may be null, is an object of this type that PipeWire's parser can be let loose on. */
bool cpw_pod_is_valid_object(const struct spa_pod *pod, uint32_t type);

/* False if the pod is not a well-formed one of its kind. Strings point into the pod. */
struct cpw_route_storage {
    int32_t profiles[64];
    int32_t devices[64];
    float volumes[CPW_MAX_VOLUMES];
};
/* Copies an array of 4-byte values, all that fit. PipeWire's own function believes the size of a value that the array
 * claims, and so writes past `into` if the sender wishes. */
uint32_t cpw_pod_array(const struct spa_pod *array, uint32_t type, void *into, uint32_t capacity);
bool cpw_pod_profile(const struct spa_pod *pod, cpw_profile *profile);
bool cpw_pod_route(const struct spa_pod *pod, cpw_route *route, struct cpw_route_storage *storage);

/* False if the pod is no Props object that says whether something is muted. */
bool cpw_pod_mute(const struct spa_pod *pod, bool *mute);
/* How many volumes a Props object has; 0 if it is none, or one of them is no volume. */
uint32_t cpw_pod_volumes(const struct spa_pod *pod, float volumes[CPW_MAX_VOLUMES]);

/* format.c: interleaved 32-bit floats as a parameter; 1 to CPW_MAX_CHANNELS channels. Points into the storage. */
struct cpw_format_storage {
    _Alignas(8) uint8_t bytes[1024];
};
const struct spa_pod *cpw_format_build(struct cpw_format_storage *storage, uint32_t rate, uint32_t channels);
/* The same with other speakers than WAV's, one for each channel. */
const struct spa_pod *cpw_format_build_positions(struct cpw_format_storage *storage, uint32_t rate, uint32_t channels,
                                          const uint32_t *speakers);
/* Whether a format, as it was agreed on, is that one. */
bool cpw_format_is(const struct spa_pod *format, uint32_t rate, uint32_t channels);

/* timing.c: a cycle of the graph that runs a stream. Real-time thread. */
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "the real-time thread must not wait for a lock of libatomic");
struct cpw_timing {
    uint64_t ticks; /* of the graph's clock, at the last cycle */
    _Atomic uint32_t quantum, rate;
    _Atomic int64_t delay_ns;
};
/* `frames` is how many the stream carries in this cycle, at its own rate. */
void cpw_timing_update(struct cpw_timing *timing, const struct pw_time *time, uint32_t frames, uint32_t stream_rate);

/* export_pods.c: the parameters of an exported device, ready to be sent. */
struct cpw_pods {
    struct spa_pod **pods;
    size_t count;
};
int cpw_export_pods_build(const cpw_export_params *params, struct cpw_pods pods[CPW_PARAM_COUNT]);
void cpw_export_pods_free(struct cpw_pods pods[CPW_PARAM_COUNT]);

/* The speakers of a card's node with so many channels, 1 to CPW_MAX_CHANNELS. */
const uint32_t *cpw_card_positions(uint32_t channels);

static inline uint32_t cpw_channels(uint32_t count) { return count < 1 ? 1 : SPA_MIN(count, CPW_MAX_CHANNELS); }

/* A Props object with one volume for all channels. */
struct spa_pod_builder;
struct spa_pod *cpw_props_build(struct spa_pod_builder *builder, uint32_t id, float volume, uint32_t channels,
                                bool mute);

#endif
