/* What the tests of streams share: a stand-in for PipeWire's queue of buffers, streams and taps that
 * write their events into the journal, and a sink that is driven without a session manager. */
#ifndef STAGE_H
#define STAGE_H

#include "Streams/stream.h"
#include "client.h"

/* ---- A stand-in for the queue of buffers (--wrap), for cycles that the test runs itself */

extern struct cycle {
    bool is_scripted;
    struct pw_buffer *buffers[CPW_MAX_CHANNELS]; /* a stream's is the first; a filter's, one a port */
    struct pw_time time;
    unsigned queued;
    unsigned next_port; /* the number of the port is the number of the call in this cycle */
} cycle;

/* A buffer of one plane, of exactly its size, that is full of 0.5. */
struct buffer {
    struct pw_buffer outer;
    struct spa_buffer inner;
    struct spa_data plane;
    struct spa_chunk chunk;
};

/* The listener that was added last to any stream. */
extern struct stream_listener {
    const struct pw_stream_events *calls;
    void *data;
} last_stream_listener;

struct buffer *make_buffer(uint32_t size);
void free_buffer(struct buffer *buffer);
void run_cycle(cpw_stream *stream);

/* ---- Streams, on the client's loop; the user is a name. Journal: "NAME state STATE NODE ERROR" */

extern const cpw_stream_events state_events;

/* Without a session manager PipeWire's adapter creates the ports of a node. */
#define PORTS "adapter.auto-port-config", "{ mode = dsp monitor = true position = preserve }"

/* Called on the client's loop. */
cpw_stream *make_stream(struct client *client, bool plays, cpw_ring *ring, const char *name, bool is_active);
void destroy_stream(struct client *client, cpw_stream *stream);
cpw_stream_report report_of(cpw_stream *stream);
void await_cycles(cpw_stream *stream);
/* A mono ring that is full of 0.5. */
cpw_ring *make_ring(uint32_t frames);

/* ---- Nodes */

/* Journal: "NAME bound ID", "NAME gone", "NAME failure ERROR MESSAGE". */
extern const cpw_own_object_events node_events;

/* A sink of the daemon that drives the graph, with one channel. */
uint32_t add_sink(cpt_server *server, struct client *client);
/* Links a free port of one node to one of the other. */
struct pw_proxy *link_nodes(struct client *client, uint32_t output, uint32_t input);
void unlink_nodes(struct client *client, struct pw_proxy *link);

/* ---- Taps. Journal: "NAME attached SINK", "NAME failure ERROR MESSAGE" */

extern const cpw_tap_events tap_events;

cpw_tap *make_tap(struct client *client, const char *sink);
void destroy_tap(struct client *client, cpw_tap *tap);
/* Whether any frame that the tap receives from now on is loud. */
bool is_loud(cpw_tap *tap, cpw_stream *stream);
/* The largest amplitude of the next frames that the tap receives. */
float peak_of(cpw_tap *tap, cpw_stream *stream, uint64_t frames);

#define AWAIT_SOUND AWAIT_TRUE("sound", is_loud(tap, stream))
#define AWAIT_SILENCE AWAIT_TRUE("silence", !is_loud(tap, stream))

#endif
