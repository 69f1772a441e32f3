/* Streams: sound of our own, and sound of others that is recorded. CPipeWireShim.h has the rules that hold for all. */
#ifndef CPW_PUBLIC_STREAM_H
#define CPW_PUBLIC_STREAM_H

#include "cpw_connection.h"
#include "cpw_ring.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct cpw_stream cpw_stream;

#define CPW_MAX_RATE 768000u

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
    uint64_t cycles;          /* times that the process callback ran with a buffer in its hands */
    uint64_t frames;          /* frames handed to PipeWire, silence included; or that came while the gate was open,
                               * those without room included */
    uint64_t cycle_time;      /* start of the last cycle */
    uint64_t gate_event_time; /* when the callback began that brought the news that closed the gate */
    uint64_t gate_time;       /* when the gate closed */
    uint32_t quantum;         /* frames of the graph's cycle, by its own clock */
    uint32_t rate;            /* the graph's frames per second */
    int64_t delay_ns;         /* between the process callback and the device, as PipeWire reports it */
} cpw_stream_report;

/* ---- Of either kind */

/* When it returns, nothing of its ring's is touched and nobody called any more. PipeWire may still have to end it. */
void cpw_stream_destroy(cpw_stream *stream);

/* Changes properties that others see, such as media.name. */
int cpw_stream_set_properties(cpw_stream *stream, const cpw_property *properties, size_t count);

/* Closes the gate: from the next cycle on a stream that plays gives silence, at once and without a ramp, and reads nothing
 * from its ring, and one that records throws away what comes; or opens it, whereupon the sound rises within one cycle. The
 * moment of closing is in the report, beside the moment when the callback that is being served began. What the cycle before
 * had taken from the ring is with the device, or lost with it: at most one quantum. A cycle that runs may still record. */
void cpw_stream_set_gate(cpw_stream *stream, bool closed);

#define CPW_MAX_GATE_TRIGGERS 8

/* From now on, until it is called again, the gate closes by itself when one of these nodes goes: in the callback that brings
 * the news, before it is told. At most CPW_MAX_GATE_TRIGGERS; further ones are ignored. */
void cpw_stream_set_gate_triggers(cpw_stream *stream, const uint32_t *_Nullable nodes, size_t count);

void cpw_stream_get_report(const cpw_stream *stream, cpw_stream_report *report);

/* ---- One that plays */

#define CPW_MAX_VOLUME 8.0f

/* A stream that reads `ring` (which it retains). It follows the default output unless target.object says otherwise.
 * -EINVAL: rate or channels out of bounds. -ENOTCONN: the connection is dead. */
cpw_stream *_Nullable cpw_playback_create(cpw_connection *connection, const cpw_stream_options *options, cpw_ring *ring,
                                          const cpw_stream_events *events, void *user, int *error);

/* Lets the graph run the stream, or stop running it: an inactive stream costs no processor time. Takes a round trip to
 * the server to become true; the callback then runs no more, and nothing that was not heard is lost from the ring. */
int cpw_playback_set_active(cpw_stream *stream, bool active);

/* Any thread that can rely on the stream's life. The user's own volume, linear, 0 to CPW_MAX_VOLUME (anything else is
 * ignored); the stream glides to it within one cycle. */
void cpw_playback_set_volume(cpw_stream *stream, float volume);

/* Any thread that can rely on the stream's life. Ducking, linear, 0 to 1 (anything else is ignored), times the user's
 * volume; 0 is silence. The stream moves there evenly, by less than 3 dB in 10 ms, and turns round on the way if told
 * so. One that starts, or is silent, is there at once. */
void cpw_playback_set_duck(cpw_stream *stream, float gain);

/* Start of the last cycle that handed out a frame of the ring; CLOCK_MONOTONIC ns, 0: none did. */
uint64_t cpw_playback_last_sound_time(cpw_stream *stream);

/* ---- One that records */

/* What is beyond this is no sample, and left out of the levels. */
#define CPW_MAX_SAMPLE 1024.0f

/* One channel over the last whole twentieth of a second, full scale being 1; 0 while the gate is closed. */
typedef struct {
    float peak;
    float mean_square;
} cpw_level;

/* Beside what is reported of any stream. */
typedef struct {
    uint64_t dropped;  /* frames that found no room in the ring */
    uint64_t overruns; /* times that this happened; one of several cycles counts once */
    cpw_level levels[CPW_MAX_CHANNELS];
} cpw_capture_report;

/* A stream that records into `ring` (which it retains, and whose writer it is) from the default input, unless
 * target.object says otherwise. What comes in another format than the options' is thrown away. Errors as above. */
cpw_stream *_Nullable cpw_capture_create(cpw_connection *connection, const cpw_stream_options *options, cpw_ring *ring,
                                         const cpw_stream_events *events, void *user, int *error);

/* Any thread that can rely on the stream's life. Muted: zeros are recorded instead of what comes. */
void cpw_capture_set_muted(cpw_stream *stream, bool muted);

void cpw_capture_get_report(const cpw_stream *stream, cpw_capture_report *report);

#pragma clang assume_nonnull end
#endif
