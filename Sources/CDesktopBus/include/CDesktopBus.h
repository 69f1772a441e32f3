/* D-Bus behind opaque handles and plain structs: the user's session bus, and the system bus. Swift
 * sees no type of sd-bus.
 *
 * Threads. A bus and its players belong to the thread that opened the bus. Callbacks are called on
 * it, from within `cdb_bus_process`. No function blocks.
 *
 * Memory. Strings and structs that a callback receives are valid until it returns. A function
 * copies what it is given. The caller owns the handles, and may not free one from within its own
 * callback.
 *
 * Errors. An `int` result is 0 or more on success, and a negative errno on failure. */
#ifndef CDESKTOPBUS_H
#define CDESKTOPBUS_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/* ---- Bus ------------------------------------------------------------------------------------- */

typedef struct cdb_bus cdb_bus;

/* The answer to a call. The method determines which members count. */
typedef struct cdb_reply {
    int error;                  /* 0, or an errno */
    const char *_Nullable text; /* a string, or a variant with one; of an error, its name */
    uint32_t number;            /* a number or a boolean */
    uint32_t count;
    const char *_Nullable const *_Nullable texts; /* `count` strings */
    int file;                                     /* -1, or a file, valid during the callback */
} cdb_reply;

typedef struct cdb_bus_events {
    void (*replied)(void *user, uint64_t call, const cdb_reply *reply);
    /* The name of a media player changed its owner. Null: no owner. */
    void (*owner_changed)(void *user, const char *name, const char *_Nullable from, const char *_Nullable to);
    /* The PlaybackStatus of a player changed. Null: to an unknown value, which has to be
     * queried. */
    void (*status_changed)(void *user, const char *sender, const char *_Nullable status);
    /* The computer is about to sleep (`begins`), or woke up. */
    void (*sleep_changed)(void *user, bool begins);
} cdb_bus_events;

/* Starts connecting to the bus. Null with *error set on failure. */
cdb_bus *_Nullable cdb_bus_open(const char *address, const cdb_bus_events *events, void *user, int *error);
/* Closes the bus, and frees the handle. Outstanding calls receive no reply. */
void cdb_bus_close(cdb_bus *bus);

/* The socket of the bus, for polling. The bus owns it. */
int cdb_bus_file(cdb_bus *bus);
/* Handles waiting messages. Returns 1 if more are left, 0 if not, and an error if the bus was
 * lost. */
int cdb_bus_process(cdb_bus *bus);
/* What the bus waits for, besides data to read: room to write, and a time in microseconds of
 * CLOCK_MONOTONIC (UINT64_MAX: none). Changes with each call of a function above or below. */
bool cdb_bus_wants_to_write(cdb_bus *bus);
uint64_t cdb_bus_deadline(cdb_bus *bus);
/* The unique name of this connection. Empty until the first answer arrived. */
const char *cdb_bus_name(const cdb_bus *bus);

/* Calls a method whose signature is "" (no argument), "s", "ss" or "su"; -EINVAL: another one. The
 * reply goes to `replied` with the number `call`. A call that is not answered within 2 s fails.
 * Does not start the destination. */
int cdb_bus_call(cdb_bus *bus, uint64_t call, const char *destination, const char *path, const char *interface,
                 const char *member, const char *signature, const char *_Nullable first,
                 const char *_Nullable second, uint32_t number);

/* Starts and stops calling `owner_changed` and `status_changed`. */
int cdb_bus_watch_players(cdb_bus *bus);
void cdb_bus_unwatch_players(cdb_bus *bus);

/* ---- Sleep ----------------------------------------------------------------------------------- */

/* Starts calling `sleep_changed`, if the bus is the system bus and logind runs. */
int cdb_bus_watch_sleep(cdb_bus *bus);
/* Takes a delay inhibitor of logind: each sleep waits until the file of the reply is closed, for as
 * long as logind permits. Users see `who` and `why`. */
int cdb_bus_inhibit_sleep(cdb_bus *bus, uint64_t call, const char *who, const char *why);

/* ---- Watchdog -------------------------------------------------------------------------------- */

/* A process that resumes players after this program ended in any way, unless another program claims
 * them. It has no open file of this program except its end of a socket. */
typedef struct cpr_watchdog cdb_watchdog;

/* Starts the watchdog. Null with *error set on failure. */
cdb_watchdog *_Nullable cdb_watchdog_create(const char *address, int *error);
/* Replaces the players that the watchdog resumes, by their unique names. `program` is the unique
 * name of the connection that claims them. -EMSGSIZE: the list is too long. On failure the former
 * list stays. */
int cdb_watchdog_set_players(cdb_watchdog *watchdog, const char *program, const char *_Nullable const *_Nonnull players,
                   uint32_t count);
/* Makes the watchdog resume its players now, and frees the handle. */
void cdb_watchdog_destroy(cdb_watchdog *watchdog);

/* Writes the bus name that a program owns as long as it keeps a player silent, at most
 * CDB_CLAIM_SIZE bytes. `owner` is the player's unique name. False if it is not a unique name. */
enum { CDB_CLAIM_SIZE = 256 };
bool cdb_claim_name(const char *owner, char *name);

/* ---- A player of this program that other programs control ------------------------------------ */

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
    const char *_Nullable sender; /* the unique name of the client */
} cdb_order;

typedef struct cdb_player_events {
    /* A client called a method or set the volume. No value is checked, except that it is a
     * number. */
    void (*ordered)(void *user, const cdb_order *order);
    /* Returns the position in the track in microseconds. */
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
    int64_t length; /* microseconds; 0: unknown */
    double volume;
    bool can_go_next, can_go_previous, can_play, can_pause, can_seek, can_raise, can_quit;
} cdb_player_state;

typedef struct cdb_player cdb_player;

/* Publishes a player at the object path of MPRIS. A bus has at most one. */
cdb_player *_Nullable cdb_player_create(cdb_bus *bus, const cdb_player_state *state, const cdb_player_events *events,
                                        void *user, int *error);
/* Replaces the state, and emits PropertiesChanged for what differs. -ENOMEM: the former state
 * stays. */
int cdb_player_update(cdb_player *player, const cdb_player_state *state);
/* Emits Seeked with the new position in microseconds. */
int cdb_player_seeked(cdb_player *player, int64_t position);
/* Must be called before the bus is closed. */
void cdb_player_destroy(cdb_player *player);

#pragma clang assume_nonnull end

#endif
