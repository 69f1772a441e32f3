/* What the tests of D-Bus share: a private bus, its clients, which are all on the thread of the
 * test, and what a player of this process shows. */
#ifndef DESKTOP_BUS_H
#define DESKTOP_BUS_H

#include "CDesktopBus.h"
#include "harness.h"

#include <systemd/sd-bus.h>

#define DBUS "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus"
#define DBUS_PROPERTIES "org.freedesktop.DBus.Properties"
#define PLAYER_PATH "/org/mpris/MediaPlayer2"
#define PLAYER "org.mpris.MediaPlayer2.Player"

/* ---- The bus's daemon */

extern char bus_address[300];

void start_daemon(void);
/* `rules` are added to its policy, which allows everything. */
void start_daemon_with(const char *rules);
void stop_daemon(void);

/* ---- Its clients */

enum { BUSES = 3 };
extern cdb_bus *buses[BUSES];
extern sd_bus *raw_bus; /* a program without the library */

/* Journal, after the name of the bus:
 *   replied CALL ERROR NUMBER COUNT TEXT    owner NAME new|from to|gone
 *   status STATUS                           sleep begins|ends
 * and "bus INDEX is lost". */
extern const cdb_bus_events bus_events;

/* Handles the waiting messages of all clients. */
void pump_buses(void);
#define PUMP(what, condition) AWAIT_TRUE(what, (pump_buses(), (condition)))

/* Opens buses[index], and returns when the bus has assigned a name to it. */
cdb_bus *open_bus(int index, const char *name);
void open_raw_bus(void);
/* Closes all clients, and stops the daemon. */
void close_buses(void);

/* ---- A player of this process */

extern const cdb_player_state player_state;
/* Journal: "NAME order COMMAND TIME VALUE TRACK". */
extern const cdb_player_events player_events;

#endif
