/* State and functions that the shim's files share, in the order of the files: each section may be
 * called by its own folder and by the later ones. CPipeWireShim.h has the rules that hold for all.
 * Functions run on the loop's thread unless a comment says otherwise. */
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

/* ---- State ---- */

struct cpw_loop {
    struct pw_loop *loop;
    pthread_t thread;
    struct spa_source *wake;
    void (*drain)(void *user);
    void (*finish)(void *user);
    void *user;
    bool is_urgent;
    bool connects;
    struct pw_context *context; /* prepared for the first connection; loop's thread only */
    sem_t entered;
    bool is_woken_by_itself; /* loop's thread only */
    uint64_t event_time; /* when PipeWire's current callback began; 0: there is none; loop's thread */
    struct spa_list armed_timers; /* those that fire in callbacks; loop's thread only */
    atomic_bool ending;
    atomic_int references; /* one for the thread, one for the owner */
};

struct cpw_connection {
    cpw_loop *loop;
    struct pw_context *context;
    bool borrows_context;
    struct pw_core *core;
    struct pw_registry *registry;
    struct spa_hook core_listener, registry_listener;
    struct spa_list objects;      /* the bound ones */
    struct spa_list enumerations; /* the pending ones, in the order in which they end */
    struct spa_list streams;
    struct spa_list ending_streams; /* not removed by the daemon yet */
    const cpw_interest *interests;
    size_t interest_count;
    struct cpw_id_set {
        uint8_t *bits; /* by id */
        uint32_t size; /* in bits; ids beyond count as members */
        bool lost;     /* memory ran out: every id counts as a member */
    } reported_ids, client_ids;
    cpw_connection_events events;
    void *user;
    uint32_t cookie;
    uint32_t session_factory; /* the daemon's factory of Session objects, or SPA_ID_INVALID */
    cpw_timer *recheck_timer; /* null without a free file, and on connections that watch nothing */
    uint64_t recheck_time;    /* when the timer fires; 0: not armed */
    int socket_slot;          /* of CProcess.h */
    bool failed;
    struct {
        void (*ended)(void *user); /* null: the connection is not ending */
        void *user;
        cpw_timer *timer;
        int32_t sequence;
    } end;
};

/* An object that the connection bound: a node, a device, a metadata object. */
struct cpw_object {
    struct spa_list link;
    cpw_connection *connection;
    uint32_t id;
    cpw_object_type type;
    struct pw_proxy *proxy;
    struct spa_hook proxy_listener, listener;
    /* The state of one parameter of a device, and of the query for it that is under way. */
    struct cpw_enumeration {
        struct spa_list link;
        struct cpw_object *object;
        bool is_stale;     /* changed during the query: query again */
        bool has_begun;    /* `params_begin` was called for the answer under way */
        bool has_skipped;  /* an entry of the answer under way was not reported */
        bool was_reported; /* a whole answer was */
        int32_t request;   /* sequence number of the query, which its answers repeat */
        int32_t sequence;  /* of the sync that ends the answer; 0: no query is under way */
        uint32_t flags;    /* as last received */
        bool has_flags;
        uint32_t rechecks;     /* how often to query again, because the answer may be stale */
        uint64_t recheck_time; /* when to query again; 0: not planned */
    } params[CPW_PARAM_COUNT];
};

/* ---- Loop ---- */

/* library.c: initializes libpipewire once. Any thread. */
void cpw_library_initialize(void);
/* library.c: whether the loaded libpipewire is older than this version. Any thread. */
bool cpw_library_is_older_than(int major, int minor, int micro);

/* fork.c: makes forked children close the loop's newest socket. Returns its slot of CProcess.h, or
 * -1 if none was found. */
int cpw_close_in_children(struct pw_loop *loop);

/* context.c: makes a context. Null with errno set on failure. The caller destroys it. */
struct pw_context *cpw_context_new(struct pw_loop *loop);

/* thread_priority.c: gives the calling thread the program's priority. If `is_urgent`, gives it the
 * daemon's instead, where the system permits that and the program has not set a priority or policy
 * itself. Threads that it starts have the program's priority. */
void cpw_thread_set_priority(bool is_urgent);

/* memory.c: makes the first writes to memory that calloc() returned cause no page fault, for the
 * real-time thread. Any thread. */
void cpw_make_resident(void *memory, size_t size);

/* ---- Pods ---- */

/* pod.c: whether the pod, which may be null, is an object of this type that libpipewire's parser
 * reads without leaving the pod's bounds. */
bool cpw_pod_is_valid_object(const struct spa_pod *pod, uint32_t type);

struct cpw_route_storage {
    int32_t profiles[64];
    int32_t devices[64];
    float volumes[CPW_MAX_VOLUMES];
};
/* pod.c: copies as many 4-byte values of the array as fit, and returns their number. libpipewire's
 * own function trusts the value size that the array claims, and would write past `into`. */
uint32_t cpw_pod_array(const struct spa_pod *array, uint32_t type, void *into, uint32_t capacity);
/* pod.c: false if the pod is not a valid profile or route. Strings point into the pod, lists of a
 * route into the storage. */
bool cpw_pod_profile(const struct spa_pod *pod, cpw_profile *profile);
bool cpw_pod_route(const struct spa_pod *pod, cpw_route *route, struct cpw_route_storage *storage);
/* pod.c: false if the pod is not a Props object with a mute flag. */
bool cpw_pod_mute(const struct spa_pod *pod, bool *mute);
/* pod.c: the number of volumes of a Props object; 0 if one of them is negative or not finite. */
uint32_t cpw_pod_volumes(const struct spa_pod *pod, float volumes[CPW_MAX_VOLUMES]);

