/* Sources/CDesktopBus, on a private bus. */
#include "CDesktopBus.h"
#include "CTestKit.h"
#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#define DAEMON "/usr/bin/dbus-daemon"
#define DBUS "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus"
#define PLAYER_PATH "/org/mpris/MediaPlayer2"
#define PLAYER "org.mpris.MediaPlayer2.Player"
#define PROPERTIES "org.freedesktop.DBus.Properties"

/* ---- The bus's daemon */

static int daemon_process;
static char address[300];

/* `rules` are added to its policy, which allows everything. */
static void start_daemon_with(const char *rules) {
    if (access(DAEMON, X_OK) != 0)
        harness_skip("there is no " DAEMON ": install the package dbus-daemon");
    char text[1000], option[300], byte;
    int ends[2];
    snprintf(address, sizeof(address), "unix:path=%s", test_path("bus"));
    snprintf(option, sizeof(option), "--config-file=%s", test_path("bus.conf"));
    snprintf(text, sizeof(text),
             "<!DOCTYPE busconfig PUBLIC \"-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN\"\n"
             " \"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd\">\n"
             "<busconfig><type>session</type><listen>%s</listen><policy context=\"default\">\n"
             "<allow send_destination=\"*\" eavesdrop=\"true\"/><allow eavesdrop=\"true\"/><allow own=\"*\"/>\n"
             "%s</policy></busconfig>\n", address, rules);
    write_file(test_path("bus.conf"), text);
    CHECK_EQUAL(ctk_pipe(ends), 0);
    const char *const arguments[] = {"dbus-daemon", option, "--nofork", "--print-address=1", NULL};
    const char *const environment[] = {"PATH=/usr/bin:/bin", NULL};
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const ctk_launch launch = {DAEMON, arguments, environment, NULL, ends[1], null, -1, 0};
    daemon_process = ctk_spawn(&launch);
    REQUIRE(daemon_process > 0);
    close(ends[1]), close(null);
    REQUIRE(read(ends[0], &byte, 1) == 1); /* it prints its address once it listens */
    close(ends[0]);
}

static void start_daemon(void) { start_daemon_with(""); }

static void stop_daemon(void) {
    kill(daemon_process, SIGKILL);
    ctk_reap(daemon_process);
}

/* ---- Its clients: all of them on this thread */

static cdb_bus *buses[3];
static sd_bus *raw; /* a program without the library */

static void pump(void) {
    for (size_t i = 0; i < sizeof(buses) / sizeof(*buses); i++) {
        int result = buses[i] != NULL ? cdb_bus_process(buses[i]) : 0;
        if (result < 0)
            journal("bus %zu is lost", i);
        if (buses[i] != NULL) /* the loop's checks after each call */
            cdb_bus_file(buses[i]), cdb_bus_wants_to_write(buses[i]), cdb_bus_deadline(buses[i]);
    }
    while (raw != NULL && sd_bus_process(raw, NULL) > 0)
        ;
}

#define PUMP(what, condition) AWAIT_TRUE(what, (pump(), (condition)))

static void on_reply(void *user, uint64_t call, const cdb_reply *reply) {
    for (uint32_t i = 0; i < reply->count; i++)
        CHECK(reply->texts[i] != NULL && strlen(reply->texts[i]) > 0);
    journal("%s replied %llu %d %u %u %s", (const char *)user, (unsigned long long)call, reply->error, reply->number,
            reply->count, reply->text != NULL ? reply->text : "-");
}

static void on_owner(void *user, const char *name, const char *from, const char *to) {
    journal("%s owner %s %s %s", (const char *)user, name, from != NULL ? "from" : "new", to != NULL ? "to" : "gone");
}

static void on_status(void *user, const char *sender, const char *status) {
    CHECK(sender[0] == ':');
    journal("%s status %s", (const char *)user, status != NULL ? status : "-");
}

static void on_sleep(void *user, bool begins) { journal("%s sleep %s", (const char *)user, begins ? "begins" : "ends"); }

static const cdb_bus_events events = {on_reply, on_owner, on_status, on_sleep};

static cdb_bus *open_bus(int index, const char *name) {
    int error = 0;
    cdb_bus *bus = buses[index] = cdb_bus_open(address, &events, (void *)name, &error);
    REQUIRE(bus != NULL);
    CHECK(cdb_bus_name(bus)[0] == '\0');
    CHECK_EQUAL(cdb_bus_call(bus, 1, DBUS, "GetId", "", NULL, NULL, 0), 0);
    PUMP("reply", journal_count("%s replied 1 0", name) == 1);
    CHECK(cdb_bus_name(bus)[0] == ':');
    return bus;
}

