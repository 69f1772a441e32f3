/* Connection and registry. CPipeWireShim.h has the rules that hold for all. */
#ifndef CPW_PUBLIC_CONNECTION_H
#define CPW_PUBLIC_CONNECTION_H

#include "cpw_loop.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct cpw_connection cpw_connection;

/* Layout of PipeWire's own dictionary entry (asserted in registry.c), so that no list is copied. */
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

/* Availability as PipeWire counts it: 0 unknown, 1 no, 2 yes. */
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
    bool mute;                                /* active routes only; false where it is not said */
    const float *_Nullable volumes;           /* active routes only; linear, one for each channel */
    size_t volume_count;                      /* 0 where it is not said */
} cpw_route;

/* All of them are called on the loop's thread. None may destroy the connection from within; `failed` is the place
 * to arrange for that to happen next. */
typedef struct {
    /* A global exists. The properties are those that the registry shows: few. */
    void (*global)(void *user, uint32_t id, cpw_object_type type, const cpw_property *_Nullable properties,
                   size_t count);
    /* Of those that were told of. */
    void (*global_removed)(void *user, uint32_t id);
    /* All properties of a bound node or device, after binding and whenever they change. */
    void (*properties)(void *user, uint32_t id, cpw_object_type type, const cpw_property *_Nullable properties,
                       size_t count);
    /* The node's state (-1 error, 0 creating, 1 suspended, 2 idle, 3 running), after binding and at each change. */
    void (*node_state)(void *user, uint32_t id, int32_t state);
    /* Whether the node's own mixer is muted, after cpw_connection_subscribe_props and whenever anything about its sound changes. */
    void (*node_mute)(void *user, uint32_t id, bool mute);
    /* Linear, one for each channel: at the same times, if the node's own mixer says so. All are finite and not below 0. */
    void (*node_volumes)(void *user, uint32_t id, const float *volumes, size_t count);
    /* A complete list of one parameter of a bound device: `profile` or `route` once for each entry, then `params_end`.
     * Asked for anew whenever the device says that the parameter changed. A list that is given up before its end, for there is a
     * newer one, has no end: the next `params_begin` takes its place. */
    void (*params_begin)(void *user, uint32_t id, cpw_device_param param);
    void (*profile)(void *user, uint32_t id, cpw_device_param param, const cpw_profile *profile);
    void (*route)(void *user, uint32_t id, cpw_device_param param, const cpw_route *route);
    void (*params_end)(void *user, uint32_t id, cpw_device_param param);
    /* A property of a bound metadata object; key null: all of the subject are gone; value null: this one is gone. */
    void (*metadata)(void *user, uint32_t id, uint32_t subject, const char *_Nullable key,
                     const char *_Nullable type, const char *_Nullable value);
    /* The daemon has worked off everything up to the `cpw_connection_sync` that returned `sequence`, and everything
     * that it caused has been delivered. */
    void (*done)(void *user, int32_t sequence);
    /* The connection is dead; nothing more will come. */
    void (*failed)(void *user, int32_t error, const char *message);
} cpw_connection_events;

typedef struct {
    const char *_Nullable remote;           /* name or absolute path of the socket; null: as the environment says */
    const char *_Nullable application_name; /* null: as PipeWire finds out itself */
} cpw_connection_options;

/* Connects. -EHOSTDOWN: no daemon listens there. `events` is copied, `user` is passed to each call. */
cpw_connection *_Nullable cpw_connection_create(cpw_loop *loop, const cpw_connection_options *options,
                                                const cpw_connection_events *events, void *user, int *error);

/* Another connection of the same program, on the same loop. To be destroyed before `other`. */
cpw_connection *_Nullable cpw_connection_create_sibling(cpw_connection *other, const cpw_connection_options *options,
                                                       const cpw_connection_events *events, void *user, int *error);

/* Ends the connection. Streams and taps made over it must have been destroyed before. */
void cpw_connection_destroy(cpw_connection *connection);

