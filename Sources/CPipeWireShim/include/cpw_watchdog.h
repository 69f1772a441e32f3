/* Watchdog: restores streams and cards when the program ends. CPipeWireShim.h has the rules that
 * hold for all. */
#ifndef CPW_PUBLIC_WATCHDOG_H
#define CPW_PUBLIC_WATCHDOG_H

#include <stddef.h>

#pragma clang assume_nonnull begin

/* A program that changes other programs' streams or a card publishes a mark: a Session with this
 * key, or a Device with this device.api. The payload is the value of the key, or the
 * device.description. */
#define CPW_MARK_KEY "audio-session.mark"
#define CPW_MARK_API "audio-session-ducking"
/* The payload of a program that ducks no stream any more. */
#define CPW_MARK_NO_DUCKING "1;ducks=1000"
/* Start of the payload of a program that mutes one stream. Its object.serial follows. */
#define CPW_MARK_MUTES "1;mutes="
/* Start of the payload of a program whose session its descendants follow. Its process id follows.
 * It changes no streams of other programs. */
#define CPW_MARK_HOSTS "1;hosts="
/* Start of the payload of a program that chose the route of a card. Direction, number and device
 * follow, each with a semicolon, then the route. */
#define CPW_MARK_CARD "1;card="

/* A process that restores the volumes of streams after this program ended in any way, unless
 * another program publishes a mark that it ducks streams or mutes that one. It also switches cards
 * back, unless the mark of another program has the same route or profile. */
typedef struct cpr_watchdog cpw_watchdog;

/* Any thread. Starts the watchdog. `remote` as in cpw_connection_options; empty: by the
 * environment. */
cpw_watchdog *_Nullable cpw_watchdog_create(const char *remote, int *error);
/* Replaces the watchdog's order, which consists of lines:
 * - the name of the program's own marks;
 * - for each stream its id, object.serial, 1 if it is muted, and its volumes as hexadecimal bit
 *   patterns, separated by spaces;
 * - for each route or profile of a card an at sign, the index of the chosen one, the index of the
 *   previous one, and the text of its mark without the route.
 * -EINVAL: it is empty. -EMSGSIZE: it is too long. On failure the former order stays. */
int cpw_watchdog_set_order(cpw_watchdog *watchdog, const char *order, size_t length);
/* Makes the watchdog carry out its order now, and frees the handle. */
void cpw_watchdog_destroy(cpw_watchdog *watchdog);

#pragma clang assume_nonnull end
#endif