static void close_all(void) {
    for (size_t i = 0; i < sizeof(buses) / sizeof(*buses); i++) {
        if (buses[i] != NULL)
            cdb_bus_close(buses[i]);
        buses[i] = NULL;
    }
    raw = sd_bus_flush_close_unref(raw);
    stop_daemon();
}

static void open_raw(void) {
    REQUIRE(sd_bus_new(&raw) >= 0 && sd_bus_set_address(raw, address) >= 0);
    REQUIRE(sd_bus_set_bus_client(raw, 1) >= 0 && sd_bus_start(raw) >= 0);
    AWAIT_TRUE("connection", (pump(), sd_bus_is_ready(raw) > 0));
}

static int ignore(sd_bus_message *message, void *data, sd_bus_error *error) {
    (void)error;
    journal("raw %s %s", (const char *)data, sd_bus_message_is_method_error(message, NULL) ? "error" : "reply");
    return 1;
}

/* Calls a method of the player on bus 0 as another program, and returns with its answer. */
static bool call_player(const char *interface, const char *member, const char *types, ...) {
    sd_bus_message *message = NULL;
    size_t count = journal_count("raw %s", member), errors = journal_count("raw %s error", member);
    REQUIRE(sd_bus_message_new_method_call(raw, &message, cdb_bus_name(buses[0]), PLAYER_PATH, interface,
                                           member) >= 0);
    va_list arguments;
    va_start(arguments, types);
    REQUIRE(sd_bus_message_appendv(message, types, arguments) >= 0);
    va_end(arguments);
    REQUIRE(sd_bus_call_async(raw, NULL, message, ignore, (void *)member, 0) >= 0);
    sd_bus_message_unref(message);
    PUMP("answer of the player", journal_count("raw %s", member) > count);
    return journal_count("raw %s error", member) == errors;
}

/* ---- Buses */

TEST("bus", "invalid addresses, and those without a daemon, are errors") {
    static const char *const bad[] = {"", "nonsense", "unix:path=/nonexistent/bus", "unix:", "tcp:host=,port=x"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        int error = 0;
        cdb_bus *bus = cdb_bus_open(bad[i], &events, "bad", &error);
        CHECK((bus == NULL) == (error < 0));
        if (bus != NULL)
            cdb_bus_close(bus);
    }
    start_daemon();
    CHECK(with_failing_allocations(^{
        int error = 0;
        cdb_bus *bus = cdb_bus_open(address, &events, "bus", &error);
        if (bus == NULL)
            return CHECK_EQUAL(error, -ENOMEM);
        cdb_bus_wants_to_write(bus);
        cdb_bus_close(bus); /* before it is connected */
    }) == 1);
    stop_daemon();
}

TEST("bus", "calls of every signature bring replies of every type, and errors") {
    start_daemon();
    cdb_bus *bus = open_bus(0, "bus");
    const char *own = cdb_bus_name(bus);
    CHECK_EQUAL(cdb_bus_call(bus, 2, DBUS, "ListNames", "", NULL, NULL, 0), 0);
    CHECK_EQUAL(cdb_bus_call(bus, 3, DBUS, "GetNameOwner", "s", own, NULL, 0), 0);
    CHECK_EQUAL(cdb_bus_call(bus, 4, DBUS, "NameHasOwner", "s", own, NULL, 0), 0);
    CHECK_EQUAL(cdb_bus_call(bus, 5, DBUS, "RequestName", "su", "org.mpris.MediaPlayer2.c", NULL, 4), 0);
    CHECK_EQUAL(cdb_bus_call(bus, 6, DBUS, "GetNameOwner", "s", "no.such.name", NULL, 0), 0);
    CHECK_EQUAL(cdb_bus_call(bus, 7, "org.freedesktop.DBus", "/org/freedesktop/DBus", PROPERTIES, "Get", "ss",
                             "org.freedesktop.DBus", "Features", 0), 0); /* a variant that is no string */
    CHECK_EQUAL(cdb_bus_call(bus, 8, DBUS, "GetConnectionCredentials", "s", own, NULL, 0), 0); /* pairs */
    CHECK_EQUAL(cdb_bus_call(bus, 9, "no.such.service", "/", "no.such", "Method", "", NULL, NULL, 0), 0);
    CHECK_EQUAL(cdb_bus_call(bus, 10, DBUS, "GetId", "x", NULL, NULL, 0), -EINVAL);
    CHECK(cdb_bus_call(bus, 11, "..", "no path", "", "", "", NULL, NULL, 0) < 0);
    CHECK(cdb_bus_call(bus, 12, DBUS, "GetNameOwner", "s", "\xff not text", NULL, 0) < 0);
    PUMP("replies", journal_count("bus replied 9") == 1);
    CHECK(journal_count("bus replied 2 0 0 2 -") == 1 && journal_count("bus replied 3 0 0 0 %s", own) == 1);
    CHECK(journal_count("bus replied 4 0 1 0") == 1 && journal_count("bus replied 5 0 1 0") == 1);
    CHECK_EQUAL(journal_count("bus replied 6 %d 0 0 org.freedesktop.DBus.Error.NameHasNoOwner", ENXIO), 1);
    CHECK(journal_count("bus replied 7 %d", EBADMSG) == 1 && journal_count("bus replied 8 %d", EBADMSG) == 1);
    CHECK_EQUAL(journal_count("bus replied 9 0"), 0);
    CHECK(with_failing_allocations(^{
        cdb_bus_call(bus, 13, DBUS, "GetId", "", NULL, NULL, 0);
        size_t count = journal_count("bus replied 13");
        PUMP("quiet", cdb_bus_deadline(bus) == UINT64_MAX);
        CHECK(journal_count("bus replied 13") >= count);
    }) == 1);
    close_all();
}

