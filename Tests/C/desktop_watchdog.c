/* Sources/CDesktopBus: the watchdog of players. */
#include "desktop_bus.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

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
    cdb_watchdog *watchdog = cdb_watchdog_create(bus_address, &error);
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
    cdb_player *player = cdb_player_create(bus, &player_state, &player_events, "player", &error);
    REQUIRE(player != NULL);
    watch_player(1, cdb_bus_name(buses[1]), true);
    watch_player(2, cdb_bus_name(buses[1]), false);
    cdb_player_destroy(player);
    close_buses();
}

/* The same player for each of several, because the bus of the test has only one. */
TEST("player watchdog", "claims that the program keeps delay all players once, not each of them") {
    enum { PLAYERS = 6 };
    start_daemon();
    cdb_bus *bus = open_bus(0, "bus"), *program = open_bus(1, "program");
    int error = 0;
    char claim[CDB_CLAIM_SIZE];
    cdb_player *player = cdb_player_create(bus, &player_state, &player_events, "player", &error);
    REQUIRE(player != NULL && cdb_claim_name(cdb_bus_name(bus), claim));
    CHECK_EQUAL(cdb_bus_call(program, 50, DBUS, "RequestName", "su", claim, NULL, 4), 0);
    PUMP("claim", journal_count("program replied 50 0 1") == 1);
    cdb_watchdog *watchdog = cdb_watchdog_create(bus_address, &error);
    REQUIRE(watchdog != NULL);
    const char *players[PLAYERS];
    for (int i = 0; i < PLAYERS; i++)
        players[i] = cdb_bus_name(bus);
    CHECK_EQUAL(cdb_watchdog_set_players(watchdog, cdb_bus_name(program), players, PLAYERS), 0);
    cdb_watchdog_destroy(watchdog);
    CHECK_EQUAL(await_orphan(), 0);
    PUMP("orders", journal_count("player order %d", CDB_COMMAND_PLAY) == PLAYERS);
    cdb_player_destroy(player);
    close_buses();
}

TEST("player watchdog", "a player stays paused if the bus does not say which program claims it") {
    start_daemon_with("<deny send_interface=\"org.freedesktop.DBus\" send_member=\"GetNameOwner\"/>");
    cdb_bus *bus = open_bus(0, "bus");
    open_bus(1, "program");
    int error = 0;
    cdb_player *player = cdb_player_create(bus, &player_state, &player_events, "player", &error);
    REQUIRE(player != NULL);
    watch_player(1, cdb_bus_name(buses[1]), false);
    cdb_player_destroy(player);
    close_buses();
}

TEST("player watchdog", "the process ends if the bus accepts a connection, and then does not answer") {
    struct sockaddr_un silent = {.sun_family = AF_UNIX};
    int error = 0, listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(silent.sun_path, sizeof(silent.sun_path), "%s", test_path("silent"));
    snprintf(bus_address, sizeof(bus_address), "unix:path=%s", silent.sun_path);
    REQUIRE(bind(listener, (struct sockaddr *)&silent, sizeof(silent)) == 0 && listen(listener, 1) == 0);
    cdb_watchdog *watchdog = cdb_watchdog_create(bus_address, &error);
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
    cdb_watchdog *watchdog = cdb_watchdog_create(bus_address, &error);
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
