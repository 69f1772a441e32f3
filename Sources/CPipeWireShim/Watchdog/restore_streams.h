/* Streams whose volumes the watchdog restores. Used by watchdog.c only. */
#ifndef CPW_RESTORE_STREAMS_H
#define CPW_RESTORE_STREAMS_H

#include "Watchdog/client_objects.h"
#include "internal.h"

enum { STREAM_MAXIMUM = 256, SERIAL_SIZE = 24 };

/* A stream of the order that exists, and the rest of its line. */
struct stream {
    uint32_t id;
    const char *line;
    char serial[SERIAL_SIZE];
};

struct streams {
    const char *order; /* the lines of the order */
    struct stream streams[STREAM_MAXIMUM];
    size_t stream_count;
    struct client_objects ducking_marks; /* of other programs */
    struct client_objects muting_marks;  /* the same, each with the serial of its stream */
};

/* Stores the stream if the order has a line for it. `serial` may be null. */
void streams_note(struct streams *streams, uint32_t id, const char *serial);
/* `payload` is that of the mark. The mark of a client in a sandbox counts for nothing, also if the
 * sandbox is noted only later. */
void streams_note_mark(struct streams *streams, uint32_t id, uint32_t client, const char *payload);
void streams_note_removed(struct streams *streams, uint32_t id);
/* Restores each stream, unless another program ducks streams or mutes that one, which then restores
 * it itself. */
void streams_restore(const struct streams *streams, cpw_connection *connection);

#endif
