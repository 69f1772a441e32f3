/* Nodes, devices and sessions of this process. CPipeWireShim.h has the rules that hold for all. */
#ifndef CPW_PUBLIC_EXPORT_H
#define CPW_PUBLIC_EXPORT_H

#include "cpw_connection.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* The daemon keeps these objects as long as their handle lives, and no longer than the connection.
 * If the connection fails they are removed without a call of `removed`; their handles are destroyed
 * as usual, before or after the connection. `removed` may call the `_destroy` of its own handle;
 * other callbacks of the same handle may not. */

typedef struct cpw_export cpw_export;

typedef struct {
    /* The daemon registered the device with this global id. */
    void (*bound)(void *user, uint32_t id);
    /* A client, usually the session manager, requested a profile or a route. No number is checked.
     * The owner answers with cpw_export_update, which it may call from within. */
    void (*set_profile)(void *user, int32_t index, bool save);
    /* `volume` is linear, that of the first channel, or -1 if the request has none. `mute` is 0 or
     * 1, or -1 if the request has none. */
    void (*set_route)(void *user, int32_t index, int32_t device, bool save, float volume, int32_t mute);
    /* The daemon removed the device. */
    void (*removed)(void *user);
    /* The daemon did not register the device, or refused a later request. */
    void (*failed)(void *user, int32_t error, const char *message);
} cpw_export_events;

/* One profile, and the numbers of the nodes (card.profile.device) that belong to it. */
typedef struct {
    cpw_profile profile;
    const int32_t *_Nullable sinks;
    size_t sink_count;
    const int32_t *_Nullable sources;
    size_t source_count;
} cpw_export_profile;

/* A route. All fields but `route` count for active routes only. */
typedef struct {
    cpw_route route;
    int32_t profile;   /* index of the profile in which it is active */
    bool save;         /* whether the request for it had `save` */
    float volume;      /* linear, for all channels */
    bool mute;
    uint32_t channels; /* 1 to 8 */
} cpw_export_route;

/* The parameters of an exported device. Without profiles and routes it has no parameters. */
typedef struct {
    const cpw_export_profile *_Nullable profiles;
    size_t profile_count;
    int32_t active_profile; /* position in `profiles` */
    bool save_profile;      /* whether the request for it had `save` */
    const cpw_export_route *_Nullable routes; /* all routes (EnumRoute) */
    size_t route_count;
    const cpw_export_route *_Nullable active_routes; /* in use (Route), for node route.device */
    size_t active_route_count;
} cpw_export_params;

/* Exports a device. Of `properties` the registry shows object.path, device.api, device.name,
 * device.nick, device.description and media.class. -EINVAL: there is no device.name, which session
 * managers need. */
cpw_export *_Nullable cpw_export_create(cpw_connection *connection, const cpw_property *_Nullable properties,
                                        size_t count, const cpw_export_params *params,
                                        const cpw_export_events *events, void *user, int *error);

/* Replaces all parameters, and announces to clients those that `changed` has (bit i for the
 * cpw_device_param i). -ENOMEM: the old parameters stay. */
int cpw_export_update(cpw_export *device, const cpw_export_params *params, uint32_t changed);
void cpw_export_destroy(cpw_export *device);

/* A Session object that has only properties. The registry shows all of them. */
typedef struct cpw_session_object cpw_session_object;

typedef struct {
    /* The daemon did not register the object, or refused a later request. */
    void (*failed)(void *user, int32_t error, const char *message);
} cpw_session_object_events;

/* Whether this client can export a Session, and the daemon lists a factory for it. Without a
 * factory the daemon would report an error of the whole connection. Known from the first `done` on
 * of a connection that watches the registry. */
bool cpw_connection_has_session_objects(const cpw_connection *connection);

/* Exports a Session object. -ENOTSUP: cpw_connection_has_session_objects is false. */
cpw_session_object *_Nullable cpw_session_object_create(cpw_connection *connection,
                                                        const cpw_property *_Nullable properties, size_t count,
                                                        const cpw_session_object_events *events, void *user,
                                                        int *error);
void cpw_session_object_destroy(cpw_session_object *session);

typedef struct cpw_node cpw_node;

/* The events of an object of the daemon that this process has made, such as a node. */
typedef struct {
    /* The daemon registered the object with this global id. */
    void (*bound)(void *user, uint32_t id);
    /* The daemon removed the object. */
    void (*removed)(void *user);
    /* The daemon did not create the object, or refused a later request. */
    void (*failed)(void *user, int32_t error, const char *message);
} cpw_own_object_events;

/* Creates a node in the daemon by one of its factories ("adapter"). */
cpw_node *_Nullable cpw_node_create(cpw_connection *connection, const char *factory,
                                    const cpw_property *_Nullable properties, size_t count,
                                    const cpw_own_object_events *events, void *user, int *error);

/* Sets the volume (linear, of all 1 to 8 `channels`) and mute of the node's own mixer. -ENOTCONN:
 * the node was removed. */
int cpw_node_set_volume(cpw_node *node, float volume, uint32_t channels, bool mute);
void cpw_node_destroy(cpw_node *node);

#pragma clang assume_nonnull end
#endif
