/* The contract between PipeWire and Swift.
 *
 * Swift sees no PipeWire type and no PipeWire header: only what stands here. Up to PipeWire 1.2 most methods are
 * macros that Swift cannot call, from 1.4 on they are functions; these names are the same over both.
 *
 * Threads. A `cpw_loop` owns one thread. Unless a function says "any thread" it may be called on that thread only,
 * and every callback comes on it. The one exception is the real-time thread, on which no code outside stream.c,
 * capture.c and tap.c runs.
 *
 * Memory. Strings and structs that a callback is given are borrowed: they end when it returns. Whatever a function
 * is given it copies, unless it says otherwise. A handle belongs to whoever created it, and is freed by its
 * `_destroy` (or `_release`) exactly once.
 *
 * Errors. An `int` result is 0 or more on success and a negative errno on failure. */
#ifndef CPIPEWIRESHIM_H
#define CPIPEWIRESHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* ---- Loop: one thread, timers, wake-ups ---------------------------------------------------------------- */

typedef struct cpw_loop cpw_loop;
typedef struct cpw_timer cpw_timer;
typedef struct cpw_watch cpw_watch;
typedef struct cpw_poll cpw_poll;

/* Makes a loop and starts its thread. `drain(user)` is called on the thread after each wake; `finish(user)` as the
 * very last thing that the thread does, when nothing can call `drain` any more. Null with *error set on failure. */
cpw_loop *_Nullable cpw_loop_create(void (*drain)(void *user), void (*finish)(void *user), void *user, int *error);

/* Any thread. Makes the loop call `drain` soon; several calls may be answered by one. */
void cpw_loop_wake(cpw_loop *loop);

/* Any thread. Whether the caller runs on the loop's thread. */
bool cpw_loop_is_current(const cpw_loop *loop);

/* Any thread. Ends the thread after one last `drain`, waits for it (unless called on it), and frees the loop.
 * Every connection and timer of the loop must have been destroyed by then, the last drain included. */
void cpw_loop_release(cpw_loop *loop);

/* Makes a timer that is not armed. `fired(user)` is called on the loop's thread. Null if memory or files are short. */
cpw_timer *_Nullable cpw_timer_create(cpw_loop *loop, void (*fired)(void *user), void *user);

/* Lets the timer fire once, `nanoseconds` from now (0: as soon as possible), whatever it was armed to before. */
void cpw_timer_arm(cpw_timer *timer, uint64_t nanoseconds);
void cpw_timer_disarm(cpw_timer *timer);
void cpw_timer_destroy(cpw_timer *timer);

/* Calls `stirred(user)` on the loop's thread when something of that name is made in a folder. Null if there is no such
 * folder, or memory or files are short. */
cpw_watch *_Nullable cpw_watch_create(cpw_loop *loop, const char *folder, const char *name, void (*stirred)(void *user),
                                      void *user);
void cpw_watch_destroy(cpw_watch *watch);

/* Calls `ready(user)` on the loop's thread when there is something to read from an open file, or, while asked for, room
 * to write. The poll has a file of its own for that: were the caller's closed first, while a child that was just forked still
 * has it, the loop would be told of a source that is no more. Null if memory or files are short. */
cpw_poll *_Nullable cpw_poll_create(cpw_loop *loop, int file, void (*ready)(void *user), void *user);
void cpw_poll_set_writing(cpw_poll *poll, bool is_writing);
void cpw_poll_destroy(cpw_poll *poll);

/* Any thread. CLOCK_MONOTONIC in nanoseconds. */
uint64_t cpw_now(void);

/* The version of the libpipewire that runs, such as "0.3.65". Any thread; never freed. */
const char *cpw_library_version(void);

/* ---- Connection and registry ---------------------------------------------------------------------------- */

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
    void (*global_removed)(void *user, uint32_t id);
    /* All properties of a bound node or device, after binding and whenever they change. */
    void (*properties)(void *user, uint32_t id, cpw_object_type type, const cpw_property *_Nullable properties,
                       size_t count);
    /* The node's state (-1 error, 0 creating, 1 suspended, 2 idle, 3 running), after binding and at each change. */
    void (*node_state)(void *user, uint32_t id, int32_t state);
    /* Whether the node's own mixer is muted, after cpw_connection_watch_mute and at each change of its properties. */
    void (*node_mute)(void *user, uint32_t id, bool mute);
    /* Linear, one for each channel: at the same times, if the node's own mixer says so. All are finite and not below 0. */
    void (*node_volumes)(void *user, uint32_t id, const float *volumes, size_t count);
    /* A complete list of one parameter of a bound device: `profile` or `route` once for each entry, then `params_end`.
     * Asked for anew whenever the device says that the parameter changed. */
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
cpw_connection *_Nullable cpw_connection_create_beside(cpw_connection *other, const cpw_connection_options *options,
                                                       const cpw_connection_events *events, void *user, int *error);