/* Answers calls of another program. The member names the kind of answer. */
static int answer(sd_bus_message *call, void *data, sd_bus_error *error) {
    (void)data, (void)error;
    static char *many[300001];
    sd_bus_message *reply = NULL;
    const char *member = sd_bus_message_get_member(call);
    if (!sd_bus_message_is_method_call(call, "c.test", NULL) || sd_bus_message_new_method_return(call, &reply) < 0)
        return 0;
    for (size_t i = 0; i + 1 < sizeof(many) / sizeof(*many); i++)
        many[i] = (char *)"text";
    if (strcmp(member, "Many") == 0)
        sd_bus_message_append_strv(reply, many);
    else if (strcmp(member, "None") == 0)
        sd_bus_message_append(reply, "as", 0);
    else if (strcmp(member, "Large") == 0)
        sd_bus_message_append(reply, "x", INT64_MAX);
    else if (strcmp(member, "Variant") == 0)
        sd_bus_message_append(reply, "v", "v", "s", "inner");
    sd_bus_send(NULL, reply, NULL);
    sd_bus_message_unref(reply);
    return 1;
}

TEST("bus", "replies of other programs are read up to their bounds") {
    start_daemon();
    cdb_bus *bus = open_bus(0, "bus");
    const char *name = NULL;
    open_raw();
    REQUIRE(sd_bus_get_unique_name(raw, &name) >= 0 && sd_bus_add_filter(raw, NULL, answer, NULL) >= 0);
    static const char *const members[] = {"Many", "None", "Large", "Variant", "Empty"};
    for (uint64_t i = 0; i < 5; i++)
        CHECK_EQUAL(cdb_bus_call(bus, 2 + i, name, "/", "c.test", members[i], "", NULL, NULL, 0), 0);
    PUMP("replies", journal_count("bus replied 6") == 1);
    CHECK_EQUAL(journal_count("bus replied 2 0 0 262144 -"), 1);
    CHECK(journal_count("bus replied 3 0 0 0 -") == 1 && journal_count("bus replied 4 0 0 0 -") == 1);
    CHECK(journal_count("bus replied 5 %d", EBADMSG) == 1 && journal_count("bus replied 6 0 0 0 -") == 1);
    close_all();
}

TEST("bus", "it is closed, or loses its daemon, with unanswered calls") {
    for (int turn = 0; turn < 2; turn++) {
        start_daemon();
        cdb_bus *bus = open_bus(0, "bus");
        cdb_bus_watch_players(bus);
        cdb_bus_watch_players(bus);
        for (uint64_t call = 2; call < 50; call++)
            CHECK_EQUAL(cdb_bus_call(bus, call, DBUS, "ListNames", "", NULL, NULL, 0), 0);
        if (turn == 1) {
            stop_daemon();
            PUMP("loss", journal_count("bus 0 is lost") > 0);
            cdb_bus_call(bus, 99, DBUS, "ListNames", "", NULL, NULL, 0);
        }
        cdb_bus_unwatch_players(bus);
        cdb_bus_close(bus);
        buses[0] = NULL;
        if (turn == 0)
            stop_daemon();
        journal_clear();
    }
}

