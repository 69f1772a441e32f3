/* What the parts of the old interface share. */
#ifndef AUDIOSESSION_OLD_SESSION_H
#define AUDIOSESSION_OLD_SESSION_H

#include <AudioToolbox/AudioSession.h>
#include <audiosession.h>
#include <stdbool.h>

#define HIDDEN __attribute__((visibility("hidden")))

/* The process's one session. NULL before AudioSessionInitialize, and the same ever after. */
HIDDEN as_session *as_old_session(void);

/* Whether a listener is being told of the end of an interruption, and with which advice (0: it is not). */
HIDDEN AudioSessionInterruptionType as_old_interruption_type(void);

HIDDEN OSStatus as_old_result(as_status status, const as_error *error);

/* As the old interface calls such a route; never released. */
HIDDEN CFStringRef as_old_route_name(const as_route *route, bool records);

/* Whether the category that is set records. */
HIDDEN bool as_old_records(void);

/* Calls the listeners of a property. */
HIDDEN void as_old_tell(AudioSessionPropertyID property, UInt32 size, const void *data);

#endif