/* Ends the connection. Streams and taps made over it must have been destroyed before. */
void cpw_connection_destroy(cpw_connection *connection);

/* A number that this run of the daemon has drawn, and the global id of this connection's client: both known, and for
 * good, from the first `done` on. 0 and UINT32_MAX before. */
uint32_t cpw_connection_cookie(const cpw_connection *connection);
uint32_t cpw_connection_client(const cpw_connection *connection);

/* Starts telling of globals. Without it a connection is silent (and costs nothing), as a mere player's may be. */
int cpw_connection_watch(cpw_connection *connection);

/* Returns the sequence number that `done` will bring. */
int32_t cpw_connection_sync(cpw_connection *connection);

/* Binds a node, device or metadata object that `global` told of, so that its properties and parameters come. */
int cpw_connection_bind(cpw_connection *connection, uint32_t id, cpw_object_type type);

/* The same over a connection that does not watch, of an object that another one told of. */
int cpw_connection_bind_alone(cpw_connection *connection, uint32_t id, cpw_object_type type);

/* Lets `node_mute` and `node_volumes` tell of a bound node. -ENOENT: it is not bound, or gone. */
int cpw_connection_watch_mute(cpw_connection *connection, uint32_t id);

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

/* ---- Guard: what is put back when the program ends ---------------------------------------------------------------- */

/* What shows that somebody lowers streams: a device of this device.api. */
#define CPW_DUCKING_API "audio-session-ducking"
/* And that its owner puts them back: its device.description. */
#define CPW_DUCKING_NO_MORE "1;ducks=1000"

/* A process that lets streams play at their own volumes again when this one ends, however it ends, unless somebody else
 * shows that it lowers streams. */
typedef struct cgd_guard cpw_guard;

/* `remote` as in cpw_connection_options; empty: as the environment says. Any thread. Null with *error set on failure. */
cpw_guard *_Nullable cpw_guard_create(const char *remote, int *error);
/* A line for the device.name of the program's own device, and one for each stream: its id, its object.serial, 1 if it is
 * muted, and its volumes as bit patterns in hexadecimal, separated by spaces. */
int cpw_guard_tell(cpw_guard *guard, const char *order, size_t length);
/* It does now what it was told last. */
void cpw_guard_destroy(cpw_guard *guard);

/* ---- Nodes and devices of our own ------------------------------------------------------------------------ */

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

/* ---- Ring: frames on their way to the real-time thread, or from it --------------------------------------------- */

/* A queue of frames (interleaved 32-bit floats) between one writing thread and one reading thread, without locks. The
 * real-time thread is the reader of what is played, and the writer of what is recorded.
 * Counts go up for ever: frame n is the n-th that was ever written. Shared by reference, so that the writer may
 * outlive the stream and the stream the writer. */
typedef struct cpw_ring cpw_ring;

#define CPW_MAX_CHANNELS 8u
#define CPW_RING_MAX_FRAMES (1u << 24)

/* Null if memory is short, or outside 1...CPW_MAX_CHANNELS and 1...CPW_RING_MAX_FRAMES. */
cpw_ring *_Nullable cpw_ring_create(uint32_t channels, uint32_t frames);
cpw_ring *cpw_ring_retain(cpw_ring *ring); /* any thread */
void cpw_ring_release(cpw_ring *ring);     /* any thread but the real-time one */

/* The writing thread: takes as many of `frames` as there is room for and returns their number. */
uint32_t cpw_ring_write(cpw_ring *ring, const float *samples, uint32_t frames);
uint32_t cpw_ring_writable(cpw_ring *ring);
/* The writing thread: drops what was written and not yet read (a seek). Its room is free at once, also if the stream is
 * paused, but for the moment in which the real-time thread is reading. A cycle that runs may still give it out. */
void cpw_ring_flush(cpw_ring *ring);
/* The writing thread: what was written is the end (true: running empty is no underrun) or not (false). */
void cpw_ring_set_ended(cpw_ring *ring, bool ended);
/* The reading thread, which is a stream's real-time one, or whoever else stands in for it: copies up to `frames` frames
 * out and returns their number. Ends after a bounded number of steps. */
uint32_t cpw_ring_take(cpw_ring *ring, float *samples, uint32_t frames);
/* Any thread: frames written, and read or dropped, since the beginning. */
uint64_t cpw_ring_written(const cpw_ring *ring);
uint64_t cpw_ring_read(const cpw_ring *ring);
/* Any thread: times that the reader ran dry before the end. A gap counts once, however long; waiting for the first
 * frames, or for the first after a flush, is none. */
