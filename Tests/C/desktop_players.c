/* Sources/CDesktopBus: players of other programs, and a player of this one. */
#include "desktop_bus.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int ignore(sd_bus_message *message, void *data, sd_bus_error *error) {
    (void)error;
    journal("raw %s %s", (const char *)data, sd_bus_message_is_method_error(message, NULL) ? "error" : "reply");
    return 1;
}

/* ---- Players of others */

static void send_changes(const char *types, ...) {
    sd_bus_message *message = NULL;
    REQUIRE(sd_bus_message_new_signal(raw_bus, &message, PLAYER_PATH, DBUS_PROPERTIES, "PropertiesChanged") >= 0);
    va_list arguments;
    va_start(arguments, types);
    REQUIRE(sd_bus_message_appendv(message, types, arguments) >= 0);
    va_end(arguments);
    REQUIRE(sd_bus_send(raw_bus, message, NULL) >= 0);
    sd_bus_message_unref(message);
}

TEST("other players", "name and status changes are reported, malformed signals are ignored") {
    start_daemon();
    cdb_bus *bus = open_bus(0, "bus");
    open_raw_bus();
    CHECK(cdb_bus_watch_players(bus) >= 0);
    CHECK_EQUAL(cdb_bus_call(bus, 2, DBUS, "GetId", "", NULL, NULL, 0), 0);
    PUMP("watch", journal_count("bus replied 2") == 1);
    REQUIRE(sd_bus_request_name_async(raw_bus, NULL, "org.mpris.MediaPlayer2.raw", 0, ignore, "name") >= 0);
    PUMP("owner", journal_count("bus owner org.mpris.MediaPlayer2.raw new to") == 1);
    send_changes("s", PLAYER);
    send_changes("su", PLAYER, 7);
    send_changes("sas", PLAYER, 1, "PlaybackStatus");
    send_changes("sa{ss}as", PLAYER, 1, "PlaybackStatus", "Playing", 0);
    send_changes("sa{sv}as", PLAYER, 1, "PlaybackStatus", "u", 7, 0);
    send_changes("sa{sv}", PLAYER, 1, "PlaybackStatus", "s", "NoSecondArray");
    send_changes("sa{sv}as", PLAYER, 2, "Metadata", "a{sv}", 1, "xesam:title", "as", 2, "a", "b", "Volume", "d",
                 0.5, 0);
    send_changes("sa{sv}as", PLAYER, 0, 2, "Volume", "PlaybackStatus");
    send_changes("sa{sv}as", PLAYER, 2, "Volume", "v", "d", 1.0, "PlaybackStatus", "s", "Last", 0);
    PUMP("last status", journal_count("bus status Last") == 1);
    CHECK(journal_count("bus status -") >= 1 && journal_count("bus status Playing") == 0);
    raw_bus = sd_bus_flush_close_unref(raw_bus);
    PUMP("end of the owner", journal_count("bus owner org.mpris.MediaPlayer2.raw from gone") == 1);
    cdb_bus_unwatch_players(bus);
    close_buses();
}

/* ---- A player of this process */

/* Calls a method of the player on bus 0 as another program, and returns with its answer. */
static bool call_player(const char *interface, const char *member, const char *types, ...) {
    sd_bus_message *message = NULL;
    size_t count = journal_count("raw %s", member), errors = journal_count("raw %s error", member);
    REQUIRE(sd_bus_message_new_method_call(raw_bus, &message, cdb_bus_name(buses[0]), PLAYER_PATH, interface,
                                           member) >= 0);
    va_list arguments;
    va_start(arguments, types);
    REQUIRE(sd_bus_message_appendv(message, types, arguments) >= 0);
    va_end(arguments);
    REQUIRE(sd_bus_call_async(raw_bus, NULL, message, ignore, (void *)member, 0) >= 0);
    sd_bus_message_unref(message);
    PUMP("answer of the player", journal_count("raw %s", member) > count);
    return journal_count("raw %s error", member) == errors;
}

