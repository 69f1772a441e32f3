#include "Watchdog/restore_streams.h"

#include <stdio.h>

/* Whether the line begins with this id and serial. `rest` is set to what follows them. */
static bool is_line_of(const char *line, uint32_t id, const char *serial, const char **rest) {
    char *end;
    if (strtoul(line, &end, 10) != id || *end != ' ')
        return false;
    size_t length = strlen(serial);
    *rest = end + 1 + length;
    return length > 0 && strncmp(end + 1, serial, length) == 0 && **rest == ' ';
}

void streams_note(struct streams *streams, uint32_t id, const char *serial) {
    const char *line = streams->order, *rest;
    while (line != NULL && serial != NULL && streams->stream_count < STREAM_MAXIMUM) {
        if (is_line_of(line, id, serial, &rest)) {
            struct stream *stream = &streams->streams[streams->stream_count++];
            *stream = (struct stream){id, rest, ""};
            snprintf(stream->serial, sizeof(stream->serial), "%s", serial);
            return;
        }
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
}

void streams_note_mark(struct streams *streams, uint32_t id, uint32_t client, const char *payload) {
    if (strncmp(payload, CPW_MARK_MUTES, strlen(CPW_MARK_MUTES)) == 0)
        client_objects_add(&streams->muting_marks, id, client, payload + strlen(CPW_MARK_MUTES));
    else if (strcmp(payload, CPW_MARK_NO_DUCKING) != 0 && strncmp(payload, CPW_MARK_HOSTS, strlen(CPW_MARK_HOSTS)) != 0)
        client_objects_add(&streams->ducking_marks, id, client, "");
}

void streams_note_removed(struct streams *streams, uint32_t id) {
    client_objects_remove(&streams->muting_marks, id);
    client_objects_remove(&streams->ducking_marks, id);
    for (size_t i = 0; i < streams->stream_count; i++)
        if (streams->streams[i].id == id)
            streams->streams[i--] = streams->streams[--streams->stream_count];
}

static bool is_any_ducked(const struct streams *streams) {
    for (size_t i = 0; i < streams->ducking_marks.count; i++)
        if (!is_sandboxed(streams->ducking_marks.objects[i].client))
            return true;
    return false;
}

static bool is_muted(const struct streams *streams, const struct stream *stream) {
    for (size_t i = 0; i < streams->muting_marks.count; i++) {
        const struct client_object *mark = &streams->muting_marks.objects[i];
        if (strcmp(mark->text, stream->serial) == 0 && !is_sandboxed(mark->client))
            return true;
    }
    return false;
}

static void restore_stream(const struct stream *stream, cpw_connection *connection) {
    if (stream->line[1] == '\0')
        return; /* the line is truncated, and the bytes after it belong to an earlier order */
    float volumes[CPW_MAX_VOLUMES];
    size_t count = 0;
    bool mute = stream->line[1] == '1';
    for (const char *text = stream->line + 2; *text == ' ' && count < CPW_MAX_VOLUMES;) {
        char *end;
        uint32_t bits = (uint32_t)strtoul(text + 1, &end, 16);
        memcpy(&volumes[count++], &bits, sizeof(bits));
        text = end;
    }
    if (cpw_connection_bind(connection, stream->id, CPW_OBJECT_NODE) >= 0)
        cpw_connection_set_soft_volumes(connection, stream->id, volumes, count, mute);
}

void streams_restore(const struct streams *streams, cpw_connection *connection) {
    if (is_any_ducked(streams))
        return;
    for (size_t i = 0; i < streams->stream_count; i++)
        if (!is_muted(streams, &streams->streams[i]))
            restore_stream(&streams->streams[i], connection);
}
