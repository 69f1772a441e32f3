/* Nodes and devices of our own. CPipeWireShim.h has the rules that hold for all. */
#ifndef CPW_PUBLIC_EXPORT_H
#define CPW_PUBLIC_EXPORT_H

#include "cpw_connection.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* These objects live in the daemon as long as their handle, and no longer than the connection: when that fails they
 * are gone, without a call of `removed`, and their handles only wait to be destroyed, before or after the connection
 * itself is. A `_destroy` may be called from within `removed`, but from no other callback of the same object. */

typedef struct cpw_export cpw_export;

typedef struct {
    /* The daemon gave the device its global id. */
    void (*bound)(void *user, uint32_t id);
    /* Somebody, as a rule the session manager, chose a profile or a route. No number is checked. The owner answers with
     * cpw_export_update, which it may do from within. */
    void (*set_profile)(void *user, int32_t index, bool save);
    /* `volume` is linear, that of the first channel; -1 where the request holds none. `mute` is 0 or 1; -1 where the
     * request holds none. */
    void (*set_route)(void *user, int32_t index, int32_t device, bool save, float volume, int32_t mute);
    /* The daemon destroyed the device. */
    void (*removed)(void *user);
    /* The daemon did not make it, or refused something later. */
    void (*failed)(void *user, int32_t error, const char *message);
} cpw_export_events;

/* One profile, and the numbers of the nodes (card.profile.device) that it brings. */
typedef struct {
    cpw_profile profile;
    const int32_t *_Nullable sinks;
    size_t sink_count;
    const int32_t *_Nullable sources;
    size_t source_count;
} cpw_export_profile;

/* A route. All but `route` matters for active ones only. */
typedef struct {
    cpw_route route;
    int32_t profile;   /* index of the profile in which it is active */
    bool save;         /* whether somebody asked to remember it */
    float volume;      /* linear, for all channels */
    bool mute;
    uint32_t channels; /* 1 to 8 */
} cpw_export_route;

/* What an exported device shows as its parameters. No profiles and no routes: a device without parameters. */
typedef struct {
    const cpw_export_profile *_Nullable profiles;
    size_t profile_count;
    int32_t active_profile; /* position in `profiles` */
    bool save_profile;      /* whether somebody asked to remember it */
    const cpw_export_route *_Nullable routes; /* all that there are (EnumRoute) */
    size_t route_count;
    const cpw_export_route *_Nullable active_routes; /* those in use (Route): route.device says for which node */
    size_t active_route_count;
} cpw_export_params;

/* Exports a device. The registry shows object.path, device.api, device.name, device.nick, device.description,
 * media.class of `properties`. Without a property `device.name`, on which session managers fail: -EINVAL. */
cpw_export *_Nullable cpw_export_create(cpw_connection *connection, const cpw_property *properties, size_t count,
                                        const cpw_export_params *params, const cpw_export_events *events,
                                        void *user, int *error);

/* Shows other parameters, and tells every listener to look again at those that `changed` names (bit i for the
 * cpw_device_param i). The new parameters are complete, not a difference. On failure (-ENOMEM) the old ones stay. */
int cpw_export_update(cpw_export *device, const cpw_export_params *params, uint32_t changed);
void cpw_export_destroy(cpw_export *device);

/* A Session object that has properties and nothing else. The registry shows all of them. */
typedef struct cpw_session_object cpw_session_object;

typedef struct {
    /* The daemon did not make it, or refused something later. */
    void (*failed)(void *user, int32_t error, const char *message);
} cpw_session_object_events;

/* Whether this client can export a Session, and the daemon lists a factory for it: without one the daemon reports an error of
 * the whole connection. Known from the first `done` on of a connection that watches. */
bool cpw_connection_has_session_objects(const cpw_connection *connection);

/* -ENOTSUP: there are none, see above. */
cpw_session_object *_Nullable cpw_session_object_create(cpw_connection *connection, const cpw_property *properties, size_t count,
                                          const cpw_session_object_events *events, void *user, int *error);
void cpw_session_object_destroy(cpw_session_object *session);

typedef struct cpw_node cpw_node;

typedef struct {
    void (*bound)(void *user, uint32_t id);
    /* The daemon destroyed the node. */
    void (*removed)(void *user);
    /* The daemon did not make it, or refused something later. */
    void (*failed)(void *user, int32_t error, const char *message);
} cpw_node_events;

/* Makes a node in the daemon by one of its factories ("adapter"). */
cpw_node *_Nullable cpw_node_create(cpw_connection *connection, const char *factory, const cpw_property *properties,
                                    size_t count, const cpw_node_events *events, void *user, int *error);

/* Sets the volume (linear, all of `channels`, 1 to 8) and mute of the node's own mixer. */
int cpw_node_set_volume(cpw_node *node, float volume, uint32_t channels, bool mute);
void cpw_node_destroy(cpw_node *node);

#pragma clang assume_nonnull end
#endif
