#ifndef CPW_STREAM_H
#define CPW_STREAM_H

#include "Streams/callback.h"
#include "Streams/canceller.h"
#include "Streams/ring.h"

/* The common part of streams that play and streams that record, whose structs begin with it. Fields
 * that the real-time thread shares with another one are atomic. The others are constant after
 * `ready` is stored, or belong to one thread. */
struct cpw_stream {
    cpw_connection *connection;
    struct spa_list link;
    struct pw_stream *stream;
    struct spa_hook listener;
    cpw_ring *ring;         /* null: the stream has a callback */
    cpw_callback *callback; /* null: the stream has a ring */
    cpw_canceller *canceller; /* null: what is recorded is delivered unchanged */
    cpw_stream_events events;
    void *user;
    uint32_t rate, channels;
    uint32_t node_channels; /* those that PipeWire exchanges; one with a canceller */
    bool is_quiet;      /* being created or destroyed: sends no events */
    bool is_ending;     /* among the connection's `ending_streams` */
    int32_t final_sync; /* when it is done, the ending stream may be freed; 0: not sent yet */
    atomic_bool ready;

    /* Written by other threads, read by the real-time thread. */
    atomic_bool is_gate_closed;
    atomic_bool has_other_format; /* the negotiated format is not that of the options */
    _Atomic(const struct spa_io_position *) position; /* the graph's clock; may be null */

    /* Written by the real-time thread. `cycles` is stored last (release), so that a thread that
     * reads it (acquire) sees all earlier writes. */
    _Atomic uint64_t cycles, frames;
    struct cpw_timing timing;

    uint32_t gate_triggers[CPW_MAX_GATE_TRIGGERS];
    size_t gate_trigger_count;

    /* Written by the loop's thread. */
    _Atomic uint64_t gate_event_time, gate_time;
};

/* What distinguishes the two kinds of streams. The data of `events` is the cpw_stream. */
struct cpw_stream_kind {
    size_t size; /* of the kind's struct */
    enum pw_direction direction;
    bool is_reference; /* has neither ring nor callback, only a canceller */
    const char *category, *name; /* the name counts if the properties have no media.name */
    const struct pw_stream_events *events;
    /* Prepares a stream before it is connected. The fields after the common part are 0. Returns a
     * negative errno on failure. May be null. */
    int (*prepare)(cpw_stream *stream);
};

/* Creates a stream of the kind and connects it. Null with *error set on failure. */
cpw_stream *cpw_stream_create(const struct cpw_stream_kind *kind, cpw_connection *connection,
                              const cpw_stream_options *options, cpw_ring *ring, const cpw_stream_events *events,
                              void *user, int *error);

/* stream_teardown.c: frees a stream at once. */
void cpw_stream_free(cpw_stream *stream);
/* stream_teardown.c: asks the daemon to remove the node of an ending stream, as soon as it has
 * one. */
void cpw_stream_request_removal(cpw_stream *stream);

/* stream_teardown.c: returns when the real-time thread has left the process callback. */
void cpw_stream_wait_for_data_loop(cpw_stream *stream);

/* The `state_changed` event of both kinds. */
void cpw_stream_on_state(void *data, enum pw_stream_state old, enum pw_stream_state state, const char *error);

/* The `param_changed` event of streams that record. */
void cpw_stream_on_param(void *data, uint32_t id, const struct spa_pod *param);

/* The `io_changed` event of streams with a canceller. */
void cpw_stream_on_io(void *data, uint32_t id, void *area, uint32_t size);

/* What a stream received in a cycle. */
struct cpw_samples {
    const float *data;
    uint32_t frames;
};
/* Real-time thread. The samples of a buffer of a stream that records; none if it is invalid. */
struct cpw_samples cpw_stream_samples(const cpw_stream *stream, const struct pw_buffer *buffer);
/* Real-time thread. The current cycle, whose first frame was at the microphone at `time`. */
struct cpw_cycle cpw_stream_cycle(const cpw_stream *stream, uint64_t time);

/* Real-time thread. Returns the buffer of this cycle, or null if there is none. */
struct pw_buffer *cpw_stream_begin_cycle(cpw_stream *stream);
/* Real-time thread. Updates the timing, and returns the start of this cycle, which has `frames`
 * frames of the stream. */
uint64_t cpw_stream_update_timing(cpw_stream *stream, uint32_t frames);
/* Real-time thread. The latency between the device and this cycle, in ns. */
int64_t cpw_stream_delay(const cpw_stream *stream);
/* Real-time thread. Queues the buffer, and counts the cycle and its `frames`. */
void cpw_stream_end_cycle(cpw_stream *stream, struct pw_buffer *buffer, uint32_t frames);

#endif
