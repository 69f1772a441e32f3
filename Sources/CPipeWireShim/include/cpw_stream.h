/* Streams that play sound of this process, and that record. CPipeWireShim.h has the rules that hold
 * for all. */
#ifndef CPW_PUBLIC_STREAM_H
#define CPW_PUBLIC_STREAM_H

#include "cpw_callback.h"
#include "cpw_canceller.h"
#include "cpw_connection.h"
#include "cpw_ring.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct cpw_stream cpw_stream;

#define CPW_MAX_RATE 768000u

/* `enum pw_stream_state`. */
typedef enum {
    CPW_STREAM_ERROR = -1,
    CPW_STREAM_UNCONNECTED = 0,
    CPW_STREAM_CONNECTING = 1,
    CPW_STREAM_PAUSED = 2,
    CPW_STREAM_STREAMING = 3,
} cpw_stream_state;

typedef struct {
    /* `node` is the global id of the stream's node from `paused` on, UINT32_MAX before. An `error`
     * with another state than CPW_STREAM_ERROR is a message of the server (no target exists, for
     * example) that the stream survives. Never called from within a function below. */
    void (*state)(void *user, cpw_stream_state state, uint32_t node, const char *_Nullable error);
} cpw_stream_events;

typedef struct {
    uint32_t rate;              /* 1 to CPW_MAX_RATE */
    uint32_t channels;          /* 1 to CPW_MAX_CHANNELS, as in ring or callback; in the order of WAV */
    bool start_active;
    const cpw_property *_Nullable properties; /* media.name, node.name, target.object … */
    size_t property_count;
    /* Takes the place of the ring, which then is null. The stream retains it. */
    cpw_callback *_Nullable callback;
    /* For a stream that records, and for its reference. The stream retains it. */
    cpw_canceller *_Nullable canceller;
} cpw_stream_options;

/* The last cycle of the real-time thread. Each number is exact; two numbers may be of different
 * cycles. Times are CLOCK_MONOTONIC ns, 0: never. */
typedef struct {
    uint64_t cycles;          /* calls of the process callback that had a buffer */
    uint64_t frames;          /* given to PipeWire, silence included; or received with an open gate,
                               * dropped ones included */
    uint64_t gate_event_time; /* when the callback began whose event closed the gate; 0: no event of
                               * PipeWire's did, but the program, a timer or a bus */
    uint64_t gate_time;       /* when the gate closed */
    uint32_t quantum;         /* frames of the graph's cycle, by its own clock */
    uint32_t rate;            /* the graph's frames per second */
    int64_t delay_ns;         /* between the process callback and the device, by PipeWire */
} cpw_stream_report;

/* ---- Both kinds */

/* Must not be called within a callback of the same stream. When it returns, the ring is not used and no
 * callback, that of the options included, is called any more, although the daemon may remove the
 * node later. */
void cpw_stream_destroy(cpw_stream *stream);

/* Changes properties that other clients see, such as media.name. */
int cpw_stream_set_properties(cpw_stream *stream, const cpw_property *properties, size_t count);

/* Closes or opens the gate. From the next cycle on, a stream with a closed gate plays silence,
 * without a ramp, and neither reads its ring nor calls its callback; or it discards what it receives. Opening ramps
 * up within one cycle. The report has the time of closing, and the time when the current callback
 * of PipeWire began, if there is one. At most one quantum that was read before the closing is still
 * played; a cycle under way may still record. */
void cpw_stream_set_gate(cpw_stream *stream, bool closed);

#define CPW_MAX_GATE_TRIGGERS 8

/* Replaces the gate triggers: the removal of one of these nodes closes the gate, in the callback
 * that reports the removal and before `global_removed`. Further ones than CPW_MAX_GATE_TRIGGERS are
 * ignored. */
void cpw_stream_set_gate_triggers(cpw_stream *stream, const uint32_t *_Nullable nodes, size_t count);

