#include "internal.h"

#include <math.h>
#include <stdio.h>

/* Strings that the player owns. */
struct texts {
    char *identity, *desktop_entry, *status, *track, *title, *artist, *url;
};

struct cdb_player {
    cdb_bus *bus;
    sd_bus_slot *root, *player;
    cdb_player_state state; /* its strings are those of `texts` */
    struct texts texts;
    cdb_player_events events;
    void *user;
};

static void free_texts(struct texts *texts) {
    free(texts->identity);
    free(texts->desktop_entry);
    free(texts->status);
    free(texts->track);
    free(texts->title);
    free(texts->artist);
    free(texts->url);
}

static bool copy_state(cdb_player *player, const cdb_player_state *state) {
    struct texts texts = {
        .identity = strdup(state->identity), .desktop_entry = strdup(state->desktop_entry),
        .status = strdup(state->status), .track = strdup(state->track), .title = strdup(state->title),
        .artist = strdup(state->artist), .url = strdup(state->url),
    };
    if (texts.identity == NULL || texts.desktop_entry == NULL || texts.status == NULL || texts.track == NULL ||
        texts.title == NULL || texts.artist == NULL || texts.url == NULL) {
        free_texts(&texts);
        return false;
    }
    player->texts = texts;
    player->state = *state;
    player->state.identity = texts.identity;
    player->state.desktop_entry = texts.desktop_entry;
    player->state.status = texts.status;
    player->state.track = texts.track;
    player->state.title = texts.title;
    player->state.artist = texts.artist;
    player->state.url = texts.url;
    return true;
}

/* ---- Properties ------------------------------------------------------------------------------ */

static int append_text(sd_bus_message *message, const char *key, const char *type, const char *text) {
    return text[0] == '\0' ? 0 : sd_bus_message_append(message, "{sv}", key, type, text);
}

static int append_artists(sd_bus_message *message, const char *artist) {
    return artist[0] == '\0' ? 0 : sd_bus_message_append(message, "{sv}", "xesam:artist", "as", 1, artist);
}

static int append_metadata(sd_bus_message *message, const cdb_player_state *state) {
    int result = sd_bus_message_open_container(message, 'a', "{sv}");
    if (result >= 0 && state->track[0] != '\0') {
        result = append_text(message, "mpris:trackid", "o", state->track);
        if (result >= 0 && state->length > 0)
            result = sd_bus_message_append(message, "{sv}", "mpris:length", "x", state->length);
        if (result >= 0)
            result = append_text(message, "xesam:title", "s", state->title);
        if (result >= 0)
            result = append_artists(message, state->artist);
        if (result >= 0)
            result = append_text(message, "xesam:url", "s", state->url);
    }
    return result < 0 ? result : sd_bus_message_close_container(message);
}

#define GETTER(name, type, value)                                                                                      \
    static int name(sd_bus *bus, const char *path, const char *interface, const char *property,                        \
                    sd_bus_message *reply, void *data, sd_bus_error *error) {                                          \
        (void)bus, (void)path, (void)interface, (void)property, (void)error;                                           \
        cdb_player *player = data;                                                                                     \
        (void)player;                                                                                                  \
        return sd_bus_message_append(reply, type, value);                                                              \
    }

GETTER(get_no, "b", 0)
GETTER(get_yes, "b", 1)
GETTER(get_no_texts, "as", 0)
GETTER(get_rate, "d", 1.0)
GETTER(get_identity, "s", player->state.identity)
GETTER(get_desktop_entry, "s", player->state.desktop_entry)
GETTER(get_can_raise, "b", player->state.can_raise)
GETTER(get_can_quit, "b", player->state.can_quit)
GETTER(get_status, "s", player->state.status)
GETTER(get_volume, "d", player->state.volume)
GETTER(get_position, "x", player->events.position(player->user))
GETTER(get_can_go_next, "b", player->state.can_go_next)
GETTER(get_can_go_previous, "b", player->state.can_go_previous)
GETTER(get_can_play, "b", player->state.can_play)
GETTER(get_can_pause, "b", player->state.can_pause)
GETTER(get_can_seek, "b", player->state.can_seek)

static int get_metadata(sd_bus *bus, const char *path, const char *interface, const char *property,
                        sd_bus_message *reply, void *data, sd_bus_error *error) {
    (void)bus, (void)path, (void)interface, (void)property, (void)error;
    return append_metadata(reply, &((cdb_player *)data)->state);
}

