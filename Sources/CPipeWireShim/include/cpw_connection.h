/* Connection and registry. CPipeWireShim.h has the rules that hold for all. */
#ifndef CPW_PUBLIC_CONNECTION_H
#define CPW_PUBLIC_CONNECTION_H

#include "cpw_loop.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct cpw_connection cpw_connection;

/* Has the layout of `struct spa_dict_item` (asserted in properties.c), so that no list is
 * copied. */
typedef struct {
    const char *key;
    const char *_Nullable value;
} cpw_property;

typedef enum {
    CPW_OBJECT_OTHER,
    CPW_OBJECT_NODE,
    CPW_OBJECT_DEVICE,
    CPW_OBJECT_LINK,
    CPW_OBJECT_CLIENT,
    CPW_OBJECT_METADATA,
    CPW_OBJECT_SESSION,
} cpw_object_type;

typedef enum {
    CPW_PARAM_ENUM_PROFILE,
    CPW_PARAM_PROFILE,
    CPW_PARAM_ENUM_ROUTE,
    CPW_PARAM_ROUTE,
    CPW_PARAM_COUNT,
} cpw_device_param;

/* `available` is `enum spa_param_availability`: 0 unknown, 1 no, 2 yes. */
typedef struct {
    int32_t index;
    const char *name;
    const char *description;
    int32_t priority;
    uint32_t available;
} cpw_profile;

typedef struct {
    int32_t index;
    bool is_input;
    const char *name;
    const char *description;
    int32_t priority;
    uint32_t available;
    const char *_Nullable port_type;          /* info "port.type" */
    const char *_Nullable availability_group; /* info "port.availability-group" */
    const char *_Nullable product_name;       /* info "device.product.name" */
    const int32_t *_Nullable profiles;
    size_t profile_count;
    const int32_t *_Nullable devices;
    size_t device_count;
    int32_t device;                           /* active routes only; -1 otherwise */
    bool mute;                                /* active routes only; false if missing */
    const float *_Nullable volumes;           /* active routes only; linear, one for each channel */
    size_t volume_count;                      /* 0 if missing */
} cpw_route;

/* The events of a connection. None may destroy the connection; `failed` may arrange for that to
 * happen after it has returned. */
typedef struct {
    /* A global appeared. The properties are those that the registry shows, which are few. */
    void (*global)(void *user, uint32_t id, cpw_object_type type, const cpw_property *_Nullable properties,
                   size_t count);
    /* A global that was reported before was removed. */
    void (*global_removed)(void *user, uint32_t id);
    /* All properties of a bound node or device: after it was bound, and whenever they change. */
    void (*properties)(void *user, uint32_t id, cpw_object_type type, const cpw_property *_Nullable properties,
                       size_t count);
    /* The state of a bound node: -1 error, 0 creating, 1 suspended, 2 idle, 3 running. After it was
     * bound, and whenever the state changes. */
    void (*node_state)(void *user, uint32_t id, int32_t state);
    /* Whether the mixer of a node is muted: after cpw_connection_subscribe_props, and whenever its
     * Props change. */
    void (*node_mute)(void *user, uint32_t id, bool mute);
    /* The volumes of a node's mixer, linear, one for each channel, at the same times, if it has
     * any. All are finite and not negative. */
    void (*node_volumes)(void *user, uint32_t id, const float *volumes, size_t count);
    /* A complete list of one parameter of a bound device: `params_begin`, then `profile` or `route`
     * for each entry, then `params_end`. Sent whenever the device announces a change. If a list
     * becomes stale before its end, the next `params_begin` replaces it. */
    void (*params_begin)(void *user, uint32_t id, cpw_device_param param);
    void (*profile)(void *user, uint32_t id, cpw_device_param param, const cpw_profile *profile);
    void (*route)(void *user, uint32_t id, cpw_device_param param, const cpw_route *route);
    void (*params_end)(void *user, uint32_t id, cpw_device_param param);
    /* A property of a bound metadata object was set. A null `value` removes the property, a null
     * `key` removes all properties of the subject. */
    void (*metadata)(void *user, uint32_t id, uint32_t subject, const char *_Nullable key,
                     const char *_Nullable type, const char *_Nullable value);
    /* The daemon has handled all requests up to the `cpw_connection_sync` that returned `sequence`,
     * and all events that they caused have been delivered. */
    void (*done)(void *user, int32_t sequence);
    /* The connection has ended. No further event is sent. */
    void (*failed)(void *user, int32_t error, const char *message);
} cpw_connection_events;

typedef struct {
    const char *_Nullable remote;           /* name or path of the socket; null: by the environment */
    const char *_Nullable application_name; /* null: libpipewire's default */
} cpw_connection_options;

/* The user's folder for sockets of daemons, by the environment. Null if it names none. */
const char *_Nullable cpw_socket_folder(void);

/* Connects to the daemon. Copies `events`, and passes `user` to each of them. Fails with
 * -EHOSTDOWN if no daemon listens, and with -EBUSY if it accepts no connection. */
