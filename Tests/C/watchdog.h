/* What the tests of watchdogs share. A watchdog is a forked process. The process of the test adopts
 * it when its parent has ended, so that its end and status can be awaited. */
#ifndef WATCHDOG_H
#define WATCHDOG_H

#include "CProcess.h"
#include "client.h"

/* ---- Watchdogs that write their order into a file: Sources/CProcess */

/* The work: writes the order into a new file at the path. Ends the process with an error if a file
 * of the program is open in it. */
void write_order(const char *path, char *order);
/* Starts a watchdog with this work and without a trial. */
cpr_watchdog *watchdog_start(const char *path);
void watchdog_set_order(cpr_watchdog *watchdog, const char *order);
/* Checks that the file has this order; null: that there is no file. */
void check_written(const char *path, const char *order);

/* ---- Watchdogs of the daemon at test_path("daemon"): Sources/CPipeWireShim/Watchdog */

cpw_watchdog *watchdog_with(const char *order);
/* The same, with a clock that is stopped and without a limit of its lifetime, so that it waits
 * however long the test takes. */
cpw_watchdog *watchdog_without_clock(const char *order);
/* Lets a watchdog execute the order, in which %1$u is replaced with the stream's id. Returns the
 * number of volumes that were written to the stream, the first of them, and whether it was
 * muted. */
size_t restore(cpt_object *stream, const char *order, float *first, bool *is_muted);
/* Lets a watchdog switch a headset back from its second profile. Returns whether it did. */
bool switches_headset_back(cpt_object *card);

/* Its serial is 4242. */
cpt_object *add_stream(cpt_server *server);
/* The name is that of the marks of one program. */
cpt_object *add_mark(cpt_server *server, const char *name, const char *payload, const char *client);
/* A mark where PipeWire has no Session objects. */
cpt_object *add_device_mark(cpt_server *server, const char *name, const char *payload, const char *client);

#endif
