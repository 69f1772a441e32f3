/* Streams whose volumes the watchdog restores. Used by watchdog.c only. */
#ifndef CPW_RESTORE_STREAMS_H
#define CPW_RESTORE_STREAMS_H

#include "internal.h"

enum { STREAM_MAXIMUM = 256, SERIAL_SIZE = 24 };

/* The mark of another program that ducks streams, or that mutes one. */
struct stream_mark {
    uint32_t id, client;
    char serial[SERIAL_SIZE]; /* of the muted stream */
};

/* A stream of the order that exists, and the rest of its line. */
struct stream {
    uint32_t id;
    const char *line;
    char serial[SERIAL_SIZE];
};

struct streams {
    const char *order; /* the lines of the order */
    struct stream streams[STREAM_MAXIMUM];
    struct stream_mark ducking_marks[STREAM_MAXIMUM], muting_marks[STREAM_MAXIMUM];
    size_t stream_count, ducking_count, muting_count;
};

/* Stores the stream if the order has a line for it. `serial` may be null. */
void streams_note(struct streams *streams, uint32_t id, const char *serial);
/* `payload` is that of the mark. */
void streams_note_mark(struct streams *streams, uint32_t id, uint32_t client, const char *payload);
void streams_note_removed(struct streams *streams, uint32_t id);
/* Restores each stream, unless another program ducks streams or mutes that one, which then restores
 * it itself. `is_ignored` excludes clients. */
void streams_restore(const struct streams *streams, cpw_connection *connection, bool (*is_ignored)(uint32_t client));

#endif
