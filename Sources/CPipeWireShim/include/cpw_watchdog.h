/* Watchdog: what is put back when the program ends. CPipeWireShim.h has the rules that hold for all. */
#ifndef CPW_PUBLIC_WATCHDOG_H
#define CPW_PUBLIC_WATCHDOG_H

#include <stddef.h>

#pragma clang assume_nonnull begin

/* A program that lowers streams shows a mark: a Session with this key, or a Device with this device.api. The value of the key,
 * or the device.description, is the payload. */
#define CPW_MARK_KEY "audio-session.mark"
#define CPW_MARK_API "audio-session-ducking"
/* The payload if its owner puts them back. */
#define CPW_MARK_NO_DUCKING "1;ducks=1000"
/* What the payload begins with if its owner mutes one stream, whose object.serial follows. */
#define CPW_MARK_MUTES "1;mutes="
/* Start of the payload if the owner needs an end of a card on a route of its choice. Direction, number and device follow, each
 * followed by a semicolon, then the route. */
#define CPW_MARK_CARD "1;card="

/* A process that lets streams play at their own volumes again when this one ends, however it ends, unless another
 * program shows that it lowers streams, or mutes that one; and that switches cards back, unless another program's mark
 * needs that end. */
typedef struct cpr_watchdog cpw_watchdog;

/* `remote` as in cpw_connection_options; empty: as the environment says. Any thread. Null with *error set on failure. */
cpw_watchdog *_Nullable cpw_watchdog_create(const char *remote, int *error);
/* A line for the name of the program's own marks, and one for each stream: its id, its object.serial, 1 if it is
 * muted, and its volumes as bit patterns in hexadecimal, separated by spaces; and one for each end of a card: an at
 * sign, the index of the chosen route, the index of the previous one, and the text of its mark without the route. */
int cpw_watchdog_set_order(cpw_watchdog *watchdog, const char *order, size_t length);
/* It does now what it was told last. */
void cpw_watchdog_destroy(cpw_watchdog *watchdog);

#pragma clang assume_nonnull end
#endif