uint64_t cpw_ring_underruns(const cpw_ring *ring);

/* ---- Stream: sound of our own --------------------------------------------------------------------------------- */

typedef struct cpw_stream cpw_stream;

#define CPW_MAX_RATE 768000u
#define CPW_MAX_VOLUME 8.0f

typedef enum {
    CPW_STREAM_ERROR = -1,
    CPW_STREAM_UNCONNECTED = 0,
    CPW_STREAM_CONNECTING = 1,
    CPW_STREAM_PAUSED = 2,
    CPW_STREAM_STREAMING = 3,
} cpw_stream_state;

typedef struct {
    /* `node` is the global id of the stream's node from `paused` on, UINT32_MAX before. `error` together with another
     * state than CPW_STREAM_ERROR is a complaint of the server (there is nothing to play to) that the stream
     * survives. Never called from within a function below; must not destroy the stream. */
    void (*state)(void *user, cpw_stream_state state, uint32_t node, const char *_Nullable error);
} cpw_stream_events;

typedef struct {
    uint32_t rate;              /* 1 to CPW_MAX_RATE */
    uint32_t channels;          /* 1 to CPW_MAX_CHANNELS, as in the ring; the speakers are those of WAV's order */
    bool start_active;
    const cpw_property *_Nullable properties; /* media.role, media.name, node.name, target.object … */
    size_t property_count;
} cpw_stream_options;

/* What the real-time thread last did; each figure for itself is exact, together they may be of two cycles. Times are
 * CLOCK_MONOTONIC ns, 0: never. Those of cycles are what the graph's clock says. */
typedef struct {
    uint64_t cycles;          /* times that the process callback ran */
    uint64_t frames;          /* frames handed to PipeWire, silence included */
    uint64_t cycle_time;      /* start of the last cycle */
    uint64_t last_sound_time; /* start of the last cycle that handed out a frame of the ring */
    uint64_t gate_event_time; /* when the callback began that brought the news that closed the gate */
    uint64_t gate_time;       /* when the gate closed */
    uint32_t quantum;         /* frames of the graph's cycle, by its own clock */
    uint32_t rate;            /* the graph's frames per second */
    int64_t delay_ns;         /* from the process callback to the device, as PipeWire reports it */
} cpw_stream_report;

/* A playback stream that reads `ring` (which it retains). It follows the default output unless target.object says
 * otherwise. -EINVAL: rate or channels out of bounds. -ENOTCONN: the connection is dead. */
cpw_stream *_Nullable cpw_stream_create(cpw_connection *connection, const cpw_stream_options *options, cpw_ring *ring,
                                        const cpw_stream_events *events, void *user, int *error);
void cpw_stream_destroy(cpw_stream *stream);

/* Lets the graph run the stream, or stop running it: an inactive stream costs no processor time. Takes a round trip to
 * the server to become true; the callback then runs no more, and nothing that was not heard is lost from the ring. */
int cpw_stream_set_active(cpw_stream *stream, bool active);

/* Changes properties that others see, such as media.name. */
int cpw_stream_set_properties(cpw_stream *stream, const cpw_property *properties, size_t count);

#define CPW_MAX_GUARDED 8

/* Closes the gate: from the next cycle on the stream gives silence, at once and without a ramp, and reads nothing
 * from its ring; or opens it, whereupon the sound rises within one cycle. The moment of closing is in the report,
 * beside the moment when the callback that is being served began. What the cycle before had taken from the ring is
 * with the device, or lost with it: at most one quantum. */
void cpw_stream_gate(cpw_stream *stream, bool closed);

/* From now on, until it is called again, the gate closes by itself when one of these nodes goes: in the callback that brings
 * the news, before it is told. At most CPW_MAX_GUARDED; more are not guarded. */
void cpw_stream_guard(cpw_stream *stream, const uint32_t *_Nullable nodes, size_t count);

/* Any thread that can rely on the stream's life. The user's own volume, linear, 0 to CPW_MAX_VOLUME (anything else is
 * ignored); the stream glides to it within one cycle. */
void cpw_stream_set_volume(cpw_stream *stream, float volume);

/* Any thread that can rely on the stream's life. Ducking, linear, 0 to 1 (anything else is ignored), times the user's
 * volume; 0 is silence. The stream moves there evenly, by less than 3 dB in 10 ms, and turns round on the way if told
 * so. One that starts, or is silent, is there at once. */
void cpw_stream_set_duck(cpw_stream *stream, float gain);

void cpw_stream_report_now(const cpw_stream *stream, cpw_stream_report *report);

/* ---- Capture: sound of others, recorded ----------------------------------------------------------------------- */

typedef struct cpw_capture cpw_capture;

/* What is beyond this is no sample, and left out of the levels. */
#define CPW_MAX_SAMPLE 1024.0f

