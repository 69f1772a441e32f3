/* The contract between PipeWire and Swift.
 *
 * Swift sees no PipeWire type and no PipeWire header: only what stands here. Up to PipeWire 1.2 most methods are
 * macros that Swift cannot call, from 1.4 on they are functions; these names are the same over both.
 *
 * Threads. A `cpw_loop` owns one thread. Unless a function says "any thread" it may be called on that thread only,
 * and every callback comes on it. The one exception is the real-time thread, on which nothing runs but what stream.c,
 * playback.c, capture.c, tap.c and tone.c say is its own, with ring.c, gain.c and timing.c.
 *
 * Memory. Strings and structs that a callback is given are borrowed: they end when it returns. Whatever a function
 * is given it copies, unless it says otherwise. A handle belongs to whoever created it, and is freed by its
 * `_destroy` (or `_release`) exactly once.
 *
 * Errors. An `int` result is 0 or more on success and a negative errno on failure. */
#ifndef CPIPEWIRESHIM_H
#define CPIPEWIRESHIM_H

#include "cpw_loop.h"
#include "cpw_connection.h"
#include "cpw_watchdog.h"
#include "cpw_fork.h"
#include "cpw_export.h"
#include "cpw_ring.h"
#include "cpw_stream.h"
#include "cpw_tap.h"
#include "cpw_tone.h"

#endif