/* Any thread, while the stream exists. */
void cpw_stream_get_report(const cpw_stream *stream, cpw_stream_report *report);

/* ---- Playback */

#define CPW_MAX_VOLUME 8.0f

/* Creates a stream that plays `ring`, which it retains, or what the options' callback renders. It
 * follows the default output unless target.object names another. -EINVAL: the rate or the channels
 * are out of range or differ from those of ring or callback, there is not exactly one of the two, or
 * the callback does not render. -ENOTCONN: the connection has ended. */
cpw_stream *_Nullable cpw_playback_create(cpw_connection *connection, const cpw_stream_options *options,
                                          cpw_ring *_Nullable ring, const cpw_stream_events *events, void *user,
                                          int *error);

/* Makes the graph run the stream, or stop running it; an inactive stream costs no processor time.
 * Takes effect after a round trip to the server. No frame of the ring that was not played is
 * lost. */
int cpw_playback_set_active(cpw_stream *stream, bool active);

/* Any thread, while the stream exists. The user's volume, linear, 0 to CPW_MAX_VOLUME; other values
 * are ignored. The stream reaches it within one cycle. */
void cpw_playback_set_volume(cpw_stream *stream, float volume);

/* Any thread, while the stream exists. The gain of ducking, linear, 0 to 1, which multiplies the
 * user's volume; other values are ignored. The stream ramps to it by less than 3 dB in 10 ms, from
 * wherever an earlier ramp is. A stream that starts or is silent has it at once. */
void cpw_playback_set_duck(cpw_stream *stream, float gain);

/* Any thread, while the stream exists. Start of the last cycle that played a frame of the ring
 * or called the callback, in CLOCK_MONOTONIC ns; 0: none did. */
uint64_t cpw_playback_last_sound_time(cpw_stream *stream);

/* ---- Recording */

/* Samples beyond this amplitude are invalid: they do not count for the levels, and are silence for a
 * canceller. */
#define CPW_MAX_SAMPLE 1024.0f

/* The level of one channel over the last complete twentieth of a second. Full scale is 1; 0 while
 * the gate is closed. */
typedef struct {
    float peak;
    float mean_square;
} cpw_level;

/* What is reported in addition to cpw_stream_report. */
typedef struct {
    uint64_t dropped; /* frames that found no room in the ring */
    cpw_level levels[CPW_MAX_CHANNELS];
} cpw_capture_report;

/* Creates a stream that records into `ring`, which it retains and whose writer it is, or that calls
 * the options' callback. It records the default input unless target.object names another node. Frames of another format than the
 * options' are discarded. Errors as above.
 *
 * With a canceller, which has to be new and of the options' rate, one channel is recorded; each
 * channel of ring or callback gets what is left of it, in blocks of 10 ms. -EBUSY: the canceller has
 * a stream already. */
cpw_stream *_Nullable cpw_capture_create(cpw_connection *connection, const cpw_stream_options *options,
                                         cpw_ring *_Nullable ring, const cpw_stream_events *events, void *user,
                                         int *error);

/* Any thread, while the stream exists. A muted stream records zeros. A callback may
 * receive those of one cycle in several calls. */
void cpw_capture_set_muted(cpw_stream *stream, bool muted);

/* Any thread, while the stream exists. */
void cpw_capture_get_report(const cpw_stream *stream, cpw_capture_report *report);

/* Creates a stream that brings the canceller the sound of the default sink, or of the one in
 * target.object. The options need the canceller, and have one channel, the canceller's rate and
 * stream.capture.sink; with the node.group of the stream that records, both have one clock. Destroy
 * it before that stream. Errors as those of cpw_capture_create. */
cpw_stream *_Nullable cpw_reference_create(cpw_connection *connection, const cpw_stream_options *options,
                                           const cpw_stream_events *events, void *user, int *error);

#pragma clang assume_nonnull end
#endif