/* ---- Players of others */

static void send_changes(const char *types, ...) {
    sd_bus_message *message = NULL;
    REQUIRE(sd_bus_message_new_signal(raw, &message, PLAYER_PATH, PROPERTIES, "PropertiesChanged") >= 0);
    va_list arguments;
    va_start(arguments, types);
    REQUIRE(sd_bus_message_appendv(message, types, arguments) >= 0);
    va_end(arguments);
    REQUIRE(sd_bus_send(raw, message, NULL) >= 0);
    sd_bus_message_unref(message);
}

TEST("other players", "name and status changes are reported, malformed signals are ignored") {
    start_daemon();
    cdb_bus *bus = open_bus(0, "bus");
    open_raw();
    CHECK(cdb_bus_watch_players(bus) >= 0);
    CHECK_EQUAL(cdb_bus_call(bus, 2, DBUS, "GetId", "", NULL, NULL, 0), 0);
    PUMP("watch", journal_count("bus replied 2") == 1);
    REQUIRE(sd_bus_request_name_async(raw, NULL, "org.mpris.MediaPlayer2.raw", 0, ignore, "name") >= 0);
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
    raw = sd_bus_flush_close_unref(raw);
    PUMP("end of the owner", journal_count("bus owner org.mpris.MediaPlayer2.raw from gone") == 1);
    cdb_bus_unwatch_players(bus);
    close_all();
}

/* ---- A player of our own */

static const cdb_player_state state = {
    .identity = "Player", .desktop_entry = "player", .status = "Playing", .track = "/track/1", .title = "Title",
    .artist = "Artist", .url = "file:///a", .length = 5000000, .volume = 0.5, .can_play = true, .can_seek = true,
};

static void on_order(void *user, const cdb_order *order) {
    journal("%s order %d %lld %.2f %s", (const char *)user, order->command, (long long)order->time, order->value,
            order->track != NULL ? order->track : "-");
}
static int64_t position(void *user) {
    (void)user;
    return 1234567;
}
static const cdb_player_events player_events = {on_order, position};

TEST("own player", "it exposes all properties, delivers every command and signals changes") {
    start_daemon();
    cdb_bus *bus = open_bus(0, "bus"), *other = open_bus(1, "other");
    int error = 0;
    cdb_player *player = cdb_player_create(bus, &state, &player_events, "player", &error);
    REQUIRE(player != NULL);
    CHECK(cdb_player_create(bus, &state, &player_events, "second", &error) == NULL && error < 0);
    open_raw();
    CHECK(cdb_bus_watch_players(other) >= 0);
    CHECK(call_player(PROPERTIES, "GetAll", "s", PLAYER));
    CHECK(call_player(PROPERTIES, "GetAll", "s", "org.mpris.MediaPlayer2"));
    static const char *const methods[] = {"Play", "Pause", "PlayPause", "Stop", "Next", "Previous"};
    for (int i = 0; i < 6; i++) {
        CHECK(call_player(PLAYER, methods[i], ""));
        CHECK_EQUAL(journal_count("player order %d", i), 1);
    }
    CHECK(call_player("org.mpris.MediaPlayer2", "Raise", "") && call_player("org.mpris.MediaPlayer2", "Quit", ""));
    CHECK(call_player(PLAYER, "Seek", "x", INT64_MIN));
    CHECK(call_player(PLAYER, "SetPosition", "ox", "/track/1", (int64_t)7));
    CHECK_EQUAL(journal_count("player order %d 7 0.00 /track/1", CDB_COMMAND_SET_POSITION), 1);
    CHECK(call_player(PROPERTIES, "Set", "ssv", PLAYER, "Volume", "d", 0.25));
    CHECK(call_player(PROPERTIES, "Set", "ssv", PLAYER, "Volume", "d", (double)NAN));
    CHECK(call_player(PROPERTIES, "Set", "ssv", PLAYER, "Rate", "d", 2.0));
    CHECK_EQUAL(journal_count("player order %d 0 0.25", CDB_COMMAND_SET_VOLUME), 1);
    CHECK_EQUAL(journal_count("player order %d", CDB_COMMAND_SET_VOLUME), 1);
    CHECK(!call_player(PLAYER, "OpenUri", "s", "file:///b") && !call_player(PLAYER, "Seek", "s", "x"));
    CHECK(!call_player(PROPERTIES, "Set", "ssv", PLAYER, "Volume", "s", "loud"));
    static char texts[4][60000];
    cdb_player_state next = state;
    CHECK_EQUAL(cdb_player_update(player, &next), 0);
    for (int i = 0; i < 20; i++) {
        char *text = texts[i % 4];
        memset(text, 'a' + i, i % 2 == 0 ? 10 : sizeof(texts[0]) - 1);
        text[i % 2 == 0 ? 10 : sizeof(texts[0]) - 1] = '\0';
        const char *status = i % 2 == 0 ? "Paused" : "Stopped", *track = i % 3 == 0 ? "" : "/track/2";
        next = (cdb_player_state){"P", "", status, track, text, text, text, i, i, i % 2, i % 3, i % 4, i % 5, i % 6,
                                  true, true};
        CHECK(cdb_player_update(player, &next) >= 0);
        CHECK(call_player(PROPERTIES, "GetAll", "s", PLAYER));
    }
    CHECK(cdb_player_seeked(player, INT64_MIN) >= 0);
    PUMP("status", journal_count("other status Stopped") == 10);
    CHECK(with_failing_allocations(^{
        cdb_player_state changed = state;
        static int changes;
        changed.length = ++changes;
        int result = cdb_player_update(player, &changed);
        CHECK(result >= 0 || result == -ENOMEM);
    }) == 7);
    CHECK(call_player(PROPERTIES, "GetAll", "s", PLAYER));
    cdb_player_destroy(player);
    CHECK(!call_player(PROPERTIES, "GetAll", "s", PLAYER));
    CHECK(with_failing_allocations(^{
        int own = 0;
        cdb_player *made = cdb_player_create(bus, &state, &player_events, "player", &own);
        if (made == NULL)
            return CHECK_EQUAL(own, -ENOMEM);
        cdb_player_destroy(made);
    }) == 8);
    close_all();
}