/* ---- Commands -------------------------------------------------------------------------------- */

static void send_order(cdb_player *player, sd_bus_message *message, cdb_order order) {
    order.sender = sd_bus_message_get_sender(message);
    player->events.ordered(player->user, &order);
}

static int set_volume(sd_bus *bus, const char *path, const char *interface, const char *property,
                      sd_bus_message *value, void *data, sd_bus_error *error) {
    (void)bus, (void)path, (void)interface, (void)property, (void)error;
    double volume;
    int result = sd_bus_message_read_basic(value, 'd', &volume);
    if (result >= 0 && isfinite(volume))
        send_order(data, value, (cdb_order){.command = CDB_COMMAND_SET_VOLUME, .value = volume});
    return result;
}

/* MPRIS permits clients to set the rate. This player has only one, so the value is ignored. */
static int set_rate(sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *value,
                    void *data, sd_bus_error *error) {
    (void)bus, (void)path, (void)interface, (void)property, (void)data, (void)error;
    double rate;
    return sd_bus_message_read_basic(value, 'd', &rate);
}

#define METHOD(name, order_command)                                                                                    \
    static int name(sd_bus_message *message, void *data, sd_bus_error *error) {                                        \
        (void)error;                                                                                                   \
        send_order(data, message, (cdb_order){.command = order_command});                                              \
        return sd_bus_reply_method_return(message, "");                                                                \
    }

METHOD(play, CDB_COMMAND_PLAY)
METHOD(pause_playing, CDB_COMMAND_PAUSE)
METHOD(play_pause, CDB_COMMAND_PLAY_PAUSE)
METHOD(stop, CDB_COMMAND_STOP)
METHOD(next, CDB_COMMAND_NEXT)
METHOD(previous, CDB_COMMAND_PREVIOUS)
METHOD(raise_window, CDB_COMMAND_RAISE)
METHOD(quit, CDB_COMMAND_QUIT)

static int seek(sd_bus_message *message, void *data, sd_bus_error *error) {
    (void)error;
    int64_t offset;
    int result = sd_bus_message_read(message, "x", &offset);
    if (result < 0)
        return result;
    send_order(data, message, (cdb_order){.command = CDB_COMMAND_SEEK, .time = offset});
    return sd_bus_reply_method_return(message, "");
}

static int set_position(sd_bus_message *message, void *data, sd_bus_error *error) {
    (void)error;
    const char *track;
    int64_t time;
    int result = sd_bus_message_read(message, "ox", &track, &time);
    if (result < 0)
        return result;
    send_order(data, message, (cdb_order){.command = CDB_COMMAND_SET_POSITION, .time = time, .track = track});
    return sd_bus_reply_method_return(message, "");
}

static int open_uri(sd_bus_message *message, void *data, sd_bus_error *error) {
    (void)message;
    (void)data;
    return sd_bus_error_set(error, SD_BUS_ERROR_NOT_SUPPORTED,
                            "This player does not open URIs. Open the file in the program itself.");
}

#define CHANGES SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE
#define SAME SD_BUS_VTABLE_PROPERTY_CONST

static const sd_bus_vtable root_table[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Raise", "", "", raise_window, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("Quit", "", "", quit, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_PROPERTY("CanQuit", "b", get_can_quit, 0, SAME),
    SD_BUS_PROPERTY("CanRaise", "b", get_can_raise, 0, SAME),
    SD_BUS_PROPERTY("HasTrackList", "b", get_no, 0, SAME),
    SD_BUS_PROPERTY("Identity", "s", get_identity, 0, SAME),
    SD_BUS_PROPERTY("DesktopEntry", "s", get_desktop_entry, 0, SAME),
    SD_BUS_PROPERTY("SupportedUriSchemes", "as", get_no_texts, 0, SAME),
    SD_BUS_PROPERTY("SupportedMimeTypes", "as", get_no_texts, 0, SAME),
    SD_BUS_VTABLE_END,
};

