#ifndef CPW_STREAM_H
#define CPW_STREAM_H

#include "Streams/ring.h"

/* What a stream that plays and one that records have in common; each of them begins with it.
 *
 * Everything that the real-time thread and another one both touch is atomic; the rest is written before `ready` is stored
 * and never again, or belongs to one thread alone. */
struct cpw_stream {
    cpw_connection *connection;
    struct spa_list link;
    struct pw_stream *stream;
    struct spa_hook listener;
    cpw_ring *ring;
    cpw_stream_events events;
    void *user;
    uint32_t rate, channels;
    bool is_quiet;  /* being made or destroyed: no callbacks */
    bool is_ending; /* among the connection's `endings` */
    int32_t final_sync; /* of one that is ending: passes behind all that was on its way to it; 0: not sent yet */
    atomic_bool ready;

    /* Set by others, read by the real-time thread. */
    atomic_bool is_gate_closed;

    /* Written by the real-time thread. `cycles` is stored last (release), so that whoever has seen it (acquire) has
     * everything that the thread did before. */
    _Atomic uint64_t cycles, frames, cycle_time;
    struct cpw_timing timing;

    uint32_t gate_triggers[CPW_MAX_GATE_TRIGGERS];
    size_t gate_trigger_count;

    /* Written by the loop's thread. */
    _Atomic uint64_t gate_event_time, gate_time;
};

/* What makes the one of the other. `events` have a cpw_stream as their data. */
struct cpw_stream_kind {
    size_t size; /* of the struct that begins with a cpw_stream */
    enum pw_direction direction;
    const char *category, *name; /* what others see, unless the properties have another name */
    const struct pw_stream_events *events;
};

/* Makes one that is not connected yet: what follows the common part is 0, and may be set until it is. */
cpw_stream *cpw_stream_new(const struct cpw_stream_kind *kind, cpw_connection *connection,
                                     const cpw_stream_options *options, cpw_ring *ring,
                                     const cpw_stream_events *events, void *user, int *error);
/* Returns the stream, or null after having destroyed it. */
cpw_stream *cpw_stream_connect(cpw_stream *stream, const struct cpw_stream_kind *kind,
                                         const cpw_stream_options *options, int *error);

/* stream_end.c */
void cpw_stream_free(cpw_stream *stream);
void cpw_stream_request_removal(cpw_stream *stream);

/* For the kind's events. */
void cpw_stream_on_state(void *data, enum pw_stream_state old, enum pw_stream_state state, const char *error);

/* Real-time thread: the buffer of this cycle; null if there is none. */
struct pw_buffer *cpw_stream_begin_cycle(cpw_stream *stream);
/* Real-time thread: notes the graph's time and returns that of the cycle, which carries so many frames of the stream. */
uint64_t cpw_stream_update_timing(cpw_stream *stream, uint32_t frames);
/* Real-time thread: gives the buffer back. `frames` were carried. */
void cpw_stream_end_cycle(cpw_stream *stream, struct pw_buffer *buffer, uint32_t frames);

#endif