/* ---- The watchdog */

TEST("player watchdog", "claim names are built from unique names only") {
    char *name = malloc(CDB_CLAIM_SIZE), long_owner[CDB_CLAIM_SIZE + 10] = ":1.";
    static const char *const bad[] = {"", ":", "org.name", "1.2", ":1.2!", ":1 2", ":\xff"};
    CHECK(cdb_claim_name(":1.23", name));
    CHECK_TEXT(name, "org.AudioSessions.Paused.p1_23");
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        CHECK(!cdb_claim_name(bad[i], name));
    for (size_t length = 200; length < sizeof(long_owner) - 1; length++) {
        memset(long_owner + 3, '7', length - 3);
        long_owner[length] = '\0';
        CHECK_EQUAL(cdb_claim_name(long_owner, name), strlen("org.AudioSessions.Paused.") + length < CDB_CLAIM_SIZE);
    }
    free(name);
}

/* Checks whether the watchdog of `program` resumes a player claimed by `claimer`. */
static void watch_player(int claimer, const char *program, bool plays) {
    int error = 0;
    char claim[CDB_CLAIM_SIZE];
    const char *player = cdb_bus_name(buses[0]);
    CHECK(cdb_claim_name(player, claim));
    CHECK_EQUAL(cdb_bus_call(buses[claimer], 50, DBUS, "RequestName", "su", claim, NULL, 4), 0);
    PUMP("claim", journal_count("%s replied 50 0 1", claimer == 1 ? "program" : "another") == 1);
    size_t orders = journal_count("player order");
    cdb_watchdog *watchdog = cdb_watchdog_create(address, &error);
    REQUIRE(watchdog != NULL);
    const char *players[] = {"not.a.player", player, ":1.999"};
    CHECK_EQUAL(cdb_watchdog_set_players(watchdog, program, players, 3), 0);
    cdb_watchdog_destroy(watchdog);
    if (!plays)
        CHECK_EQUAL(await_orphan(), 0);
    CHECK_EQUAL(cdb_bus_call(buses[claimer], 51, DBUS, "ReleaseName", "s", claim, NULL, 0), 0);
    if (plays) {
        PUMP("order", journal_count("player order %d", CDB_COMMAND_PLAY) > orders);
        CHECK_EQUAL(await_orphan(), 0);
    }
    CHECK_EQUAL(cdb_bus_call(buses[0], 52, DBUS, "GetId", "", NULL, NULL, 0), 0);
    PUMP("reply", journal_count("bus replied 52") == 1);
    CHECK_EQUAL(journal_count("player order"), orders + plays);
    journal_clear();
}