TEST("own player", "it exposes all properties, delivers every command and signals changes") {
    start_daemon();
    cdb_bus *bus = open_bus(0, "bus"), *other = open_bus(1, "other");
    int error = 0;
    cdb_player *player = cdb_player_create(bus, &player_state, &player_events, "player", &error);
    REQUIRE(player != NULL);
    CHECK(cdb_player_create(bus, &player_state, &player_events, "second", &error) == NULL && error < 0);
    open_raw_bus();
    CHECK(cdb_bus_watch_players(other) >= 0);
    CHECK(call_player(DBUS_PROPERTIES, "GetAll", "s", PLAYER));
    CHECK(call_player(DBUS_PROPERTIES, "GetAll", "s", "org.mpris.MediaPlayer2"));
    static const char *const methods[] = {"Play", "Pause", "PlayPause", "Stop", "Next", "Previous"};
    for (int i = 0; i < 6; i++) {
        CHECK(call_player(PLAYER, methods[i], ""));
        CHECK_EQUAL(journal_count("player order %d", i), 1);
    }
    CHECK(call_player("org.mpris.MediaPlayer2", "Raise", "") && call_player("org.mpris.MediaPlayer2", "Quit", ""));
    CHECK(call_player(PLAYER, "Seek", "x", INT64_MIN));
    CHECK(call_player(PLAYER, "SetPosition", "ox", "/track/1", (int64_t)7));
    CHECK_EQUAL(journal_count("player order %d 7 0.00 /track/1", CDB_COMMAND_SET_POSITION), 1);
    CHECK(call_player(DBUS_PROPERTIES, "Set", "ssv", PLAYER, "Volume", "d", 0.25));
    CHECK(call_player(DBUS_PROPERTIES, "Set", "ssv", PLAYER, "Volume", "d", (double)NAN));
    CHECK(call_player(DBUS_PROPERTIES, "Set", "ssv", PLAYER, "Rate", "d", 2.0));
    CHECK_EQUAL(journal_count("player order %d 0 0.25", CDB_COMMAND_SET_VOLUME), 1);
    CHECK_EQUAL(journal_count("player order %d", CDB_COMMAND_SET_VOLUME), 1);
    CHECK(!call_player(PLAYER, "OpenUri", "s", "file:///b") && !call_player(PLAYER, "Seek", "s", "x"));
    CHECK(!call_player(DBUS_PROPERTIES, "Set", "ssv", PLAYER, "Volume", "s", "loud"));
    static char texts[4][60000];
    cdb_player_state next = player_state;
    CHECK_EQUAL(cdb_player_update(player, &next), 0);
    for (int i = 0; i < 20; i++) {
        char *text = texts[i % 4];
        memset(text, 'a' + i, i % 2 == 0 ? 10 : sizeof(texts[0]) - 1);
        text[i % 2 == 0 ? 10 : sizeof(texts[0]) - 1] = '\0';
        const char *status = i % 2 == 0 ? "Paused" : "Stopped", *track = i % 3 == 0 ? "" : "/track/2";
        next = (cdb_player_state){"P", "", status, track, text, text, text, i, i, i % 2, i % 3, i % 4, i % 5, i % 6,
                                  true, true};
        CHECK(cdb_player_update(player, &next) >= 0);
        CHECK(call_player(DBUS_PROPERTIES, "GetAll", "s", PLAYER));
    }
    CHECK(cdb_player_seeked(player, INT64_MIN) >= 0);
    PUMP("status", journal_count("other status Stopped") == 10);
    CHECK(with_failing_allocations(^{
        cdb_player_state changed = player_state;
        static int changes;
        changed.length = ++changes;
        int result = cdb_player_update(player, &changed);
        CHECK(result >= 0 || result == -ENOMEM);
    }) == 7);
    CHECK(call_player(DBUS_PROPERTIES, "GetAll", "s", PLAYER));
    cdb_player_destroy(player);
    CHECK(!call_player(DBUS_PROPERTIES, "GetAll", "s", PLAYER));
    CHECK(with_failing_allocations(^{
        int own = 0;
        cdb_player *made = cdb_player_create(bus, &player_state, &player_events, "player", &own);
        if (made == NULL)
            return CHECK_EQUAL(own, -ENOMEM);
        cdb_player_destroy(made);
    }) == 8);
    close_buses();
}
