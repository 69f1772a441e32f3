/* A PipeWire daemon inside the test's own process, with objects that a well-behaved daemon would never show.
 *
 * The daemon is real: its protocol, registry and permissions are PipeWire's. The objects are not: whatever bytes they
 * are given they send. Every function may be called on any thread but the daemon's own. What several calls do
 * between `cpt_server_lock` and `cpt_server_unlock` no client sees the middle of.
 *
 * Only strings and structs are shown here, no PipeWire type. All arguments are copied. */
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

/* Keeps the daemon from doing anything else. To be unlocked on the same thread; locks nest. */
void cpt_server_lock(cpt_server *server);
void cpt_server_unlock(cpt_server *server);

/* Makes a node by the daemon's own adapter factory: a real one. */
int cpt_server_create_node(cpt_server *server, const cpw_property *properties, size_t count);

/* Tells all watching clients of a global that does not exist, with entries exactly as given: keys and values may be
 * null or occur twice, which no dictionary of a real object can have. */
void cpt_server_announce(cpt_server *server, uint32_t id, cpw_object_type type, const cpw_property *properties,
                         size_t count);

/* ---- A program that does not answer */

typedef struct cpt_silent cpt_silent;

/* Connects to the daemon at this path, publishes a metadata object of this name, and answers nothing more. */
cpt_silent *_Nullable cpt_silent_start(const char *path, const char *name);
void cpt_silent_stop(cpt_silent *silent);

/* ---- Objects that only look like what they are */

typedef struct cpt_object cpt_object;

/* Bytes that are to be one pod; empty: no pod at all. */
typedef struct {
    const uint8_t *_Nullable bytes;
    size_t size;
} cpt_bytes;

/* `registry` is what the registry shows, `properties` what a client learns when it binds the object. */
cpt_object *_Nullable cpt_object_add(cpt_server *server, cpw_object_type type, const cpw_property *registry,
                                     size_t registry_count, const cpw_property *properties, size_t property_count);
uint32_t cpt_object_id(const cpt_object *object);

/* How many clients have bound it. */
size_t cpt_object_bound_count(cpt_object *object);

/* Ends the object. The handle is dead afterwards. */
void cpt_object_remove(cpt_object *object);

/* Gives a node or device other properties, and tells. */
void cpt_object_tell_properties(cpt_object *object, const cpw_property *properties, size_t count);

void cpt_node_tell_state(cpt_object *object, int32_t state);

/* What a client wrote last to a node's softVolumes and softMute; 0: nothing. */
size_t cpt_node_soft_volumes(cpt_object *object, float *volumes, size_t capacity, bool *is_muted);

/* What a device answers when it is asked for a parameter. Tells nobody. A pod whose size does not match the bytes is
 * sent with the size of the bytes, or the protocol would drop the whole message. */
void cpt_device_set(cpt_object *object, cpw_device_param param, const cpt_bytes *_Nullable pods, size_t count);

/* Says that parameters changed (bit i: cpw_device_param i), by flipping their serial flag as real devices do. */
void cpt_device_tell_changed(cpt_object *object, uint32_t params);

/* Says that a parameter cannot be read any more, or can again. */
void cpt_device_tell_readable(cpt_object *object, cpw_device_param param, bool readable);

/* While held, a device's answers, with what it had when it was asked, are on their way; and as long as they are, the
 * daemon reads nothing from whoever asked, which is what it does for a device that lives in another process. */
void cpt_device_hold(cpt_object *object, bool hold);

/* Sends the answers that are held, without their end: the daemon still reads nothing. */
void cpt_device_answer(cpt_object *object);

/* How often the device was asked for this parameter. */
size_t cpt_device_question_count(cpt_object *object, cpw_device_param param);

/* Sets a property of a metadata object and tells; whoever binds it later is told too. */
void cpt_metadata_tell(cpt_object *object, uint32_t subject, const char *_Nullable key, const char *_Nullable type,
                       const char *_Nullable value);

/* ---- The shim's own readers, without a daemon. Any thread. */

typedef enum {
    CPT_REFUSED,  /* the reader says that it is no such pod */
    CPT_ACCEPTED, /* it was read, and every part of the result can be used */
    CPT_INSANE,   /* it was read, and part of the result lies outside the pod or its bounds */
} cpt_verdict;

/* The bytes lie at the end of readable memory: a reader that goes further ends the process. */
cpt_verdict cpt_try_profile(const uint8_t *_Nullable bytes, size_t size);
cpt_verdict cpt_try_route(const uint8_t *_Nullable bytes, size_t size);
/* Tells of the route as the shim does when a device has answered. */
void cpt_tell_route(const cpw_connection_events *events, void *user, uint32_t device, cpw_device_param param,
                    const uint8_t *bytes, size_t size);
cpt_verdict cpt_try_mute(const uint8_t *_Nullable bytes, size_t size);
/* Accepted: it has at least one volume. */
cpt_verdict cpt_try_volumes(const uint8_t *_Nullable bytes, size_t size);
/* Whether the format that the library asks for with these numbers is taken for one of those. */
bool cpt_format_is(uint32_t rate, uint32_t channels, uint32_t wanted_rate, uint32_t wanted_channels);

/* The string at the first key `name` of an object, as PipeWire's own tokenizer reads it, written to `into`. */
bool cpt_json_name(const char *json, char *into, size_t capacity);

/* ---- The stream's gain. Where it stands is kept between the calls, as the real-time thread keeps it. */

typedef struct {
    float volume;
    float duck;
} cpt_gain;
void cpt_gain_apply(cpt_gain *gain, cpt_gain target, uint32_t rate, float *samples, uint32_t frames,
                    uint32_t channels);

/* ---- What a thread asks of the kernel: nanoseconds; 0 where that does not tell (before Linux 6.12). */
uint64_t cpt_turn_of_this_thread(void);

#pragma clang assume_nonnull end
#endif
