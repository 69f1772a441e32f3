#include "desktop_bus.h"

#include "CTestKit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DAEMON "/usr/bin/dbus-daemon"

/* ---- The bus's daemon */

static int daemon_process;
char bus_address[300];

void start_daemon_with(const char *rules) {
    if (access(DAEMON, X_OK) != 0)
        harness_skip("there is no " DAEMON ": install the package dbus-daemon");
    char text[1000], option[300], byte;
    int ends[2];
    snprintf(bus_address, sizeof(bus_address), "unix:path=%s", test_path("bus"));
    snprintf(option, sizeof(option), "--config-file=%s", test_path("bus.conf"));
    snprintf(text, sizeof(text),
             "<!DOCTYPE busconfig PUBLIC \"-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN\"\n"
             " \"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd\">\n"
             "<busconfig><type>session</type><listen>%s</listen><policy context=\"default\">\n"
             "<allow send_destination=\"*\" eavesdrop=\"true\"/><allow eavesdrop=\"true\"/><allow own=\"*\"/>\n"
             "%s</policy></busconfig>\n", bus_address, rules);
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

void start_daemon(void) { start_daemon_with(""); }

void stop_daemon(void) {
    kill(daemon_process, SIGKILL);
    ctk_reap(daemon_process);
}

/* ---- Its clients */

cdb_bus *buses[BUSES];
sd_bus *raw_bus;

void pump_buses(void) {
    for (size_t i = 0; i < BUSES; i++) {
        int result = buses[i] != NULL ? cdb_bus_process(buses[i]) : 0;
        if (result < 0)
            journal("bus %zu is lost", i);
        if (buses[i] != NULL) /* the loop's checks after each call */
            cdb_bus_file(buses[i]), cdb_bus_wants_to_write(buses[i]), cdb_bus_deadline(buses[i]);
    }
    while (raw_bus != NULL && sd_bus_process(raw_bus, NULL) > 0)
        ;
}

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

const cdb_bus_events bus_events = {on_reply, on_owner, on_status, on_sleep};

cdb_bus *open_bus(int index, const char *name) {
    int error = 0;
    cdb_bus *bus = buses[index] = cdb_bus_open(bus_address, &bus_events, (void *)name, &error);
    REQUIRE(bus != NULL);
    CHECK(cdb_bus_name(bus)[0] == '\0');
    CHECK_EQUAL(cdb_bus_call(bus, 1, DBUS, "GetId", "", NULL, NULL, 0), 0);
    PUMP("reply", journal_count("%s replied 1 0", name) == 1);
    CHECK(cdb_bus_name(bus)[0] == ':');
    return bus;
}

void close_buses(void) {
    for (size_t i = 0; i < BUSES; i++) {
        if (buses[i] != NULL)
            cdb_bus_close(buses[i]);
        buses[i] = NULL;
    }
    raw_bus = sd_bus_flush_close_unref(raw_bus);
    stop_daemon();
}

void open_raw_bus(void) {
    REQUIRE(sd_bus_new(&raw_bus) >= 0 && sd_bus_set_address(raw_bus, bus_address) >= 0);
    REQUIRE(sd_bus_set_bus_client(raw_bus, 1) >= 0 && sd_bus_start(raw_bus) >= 0);
    AWAIT_TRUE("connection", (pump_buses(), sd_bus_is_ready(raw_bus) > 0));
}

/* ---- A player of this process */

const cdb_player_state player_state = {
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

const cdb_player_events player_events = {on_order, position};
