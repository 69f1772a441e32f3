#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The clock of all peers, and the lines that they print.
 *
 *   ready                          the state is complete, and events are awaited
 *   slept FROM TO FROM TO ...      before a sighting: its sleeps, if they are recorded
 *   saw NANOSECONDS LEVEL WHAT DETAIL
 *
 * LEVEL is the information of the handler: `bare` (that something happened, at most its name and
 * id), `full` (all properties in PipeWire) or `typed` (every available port with its type).
 * DETAIL is `?` where the handler does not know the object. */

/* CLOCK_MONOTONIC; the first line of every handler. */
uint64_t peer_now(void);

void peer_ready(void);
/* Ends the process when its input ends, because the driver has ended or stops it. A thread waits
 * for that, and does nothing else. Not for programs that read their input themselves. */
void peer_follow_driver(void);
void peer_saw(uint64_t time, const char *level, const char *what, const char *detail);

/* A function that peer_saw() calls instead of printing, to report a later time. */
void peer_relay(void (*relay)(const char *level, const char *what, const char *detail));
void peer_print_seen(uint64_t time, const char *level, const char *what, const char *detail);

/* Forbids this thread and those that it starts a higher priority, even for root. */
void peer_be_ordinary(void);

/* An answer to the driver. */
void peer_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for Swift, which has no variable arguments. */
void peer_line(const char *line);

/* A peer that is unavailable on this computer; the driver names it. */
int peer_unavailable(const char *header);

/* The prefix of the names of the driver's sinks. Others are not reported. */
#define PEER_PREFIX "bench-"
bool peer_is_ours(const char *name);
/* Extracts the name from the value of default.audio.sink. Returns whether there was one. */
bool peer_name_in_json(const char *json, char *name, int size);
/* The jack that is plugged. */
#define PEER_JACK "analog-output-headphones"
/* The output whose volume is set. */
#define PEER_VOLUME_SINK "bench-volume"
