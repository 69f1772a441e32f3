/* The shim: PipeWire behind opaque handles, plain structs and callback tables.
 *
 * Swift sees no type and no header of PipeWire. Up to PipeWire 1.2 most of its methods are macros,
 * which Swift cannot call; from 1.4 on they are functions. The functions here are the same for
 * both.
 *
 * Threads. A `cpw_loop` owns one thread. A function may be called on that thread only, unless its
 * comment says "any thread", and every callback is called on that thread. The real-time thread runs
 * only the code that is marked with it in Streams, Tap and Objects/tone.c.
 *
 * Callbacks. A function may be called from within any callback, unless its comment says otherwise.
 * No callback may destroy the handle that it is called for, unless its comment allows that.
 *
 * Memory. Strings and structs that a callback receives are borrowed, and are valid until it
 * returns. A function copies what it is given, unless its comment says otherwise. The caller of a
 * `_create` function owns the handle, and frees it once with `_destroy` (or `_release`).
 *
 * Errors. An `int` result is 0 or more on success, and a negative errno on failure. A `_create`
 * function that fails returns null, and stores a negative errno in `*error` if it has that
 * parameter. */
#ifndef CPIPEWIRESHIM_H
#define CPIPEWIRESHIM_H

#include "cpw_loop.h"
#include "cpw_connection.h"
#include "cpw_watchdog.h"
#include "cpw_fork.h"
#include "cpw_export.h"
#include "cpw_ring.h"
#include "cpw_callback.h"
#include "cpw_canceller.h"
#include "cpw_stream.h"
#include "cpw_tap.h"
#include "cpw_tone.h"
#include "cpw_room.h"

#endif