TEST("player watchdog", "a player is resumed when its program has ended, unless another program claims it") {
    start_daemon();
    cdb_bus *bus = open_bus(0, "bus");
    open_bus(1, "program"), open_bus(2, "another");
    int error = 0;
    cdb_player *player = cdb_player_create(bus, &state, &player_events, "player", &error);
    REQUIRE(player != NULL);
    watch_player(1, cdb_bus_name(buses[1]), true);
    watch_player(2, cdb_bus_name(buses[1]), false);
    cdb_player_destroy(player);
    close_all();
}

/* The same player for each of several, because the bus of the test has only one. */
TEST("player watchdog", "claims that the program keeps delay all players once, not each of them") {
    enum { PLAYERS = 6 };
    start_daemon();
    cdb_bus *bus = open_bus(0, "bus"), *program = open_bus(1, "program");
    int error = 0;
    char claim[CDB_CLAIM_SIZE];
    cdb_player *player = cdb_player_create(bus, &state, &player_events, "player", &error);
    REQUIRE(player != NULL && cdb_claim_name(cdb_bus_name(bus), claim));
    CHECK_EQUAL(cdb_bus_call(program, 50, DBUS, "RequestName", "su", claim, NULL, 4), 0);
    PUMP("claim", journal_count("program replied 50 0 1") == 1);
    cdb_watchdog *watchdog = cdb_watchdog_create(address, &error);
    REQUIRE(watchdog != NULL);
    const char *players[PLAYERS];
    for (int i = 0; i < PLAYERS; i++)
        players[i] = cdb_bus_name(bus);
    CHECK_EQUAL(cdb_watchdog_set_players(watchdog, cdb_bus_name(program), players, PLAYERS), 0);
    cdb_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    PUMP("orders", journal_count("player order %d", CDB_COMMAND_PLAY) == PLAYERS);
    cdb_player_destroy(player);
    close_all();
}

TEST("player watchdog", "a player stays paused if the bus does not say which program claims it") {
    start_daemon_with("<deny send_interface=\"org.freedesktop.DBus\" send_member=\"GetNameOwner\"/>");
    cdb_bus *bus = open_bus(0, "bus");
    open_bus(1, "program");
    int error = 0;
    cdb_player *player = cdb_player_create(bus, &state, &player_events, "player", &error);
    REQUIRE(player != NULL);
    watch_player(1, cdb_bus_name(buses[1]), false);
    cdb_player_destroy(player);
    close_all();
}

TEST("player watchdog", "the process ends if the bus accepts a connection, and then does not answer") {
    struct sockaddr_un silent = {.sun_family = AF_UNIX};
    int error = 0, listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(silent.sun_path, sizeof(silent.sun_path), "%s", test_path("silent"));
    snprintf(address, sizeof(address), "unix:path=%s", silent.sun_path);
    REQUIRE(bind(listener, (struct sockaddr *)&silent, sizeof(silent)) == 0 && listen(listener, 1) == 0);
    cdb_watchdog *watchdog = cdb_watchdog_create(address, &error);
    REQUIRE(watchdog != NULL);
    const char *players[] = {":1.2"};
    CHECK_EQUAL(cdb_watchdog_set_players(watchdog, ":1.1", players, 1), 0);
    cdb_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), SIGALRM);
    close(listener);
}

TEST("player watchdog", "orders are limited in size, and without a bus the process ends") {
    start_daemon();
    int error = 0;
    char *huge = malloc(20001);
    memset(huge, 'x', 20000);
    huge[20000] = '\0';
    const char *players[200];
    for (int i = 0; i < 200; i++)
        players[i] = ":1.123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890";
    cdb_watchdog *watchdog = cdb_watchdog_create(address, &error);
    REQUIRE(watchdog != NULL);
    CHECK_EQUAL(cdb_watchdog_set_players(watchdog, huge, players, 1), -EMSGSIZE);
    CHECK_EQUAL(cdb_watchdog_set_players(watchdog, ":1.1", players, 200), -EMSGSIZE);
    CHECK_EQUAL(cdb_watchdog_set_players(watchdog, ":1.1", players, 170), 0);
    CHECK_EQUAL(cdb_watchdog_set_players(watchdog, ":1.1", players, 0), 0);
    CHECK_EQUAL(cdb_watchdog_set_players(watchdog, ":1.1", players, 2), 0);
    stop_daemon();
    cdb_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    free(huge);
}