/* A number that this run of the daemon has drawn, and the global id of this connection's client: both known, and for
 * good, from the first `done` on. 0 and UINT32_MAX before. */
uint32_t cpw_connection_cookie(const cpw_connection *connection);
uint32_t cpw_connection_client(const cpw_connection *connection);

/* What an object has to say of itself in the registry to be told of; value null: anything, under this key. If it `binds`, the object is bound when it comes, and
 * `properties` tells of it first instead of `global`: by then all is known that `global` would say, and more. */
typedef struct {
    cpw_object_type type;
    const char *key;
    const char *_Nullable value;
    bool binds;
} cpw_interest;

/* Starts telling of globals. Without it a connection is silent (and costs nothing), as a mere player's may be. Of a type that
 * has interests only those objects are told that meet one; of all other types that have a name here all. `interests` and their strings have to
 * live as long as the connection; the same key is looked for once where interests with the same pointer follow on each
 * other. */
int cpw_connection_watch_registry(cpw_connection *connection, const cpw_interest *_Nullable interests, size_t count);

/* Returns the sequence number that `done` will bring. */
int32_t cpw_connection_sync(cpw_connection *connection);

/* Whether a device has said that it has news, and not yet which. */
bool cpw_connection_is_enumerating(const cpw_connection *connection);

/* Binds a node, device or metadata object that `global` told of, so that its properties and parameters come. */
int cpw_connection_bind(cpw_connection *connection, uint32_t id, cpw_object_type type);

/* The same over a connection that does not watch, of an object that another one told of. */
int cpw_connection_bind_only(cpw_connection *connection, uint32_t id, cpw_object_type type);

/* Lets `node_mute` and `node_volumes` tell of a bound node. -ENOENT: it is not bound, or gone. */
int cpw_connection_subscribe_props(cpw_connection *connection, uint32_t id);

/* Sets a property of a bound metadata object, for no object in particular (subject 0); value null: removes it. Whether
 * the daemon allowed it only shows in `metadata`, before the `done` of a sync that is sent afterwards. -ENOENT as above. */
int cpw_connection_set_metadata(cpw_connection *connection, uint32_t id, const char *key,
                                const char *_Nullable type, const char *_Nullable value);

/* Asks a bound device for another of its routes, for its node `node` (card.profile.device), or for another profile, by
 * index, without having it remembered. Whether the device obeys shows in `route` and `profile`. -ENOENT as above. */
int cpw_connection_set_route(cpw_connection *connection, uint32_t id, int32_t index, int32_t node);
int cpw_connection_set_profile(cpw_connection *connection, uint32_t id, int32_t index);

#define CPW_MAX_VOLUMES 64u

/* Sets the volumes (linear, one for each channel, at most CPW_MAX_VOLUMES) of a route that a bound device has in use for
 * its node `node`, and has them remembered, as a mixer does; or those of a bound node's own mixer. Whether that happens
 * shows in `route` and `node_volumes`. -ENOENT as above. */
int cpw_connection_set_route_volumes(cpw_connection *connection, uint32_t id, int32_t index, int32_t node,
                                     const float *_Nullable volumes, size_t count);
int cpw_connection_set_node_volumes(cpw_connection *connection, uint32_t id, const float *_Nullable volumes,
                                    size_t count);

/* Lets a bound stream play at these volumes (as above) and mute instead of its own, until somebody sets its own. They are
 * softVolumes and softMute, which no session manager remembers. -ENOENT as above. */
int cpw_connection_set_soft_volumes(cpw_connection *connection, uint32_t id, const float *_Nullable volumes,
                                    size_t count, bool mute);

/* Picks wanted keys out of a property list in one pass: out[i] becomes the value of keys[i] or null.
 * `keys` must be sorted by strcmp. Any thread. */
void cpw_properties_pick(const cpw_property *_Nullable properties, size_t count,
                         const char *const _Nonnull *_Nonnull keys, size_t key_count,
                         const char *_Nullable *_Nonnull out);

#pragma clang assume_nonnull end
#endif
