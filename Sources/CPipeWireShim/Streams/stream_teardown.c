#include "Streams/stream.h"

/* Up to 0.3.71 libpipewire discards messages for a destroyed stream, but leaves the files open that
 * they carry, mostly while the stream is created or linked. With these versions the daemon removes
 * the node first, and libpipewire destroys the stream after all messages have arrived. */

static int do_nothing(struct spa_loop *loop, bool async, uint32_t seq, const void *data, size_t size, void *user) {
    (void)loop, (void)async, (void)seq, (void)data, (void)size, (void)user;
    return 0;
}

/* Since PipeWire 1.2 a context has any number of data loops, also none. */
__attribute__((weak)) struct pw_loop *pw_stream_get_data_loop(struct pw_stream *stream);

void cpw_stream_wait_for_data_loop(cpw_stream *stream) {
    if (pw_stream_get_data_loop == NULL) {
        pw_data_loop_invoke(pw_context_get_data_loop(stream->connection->context), do_nothing, 0, NULL, 0, true, NULL);
        return;
    }
    struct pw_loop *loop = pw_stream_get_data_loop(stream->stream);
    if (loop != NULL)
        pw_loop_invoke(loop, do_nothing, 0, NULL, 0, true, NULL);
}

void cpw_stream_free(cpw_stream *stream) {
    stream->is_quiet = true;
    stream->is_ending = false;
    spa_list_remove(&stream->link);
    if (stream->stream != NULL)
        pw_stream_destroy(stream->stream);
    /* PipeWire has waited for the real-time thread. This load makes that visible to the memory
     * model. */
    (void)atomic_load_explicit(&stream->cycles, memory_order_acquire);
    if (stream->ring != NULL)
        cpw_ring_release(stream->ring);
    if (stream->callback != NULL)
        cpw_callback_release(stream->callback);
    if (stream->canceller != NULL)
        cpw_canceller_release(stream->canceller);
    free(stream);
}

/* The daemon must have created the node before it can remove it. It refuses an id that another
 * object has now as stale. The stream is paused first, because these daemons leak the record of a
 * sink whose running stream is removed. */
void cpw_stream_request_removal(cpw_stream *stream) {
    cpw_connection *connection = stream->connection;
    if (stream->final_sync != 0 || pw_stream_get_state(stream->stream, NULL) == PW_STREAM_STATE_CONNECTING)
        return;
    uint32_t node = pw_stream_get_node_id(stream->stream);
    if (node != SPA_ID_INVALID) {
        pw_stream_set_active(stream->stream, false);
        pw_registry_destroy(connection->registry, node);
    }
    stream->final_sync = pw_core_sync(connection->core, PW_ID_CORE, 0);
}

void cpw_stream_destroy(cpw_stream *stream) {
    cpw_connection *connection = stream->connection;
    if (!cpw_library_is_older_than(0, 3, 72) || connection->failed || connection->registry == NULL) {
        cpw_stream_free(stream);
        return;
    }
    stream->is_quiet = true;
    stream->is_ending = true;
    spa_list_remove(&stream->link);
    spa_list_append(&connection->ending_streams, &stream->link);
    /* When this returns, the real-time thread does not use the ring any more. */
    atomic_store_explicit(&stream->ready, false, memory_order_release);
    cpw_stream_wait_for_data_loop(stream);
    cpw_stream_request_removal(stream);
}

void cpw_streams_done(cpw_connection *connection, int32_t sequence) {
    cpw_stream *stream, *next;
    spa_list_for_each_safe(stream, next, &connection->ending_streams, link) {
        if (stream->final_sync == sequence)
            cpw_stream_free(stream);
    }
}

void cpw_streams_clear(cpw_connection *connection) {
    cpw_stream *stream;
    spa_list_consume(stream, &connection->ending_streams, link)
        cpw_stream_free(stream);
}