/* One channel over the last whole twentieth of a second, full scale being 1; 0 while the gate is closed. */
typedef struct {
    float peak;
    float mean_square;
} cpw_level;

/* What the real-time thread last did; each figure for itself is exact, together they may be of two cycles. Times are
 * CLOCK_MONOTONIC ns, 0: never. */
typedef struct {
    uint64_t cycles;          /* times that the process callback ran with something in its hands */
    uint64_t frames;          /* frames that came while the gate was open, those without room included */
    uint64_t dropped;         /* frames that found no room in the ring */
    uint64_t overruns;        /* times that this happened; one of several cycles counts once */
    uint64_t cycle_time;      /* start of the last cycle */
    uint64_t gate_event_time; /* when the callback began that brought the news that closed the gate */
    uint64_t gate_time;       /* when the gate closed */
    uint32_t quantum;         /* frames of the graph's cycle, by its own clock */
    uint32_t rate;            /* the graph's frames per second */
    int64_t delay_ns;         /* from the device to the process callback, as PipeWire reports it */
    cpw_level levels[CPW_MAX_CHANNELS];
} cpw_capture_report;

/* A stream that records into `ring` (which it retains, and whose writer it is) from the default input, unless
 * target.object says otherwise. What comes in another format than the options' is thrown away. Its options, events and errors are those of a playback stream. */
cpw_capture *_Nullable cpw_capture_create(cpw_connection *connection, const cpw_stream_options *options,
                                          cpw_ring *ring, const cpw_stream_events *events, void *user, int *error);
void cpw_capture_destroy(cpw_capture *capture);

/* Closed: from the next cycle on what comes is thrown away; a cycle that runs may still end. */
void cpw_capture_gate(cpw_capture *capture, bool closed);

/* Any thread that can rely on the stream's life. Muted: zeros are recorded instead of what comes. */
void cpw_capture_mute(cpw_capture *capture, bool muted);

/* From now on, until it is called again, the gate closes by itself when one of these nodes goes, in the callback that
 * brings the news, before it is told. At most CPW_MAX_GUARDED; more are not guarded. */
void cpw_capture_guard(cpw_capture *capture, const uint32_t *_Nullable nodes, size_t count);

/* Changes properties that others see. */
int cpw_capture_set_properties(cpw_capture *capture, const cpw_property *properties, size_t count);

void cpw_capture_report_now(const cpw_capture *capture, cpw_capture_report *report);

/* ---- Tap: listening to a sink, for tests and demonstrations ----------------------------------------------------- */

/* Hears what is played to one sink, before the sink's own volume. It is no stream but a filter with links that it
 * makes itself, between the sink's monitor ports and its own: no session manager moves it, counts it as a recording,
 * or has to run. While no sink of that name exists it is deaf; another one it never hears. */
typedef struct cpw_tap cpw_tap;

/* All since the last reset. A frame is loud if a sample of it is above the threshold. Times are CLOCK_MONOTONIC ns,
 * 0: never; a frame's is when it is played: the start of the cycle in which the sink was given it, by the graph's clock,
 * plus its place in that cycle, so exact to the sample. The cycle is the one in which it is counted, or the one before
 * where the sink itself drives the graph; so the time may be up to a cycle ahead. Only where the graph's driver has no
 * clock does the cycle start when the process callback runs. */
typedef struct {
    uint64_t cycles;          /* in which at least one channel of the sink was heard */
    uint64_t frames;          /* heard, loud or not */
    uint64_t loud_frames;
    uint64_t first_loud_time;
    uint64_t last_loud_time;
    float peak; /* the highest amplitude of a sample; full scale is 1 */
} cpw_tap_report;

typedef struct {
    /* The tap is linked to the sink with this global id, or to nothing (UINT32_MAX): the sink is gone. Sound is heard
     * from the next cycle on that counts as one in the report. */
    void (*attached)(void *user, uint32_t sink);
    /* The tap hears nothing, or not all channels. It may not be destroyed from within. */
    void (*failed)(void *user, int32_t error, const char *message);
} cpw_tap_events;

/* Listens to the sink with this node.name, up to 8 of its channels, as soon and as often as there is one. */
cpw_tap *_Nullable cpw_tap_create(cpw_connection *connection, const char *sink, float threshold,
                                  const cpw_tap_events *events, void *user, int *error);
/* Any thread; from one moment, never from half of a cycle. */
void cpw_tap_report_now(const cpw_tap *tap, cpw_tap_report *report);
/* Any thread. Begins counting anew: of frames that were heard before the call nothing is reported any more. */
void cpw_tap_reset(cpw_tap *tap);
void cpw_tap_destroy(cpw_tap *tap);

#pragma clang assume_nonnull end
#endif
