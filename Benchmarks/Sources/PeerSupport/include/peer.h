#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What all peers share: the clock, and the lines that they print.
 *
 *   ready                          everything is known, events are waited for
 *   slept FROM TO FROM TO ...      before what it saw: when it slept, if the clock for that is loaded
 *   saw NANOSECONDS LEVEL WHAT DETAIL
 *
 * LEVEL is how much the handler knows: `bare` (that something happened, at most its name and id), `full` (everything
 * that PipeWire tells of it) or `typed` (every port that can be used now, each with what it is). DETAIL is `?` where the handler cannot tell which object it was. */

/* CLOCK_MONOTONIC; the first line of every handler. */
uint64_t peer_now(void);

void peer_ready(void);
/* Ends the process when its input ends: the driver is gone, or wants it gone. A thread waits for that, and does nothing
 * else. Not for those who read their input themselves. */
void peer_follow_driver(void);
void peer_saw(uint64_t time, const char *level, const char *what, const char *detail);

/* Who is told by peer_saw() instead of the driver, to tell it with a later time. */
void peer_relay(void (*relay)(const char *level, const char *what, const char *detail));
void peer_print_seen(uint64_t time, const char *level, const char *what, const char *detail);

/* From now on the thread, and those that it starts, may not be more urgent than others, be it root's. */
void peer_be_ordinary(void);

/* An answer to the driver. */
void peer_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for Swift, which has no variable arguments. */
void peer_line(const char *line);

/* What is left out cannot be had on this machine; the driver names it. */
int peer_unavailable(const char *header);

/* Where the sinks' names begin that the driver makes. Others are not reported. */
#define PEER_PREFIX "bench-"
bool peer_is_ours(const char *name);
/* Strips what is around the name in the value of default.audio.sink. Returns whether there was one. */
bool peer_name_in_json(const char *json, char *name, int size);
/* The jack that is plugged. */
#define PEER_JACK "analog-output-headphones"
/* The output whose volume is set. */
#define PEER_VOLUME_SINK "bench-volume"
