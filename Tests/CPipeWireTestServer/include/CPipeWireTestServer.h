/* A PipeWire daemon inside the test's own process, with objects that a well-behaved daemon would
 * never show.
 *
 * The daemon is real: its protocol, registry and permissions are PipeWire's. The objects are
 * not: they send the bytes that they are given. Every function may be called on any thread but
 * the daemon's own. Calls between `cpt_server_lock` and `cpt_server_unlock` are atomic for
 * clients.
 *
 * The header shows only strings and structs, no PipeWire type. All arguments are copied. */
#ifndef CPIPEWIRETESTSERVER_H
#define CPIPEWIRETESTSERVER_H

#include "CPipeWireShim.h"

#pragma clang assume_nonnull begin

/* ---- The daemon */

typedef struct cpt_server cpt_server;

/* Starts a daemon that listens at this absolute path. Null with *error set on failure. */
cpt_server *_Nullable cpt_server_start(const char *path, int *error);

/* Ends the daemon as a crash would: its clients find their connection closed. Frees every object. */
void cpt_server_stop(cpt_server *server);

/* Stops the daemon's loop. The same thread must unlock it; locks nest. */
void cpt_server_lock(cpt_server *server);
void cpt_server_unlock(cpt_server *server);

/* Ends the connection of the client with this global id, as another client can. */
void cpt_server_end_client(cpt_server *server, uint32_t id);

/* Creates a real node with the daemon's own adapter factory. */
int cpt_server_create_node(cpt_server *server, const cpw_property *properties, size_t count);

/* Announces a global that does not exist to all watching clients, with these exact entries: keys
 * and values may be null or occur twice, which no dictionary of a real object allows. */
void cpt_server_announce(cpt_server *server, uint32_t id, cpw_object_type type, const cpw_property *properties,
                         size_t count);

/* ---- A program that does not answer */

typedef struct cpt_silent cpt_silent;

/* Connects to the daemon at this path, publishes a metadata object of this name, and answers
 * nothing more. */
cpt_silent *_Nullable cpt_silent_start(const char *path, const char *name);
void cpt_silent_stop(cpt_silent *silent);

/* ---- Objects that only imitate their type */

typedef struct cpt_object cpt_object;

/* The bytes of one pod; empty means no pod. */
typedef struct {
    const uint8_t *_Nullable bytes;
    size_t size;
} cpt_bytes;

/* `registry` is for the registry, `properties` for a client that binds the object. */
cpt_object *_Nullable cpt_object_add(cpt_server *server, cpw_object_type type, const cpw_property *registry,
                                     size_t registry_count, const cpw_property *properties, size_t property_count);
uint32_t cpt_object_id(const cpt_object *object);

/* The number of clients that have bound it. */
size_t cpt_object_bound_count(cpt_object *object);

/* Removes the object. The handle is invalid afterwards. */
void cpt_object_remove(cpt_object *object);

/* Sets the properties of a node or device, and notifies clients. */
void cpt_object_emit_properties(cpt_object *object, const cpw_property *properties, size_t count);

void cpt_node_emit_state(cpt_object *object, int32_t state);

/* The last values that a client wrote to a node's softVolumes and softMute; 0 without any. */
size_t cpt_node_soft_volumes(cpt_object *object, float *volumes, size_t capacity, bool *is_muted);

/* Sets a device's answer to queries of a parameter, without a notification. A pod whose size
 * does not match the bytes is sent with the size of the bytes, or the protocol would drop the
 * whole message. */
void cpt_device_set(cpt_object *object, cpw_device_param param, const cpt_bytes *_Nullable pods, size_t count);

/* Reports changed parameters (bit i: cpw_device_param i), by flipping their serial flag. */
void cpt_device_emit_changed(cpt_object *object, uint32_t params);

/* Reports that a parameter is no longer readable, or is again. */
void cpt_device_emit_readable(cpt_object *object, cpw_device_param param, bool readable);

/* While held, a device's answers are delayed, with the values at the time of the query. Until
 * they are sent the daemon reads nothing from the client that asked, as it does for a device of
 * another process. */
void cpt_device_hold(cpt_object *object, bool hold);

/* Sends the answers that are held, without their end: the daemon still reads nothing. */
void cpt_device_answer(cpt_object *object);

/* The number of queries of this parameter. */
size_t cpt_device_question_count(cpt_object *object, cpw_device_param param);

/* Sets a property of a metadata object, and notifies current and later clients. */
void cpt_metadata_emit(cpt_object *object, uint32_t subject, const char *_Nullable key, const char *_Nullable type,
                       const char *_Nullable value);

/* ---- The shim's own readers, without a daemon. Any thread. */

typedef enum {
    CPT_REFUSED,  /* the reader refuses the pod */
    CPT_ACCEPTED, /* it was read, and every part of the result is valid */
    CPT_INSANE,   /* it was read, and part of the result lies outside the pod or its bounds */
} cpt_outcome;

/* The bytes lie at the end of readable memory: a reader that goes further ends the process. */
cpt_outcome cpt_try_profile(const uint8_t *_Nullable bytes, size_t size);
cpt_outcome cpt_try_route(const uint8_t *_Nullable bytes, size_t size);
/* Reports the route as the shim does when a device has answered. */
void cpt_emit_route(const cpw_connection_events *events, void *user, uint32_t device, cpw_device_param param,
                    const uint8_t *bytes, size_t size);
cpt_outcome cpt_try_mute(const uint8_t *_Nullable bytes, size_t size);
/* A pod is accepted if it has at least one volume. */
cpt_outcome cpt_try_volumes(const uint8_t *_Nullable bytes, size_t size);
/* Whether the format that the library requests with these numbers is accepted as one of them. */
bool cpt_format_is(uint32_t rate, uint32_t channels, uint32_t wanted_rate, uint32_t wanted_channels);

/* The string at the first key `name` of an object, as PipeWire's own tokenizer reads it, written to
 * `into`. */
bool cpt_json_name(const char *json, char *into, size_t capacity);

/* ---- The stream's gain. Its state is kept between calls, as on the real-time thread. */

typedef struct {
    float volume;
    float duck;
} cpt_gain;
void cpt_gain_apply(cpt_gain *gain, cpt_gain target, uint32_t rate, float *samples, uint32_t frames,
                    uint32_t channels);

/* ---- A thread's time slice in nanoseconds; 0 where the kernel reports none (before 6.12). */
uint64_t cpt_turn_of_this_thread(void);

#pragma clang assume_nonnull end
#endif