struct cpw_format_storage {
    _Alignas(8) uint8_t bytes[1024];
};
/* format.c: interleaved 32-bit floats as a parameter, for 1 to CPW_MAX_CHANNELS channels in the
 * order of WAV. The result points into the storage. */
const struct spa_pod *cpw_format_build(struct cpw_format_storage *storage, uint32_t rate, uint32_t channels);
/* format.c: the same with other channel positions, one for each channel. */
const struct spa_pod *cpw_format_build_positions(struct cpw_format_storage *storage, uint32_t rate, uint32_t channels,
                                                 const uint32_t *positions);
/* format.c: whether a negotiated format is interleaved 32-bit floats of this rate and number. */
bool cpw_format_is(const struct spa_pod *format, uint32_t rate, uint32_t channels);

/* ---- Streams ---- */

/* timing.c: the last cycle of the graph that runs a stream. */
_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "the real-time thread must not wait for a lock of libatomic");
struct cpw_timing {
    _Atomic uint32_t quantum, rate;
    _Atomic int64_t delay_ns;
};
/* timing.c: real-time thread. `position` is the graph's clock, and may be null. `frames` is the stream's length of
 * this cycle, at its own rate. */
void cpw_timing_update(struct cpw_timing *timing, const struct pw_time *time, const struct spa_io_position *position,
                       uint32_t frames, uint32_t stream_rate);

/* stream.c: real-time thread. The stream's next buffer, which has data; null if there is none. */
struct pw_buffer *cpw_dequeue_buffer(struct pw_stream *stream);

/* stream.c: closes the gates of the streams that have the removed object as a gate trigger. */
void cpw_streams_close_gates(cpw_connection *connection, uint32_t id);

/* stream_teardown.c: frees the ending streams whose final sync is done, or all of them. */
void cpw_streams_done(cpw_connection *connection, int32_t sequence);
void cpw_streams_clear(cpw_connection *connection);

/* ---- Connection ---- */

/* id_set.c: adds the id if `is_member`. Must be called for every id that is removed later. */
void cpw_id_set_put(struct cpw_id_set *set, uint32_t id, bool is_member);
/* id_set.c: removes the id. Returns whether it was a member; true if the set cannot know. */
bool cpw_id_set_remove(struct cpw_id_set *set, uint32_t id);
void cpw_id_set_clear(struct cpw_id_set *set);

/* device.c: starts and ends reading the parameters of a bound device. */
void cpw_device_add_listener(struct cpw_object *object);
void cpw_device_cancel_enumerations(struct cpw_object *object);
/* device.c: repeats at once the queries whose answers under way are stale. */
void cpw_devices_repeat_stale(cpw_connection *connection);
/* device.c: to be called when a client is removed, because answers under way may be stale then. */
void cpw_devices_plan_rechecks(cpw_connection *connection);
/* device.c: the handler of the connection's recheck timer. */
void cpw_devices_recheck(void *connection);
void cpw_devices_done(cpw_connection *connection, int32_t sequence);
/* device.c: emits `route` if the pod is a valid route. */
void cpw_device_emit_route(const cpw_connection_events *events, void *user, uint32_t id, cpw_device_param param,
                           const struct spa_pod *pod);

/* registry.c: null if the object is not bound, or was removed. */
struct pw_proxy *cpw_bound_proxy(cpw_connection *connection, uint32_t id, cpw_object_type type);
/* registry.c: destroys the registry and all bound objects. */
void cpw_registry_clear(cpw_connection *connection);

/* ---- Objects ---- */

/* own_object.c: an object of the daemon that this process has made: a node, a device or a
 * session. */
struct cpw_own_object {
    cpw_connection *connection;
    struct pw_proxy *proxy; /* null once the connection or the daemon's object is gone */
    struct spa_hook listener;
    cpw_own_object_events events;
    void *user;
};
/* own_object.c: sends the events of a new proxy. Copies `events`, of which `bound` and `removed`
 * may be null. */
void cpw_own_object_follow(struct cpw_own_object *object, cpw_connection *connection, struct pw_proxy *proxy,
                           const cpw_own_object_events *events, void *user);
/* own_object.c: removes the object from the daemon, if it is there. */
void cpw_own_object_remove(struct cpw_own_object *object);

/* exported_pods.c: the parameters of an exported device, ready to be sent. -ENOMEM on failure. */
struct cpw_pods {
    struct spa_pod **pods;
    size_t count;
};
int cpw_export_pods_build(const cpw_export_params *params, struct cpw_pods pods[CPW_PARAM_COUNT]);
void cpw_export_pods_free(struct cpw_pods pods[CPW_PARAM_COUNT]);

/* exported_pods.c: the channel positions of a card's node with 1 to CPW_MAX_CHANNELS channels. */
const uint32_t *cpw_card_positions(uint32_t channels);

/* exported_pods.c: a Props object with the same volume on all channels, whose number is limited to 1
 * to CPW_MAX_CHANNELS. */
struct spa_pod_builder;
struct spa_pod *cpw_props_build(struct spa_pod_builder *builder, uint32_t id, float volume, uint32_t channels,
                                bool mute);

#endif