cpw_connection *_Nullable cpw_connection_create(cpw_loop *loop, const cpw_connection_options *options,
                                                const cpw_connection_events *events, void *user, int *error);

/* Makes another connection on the same loop, with the context of `other`. Destroy it before
 * `other`. */
cpw_connection *_Nullable cpw_connection_create_sibling(cpw_connection *other, const cpw_connection_options *options,
                                                        const cpw_connection_events *events, void *user, int *error);

/* Ends the connection. Must not be called within its callbacks, and its streams, taps and tones
 * must have been destroyed before. */
void cpw_connection_destroy(cpw_connection *connection);

/* Ends all events of the connection at once, and destroys it when the daemon has answered its
 * requests, after a second at most. Calls `ended(user)` then, also within this call. The other rules
 * are those of cpw_connection_destroy. */
void cpw_connection_end(cpw_connection *connection, void (*ended)(void *user), void *user);

/* A number that the daemon drew when it started, and the global id of this connection's client.
 * Both are known from the first `done` on and do not change; before, they are 0 and UINT32_MAX. */
uint32_t cpw_connection_cookie(const cpw_connection *connection);
uint32_t cpw_connection_client(const cpw_connection *connection);

/* Selects objects of one type: those whose registry properties have `key` with this value, or with
 * any value if `value` is null. If it `binds`, the object is bound as soon as it appears, and
 * `properties` reports it first instead of `global`, because it has more properties. */
typedef struct {
    cpw_object_type type;
    const char *key;
    const char *_Nullable value;
    bool binds;
} cpw_interest;

/* Starts reporting globals; without it a connection reports none and costs nothing. Objects of a
 * type with interests are reported only if they match one. `interests` and their strings must outlive the connection; adjacent interests should share the pointer of an equal key.
 * -EALREADY: the connection has a registry. */
int cpw_connection_watch_registry(cpw_connection *connection, const cpw_interest *_Nullable interests, size_t count);

/* Sends a sync. Returns the sequence number that `done` will report. */
int32_t cpw_connection_sync(cpw_connection *connection);

/* Whether a bound device announced a change of a parameter that it has not sent yet. */
bool cpw_connection_is_enumerating(const cpw_connection *connection);

/* Binds a reported node, device or metadata object, so that its events are sent. -ENOTCONN: the
 * connection has ended or watches no registry. -EINVAL: the type cannot be bound. */
int cpw_connection_bind(cpw_connection *connection, uint32_t id, cpw_object_type type);

/* Binds an object over a connection that watches no registry, and hides all other objects from it.
 * The object was reported by another connection. Errors as above, and -EALREADY. */
int cpw_connection_bind_only(cpw_connection *connection, uint32_t id, cpw_object_type type);

/* Starts `node_mute` and `node_volumes` for a bound node. -ENOENT: it is not bound, or was
 * removed. */
int cpw_connection_subscribe_props(cpw_connection *connection, uint32_t id);

/* Sets a property of a bound metadata object for subject 0; a null value removes it. Whether the
 * daemon permitted it shows in `metadata`, before the `done` of a later sync. -ENOENT as above. */
int cpw_connection_set_metadata(cpw_connection *connection, uint32_t id, const char *key,
                                const char *_Nullable type, const char *_Nullable value);

/* Requests another route of a bound device for its node `node` (card.profile.device), or another
 * profile, by index and without `save`. Whether the device obeys shows in `route` and `profile`.
 * -ENOENT as above. */
int cpw_connection_set_route(cpw_connection *connection, uint32_t id, int32_t index, int32_t node);
int cpw_connection_set_profile(cpw_connection *connection, uint32_t id, int32_t index);

#define CPW_MAX_VOLUMES 64u

/* Sets the volumes of a bound device's active route for its node `node`, with `save`, as a mixer
 * does; or the volumes of a bound node's own mixer. They are linear, one for each channel, at most
 * CPW_MAX_VOLUMES. The result shows in `route` and `node_volumes`. -ENOENT as above, -EINVAL: no
 * volumes, or too many. */
int cpw_connection_set_route_volumes(cpw_connection *connection, uint32_t id, int32_t index, int32_t node,
                                     const float *_Nullable volumes, size_t count);
int cpw_connection_set_node_volumes(cpw_connection *connection, uint32_t id, const float *_Nullable volumes,
                                    size_t count);

/* Sets softVolumes (as above) and softMute of a bound stream. They replace its own volumes until a
 * client writes those, and no session manager stores them. Errors as above. */
int cpw_connection_set_soft_volumes(cpw_connection *connection, uint32_t id, const float *_Nullable volumes,
                                    size_t count, bool mute);

/* Any thread. Selects properties by key: out[i] becomes the value of keys[i], or null. `keys` must
 * be sorted by strcmp. If the list has a key twice, the last one counts. */
void cpw_properties_pick(const cpw_property *_Nullable properties, size_t count,
                         const char *const _Nonnull *_Nonnull keys, size_t key_count,
                         const char *_Nullable *_Nonnull out);

#pragma clang assume_nonnull end
#endif
