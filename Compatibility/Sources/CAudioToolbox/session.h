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

/* As kAudioSessionProperty_AudioRouteDescription has it; the caller's to release. NULL without memory. */
HIDDEN CFDictionaryRef as_old_describe_route(const as_route *route, bool records);

/* Whether the category that is set records. */
HIDDEN bool as_old_records(void);

/* What was set of the category, the mode or one of the options; and setting it. */
HIDDEN UInt32 as_old_configuration(AudioSessionPropertyID property);
HIDDEN OSStatus as_old_set_configuration(AudioSessionPropertyID property, as_session *session, UInt32 value);

/* Calls the listeners of a property. */
HIDDEN void as_old_tell(AudioSessionPropertyID property, UInt32 size, const void *data);

#endif
