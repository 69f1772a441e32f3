/* The contract between D-Bus and Swift: the user's session bus, and the system bus.
 *
 * Swift sees no type of sd-bus: only what stands here.
 *
 * Threads. A bus and whatever is made of it belong to the one thread that made it, on which every callback comes, from
 * within `cdb_bus_process`. Nothing here waits for anybody.
 *
 * Memory. Strings and structs that a callback is given end when it returns; what a function is given it copies.
 *
 * Errors. An `int` result is 0 or more on success and a negative errno on failure. */
#ifndef CDESKTOPBUS_H
#define CDESKTOPBUS_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* ---- Bus --------------------------------------------------------------------------------------------------- */

typedef struct cdb_bus cdb_bus;

/* The answer to a call; which of its members mean something depends on what was called. */
typedef struct cdb_reply {
    int error;                  /* 0, or an errno */
    const char *_Nullable text; /* a string, or a variant of one; of an error, its name */
    uint32_t number;            /* a number or a truth value */
    uint32_t count;
    const char *_Nullable const *_Nullable texts; /* `count` strings */
    int file;                                     /* -1, or an open file */
} cdb_reply;

typedef struct cdb_bus_events {
    void (*replied)(void *user, uint64_t call, const cdb_reply *reply);
    /* A media player's name has another owner; null: none. */
    void (*owner_changed)(void *user, const char *name, const char *_Nullable from, const char *_Nullable to);
    /* Null: it has changed, and has to be asked for. */
    void (*status_changed)(void *user, const char *sender, const char *_Nullable status);
    /* The computer is about to sleep, or woke up. */
    void (*sleep_changed)(void *user, bool begins);
} cdb_bus_events;

/* Begins to connect. Null with *error set on failure. */
cdb_bus *_Nullable cdb_bus_open(const char *address, const cdb_bus_events *events, void *user, int *error);
/* Calls that are not answered yet never will be. */
void cdb_bus_close(cdb_bus *bus);

int cdb_bus_file(cdb_bus *bus);
/* Does what there is to do. 1 if more is left, 0 if not, an error if the bus is lost. */
int cdb_bus_process(cdb_bus *bus);
/* What the bus waits for, to be asked after each call: room to write, and a time in microseconds of CLOCK_MONOTONIC
 * (UINT64_MAX: none). */
bool cdb_bus_wants_to_write(cdb_bus *bus);
uint64_t cdb_bus_deadline(cdb_bus *bus);
/* Empty until something was answered. */
const char *cdb_bus_name(const cdb_bus *bus);

/* A method of a given signature: "" none, "s", "ss", or "su". What is not answered in 2 s has failed. */
int cdb_bus_call(cdb_bus *bus, uint64_t call, const char *destination, const char *path, const char *interface,
                 const char *member, const char *signature, const char *_Nullable first,
                 const char *_Nullable second, uint32_t number);

/* From now on, `owner_changed` and `status_changed` are called; or no longer. */
int cdb_bus_watch_players(cdb_bus *bus);
void cdb_bus_unwatch_players(cdb_bus *bus);

/* ---- Sleep ------------------------------------------------------------------------------------------------- */

/* From now on `sleep_changed` is called, if the bus is the system bus and logind runs. */
int cdb_bus_watch_sleep(cdb_bus *bus);
/* Asks logind to delay each sleep until the file of the reply is closed, for as long as logind permits. `who` and `why` are
 * for people. */
int cdb_bus_inhibit_sleep(cdb_bus *bus, uint64_t call, const char *who, const char *why);

/* ---- Watchdog ------------------------------------------------------------------------------------------------- */

/* A process that waits for this one's end, however it comes, and then lets those players play that it was told of last
 * and that nobody else claims. It holds no file of this process but one end of a socket. */
typedef struct cpr_watchdog cdb_watchdog;

/* Null with *error set on failure. */
cdb_watchdog *_Nullable cdb_watchdog_create(const char *address, int *error);
/* What it is to do, instead of what it was told before. `program`: who claims the players, by its name on the bus. */
int cdb_watchdog_set_players(cdb_watchdog *watchdog, const char *program, const char *_Nullable const *_Nonnull players,
                   uint32_t count);
/* It does now what it was told. */
void cdb_watchdog_destroy(cdb_watchdog *watchdog);

/* Writes CDB_CLAIM_SIZE bytes at most: the name that is owned on the bus for as long as somebody wants a player to be
 * silent, whose unique name is `owner`. False if that is none. */
enum { CDB_CLAIM_SIZE = 256 };
bool cdb_claim_name(const char *owner, char *name);

/* ---- A player that others may see and command ------------------------------------------------------------- */

typedef enum cdb_command {
    CDB_COMMAND_PLAY,
    CDB_COMMAND_PAUSE,
    CDB_COMMAND_PLAY_PAUSE,
    CDB_COMMAND_STOP,
    CDB_COMMAND_NEXT,
    CDB_COMMAND_PREVIOUS,
    CDB_COMMAND_SEEK,         /* by `time` */
    CDB_COMMAND_SET_POSITION, /* to `time`, if `track` plays */
    CDB_COMMAND_SET_VOLUME,   /* to `value` */
    CDB_COMMAND_RAISE,
    CDB_COMMAND_QUIT,
} cdb_command;

typedef struct cdb_order {
    cdb_command command;
    int64_t time; /* microseconds */
    double value;
    const char *_Nullable track;
} cdb_order;

typedef struct cdb_player_events {
    void (*ordered)(void *user, const cdb_order *order);
    /* Microseconds from the track's beginning. */
    int64_t (*position)(void *user);
} cdb_player_events;

typedef struct cdb_player_state {
    const char *identity;
    const char *desktop_entry; /* empty: none */
    const char *status;        /* Playing, Paused or Stopped */
    const char *track;         /* an object path; empty: nothing is loaded */
    const char *title;
    const char *artist;
    const char *url;
    int64_t length; /* microseconds */
    double volume;
    bool can_go_next, can_go_previous, can_play, can_pause, can_seek, can_raise, can_quit;
} cdb_player_state;

typedef struct cdb_player cdb_player;

/* Shows a player at MPRIS's place on the bus. A bus has one at most. */
cdb_player *_Nullable cdb_player_create(cdb_bus *bus, const cdb_player_state *state, const cdb_player_events *events,
                                        void *user, int *error);
/* Whoever listens is told what has changed. */
int cdb_player_update(cdb_player *player, const cdb_player_state *state);
int cdb_player_seeked(cdb_player *player, int64_t position);
/* Before its bus is closed. */
void cdb_player_destroy(cdb_player *player);

#pragma clang assume_nonnull end

#endif