static const sd_bus_vtable player_table[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("Play", "", "", play, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("Pause", "", "", pause_playing, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("PlayPause", "", "", play_pause, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("Stop", "", "", stop, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("Next", "", "", next, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("Previous", "", "", previous, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("Seek", "x", "", seek, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("SetPosition", "ox", "", set_position, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("OpenUri", "s", "", open_uri, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_SIGNAL("Seeked", "x", 0),
    SD_BUS_PROPERTY("PlaybackStatus", "s", get_status, 0, CHANGES),
    SD_BUS_WRITABLE_PROPERTY("Rate", "d", get_rate, set_rate, 0, CHANGES),
    SD_BUS_PROPERTY("MinimumRate", "d", get_rate, 0, SAME),
    SD_BUS_PROPERTY("MaximumRate", "d", get_rate, 0, SAME),
    SD_BUS_PROPERTY("Metadata", "a{sv}", get_metadata, 0, CHANGES),
    SD_BUS_WRITABLE_PROPERTY("Volume", "d", get_volume, set_volume, 0, CHANGES),
    SD_BUS_PROPERTY("Position", "x", get_position, 0, 0),
    SD_BUS_PROPERTY("CanGoNext", "b", get_can_go_next, 0, CHANGES),
    SD_BUS_PROPERTY("CanGoPrevious", "b", get_can_go_previous, 0, CHANGES),
    SD_BUS_PROPERTY("CanPlay", "b", get_can_play, 0, CHANGES),
    SD_BUS_PROPERTY("CanPause", "b", get_can_pause, 0, CHANGES),
    SD_BUS_PROPERTY("CanSeek", "b", get_can_seek, 0, CHANGES),
    SD_BUS_PROPERTY("CanControl", "b", get_yes, 0, SAME),
    SD_BUS_VTABLE_END,
};

/* ---- Life ------------------------------------------------------------------------------------ */

cdb_player *cdb_player_create(cdb_bus *bus, const cdb_player_state *state, const cdb_player_events *events, void *user,
                              int *error) {
    cdb_player *player = calloc(1, sizeof(*player));
    if (player == NULL || !copy_state(player, state)) {
        free(player);
        *error = -ENOMEM;
        return NULL;
    }
    player->bus = bus;
    player->events = *events;
    player->user = user;
    *error = sd_bus_add_object_vtable(bus->bus, &player->root, MPRIS_PATH, MPRIS_ROOT, root_table, player);
    if (*error >= 0)
        *error = sd_bus_add_object_vtable(bus->bus, &player->player, MPRIS_PATH, MPRIS_PLAYER, player_table, player);
    if (*error >= 0)
        return player;
    cdb_player_destroy(player);
    return NULL;
}

void cdb_player_destroy(cdb_player *player) {
    sd_bus_slot_unref(player->player);
    sd_bus_slot_unref(player->root);
    free_texts(&player->texts);
    free(player);
}

static bool differs(const char *one, const char *other) { return strcmp(one, other) != 0; }

int cdb_player_update(cdb_player *player, const cdb_player_state *new) {
    const cdb_player_state old = player->state;
    struct texts former = player->texts;
    const char *changed[10] = {NULL};
    unsigned count = 0;
    if (differs(old.status, new->status))
        changed[count++] = "PlaybackStatus";
    if (differs(old.track, new->track) || differs(old.title, new->title) || differs(old.artist, new->artist) ||
        differs(old.url, new->url) || old.length != new->length)
        changed[count++] = "Metadata";
    if (old.volume != new->volume)
        changed[count++] = "Volume";
    if (old.can_go_next != new->can_go_next)
        changed[count++] = "CanGoNext";
    if (old.can_go_previous != new->can_go_previous)
        changed[count++] = "CanGoPrevious";
    if (old.can_play != new->can_play)
        changed[count++] = "CanPlay";
    if (old.can_pause != new->can_pause)
        changed[count++] = "CanPause";
    if (old.can_seek != new->can_seek)
        changed[count++] = "CanSeek";
    if (count == 0)
        return 0;
    if (!copy_state(player, new))
        return -ENOMEM;
    free_texts(&former);
    return sd_bus_emit_properties_changed_strv(player->bus->bus, MPRIS_PATH, MPRIS_PLAYER, (char **)changed);
}

int cdb_player_seeked(cdb_player *player, int64_t position) {
    return sd_bus_emit_signal(player->bus->bus, MPRIS_PATH, MPRIS_PLAYER, "Seeked", "x", position);
}
