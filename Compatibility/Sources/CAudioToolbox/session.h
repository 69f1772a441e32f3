/* Declarations shared by the parts of the old interface. */
#ifndef AUDIOSESSION_OLD_SESSION_H
#define AUDIOSESSION_OLD_SESSION_H

#include <AudioToolbox/AudioSession.h>
#include <audiosession.h>
#include <stdbool.h>

#define HIDDEN __attribute__((visibility("hidden")))

/* Returns the only session of the process. NULL before AudioSessionInitialize, constant
 * afterwards. */
HIDDEN as_session *as_old_session(void);

/* Returns the resume advice while a listener receives the end of an interruption; 0 otherwise. */
HIDDEN AudioSessionInterruptionType as_old_interruption_type(void);

HIDDEN OSStatus as_old_result(as_status status, const as_error *error);

/* Returns the old interface's name of the route, which is never released. */
HIDDEN CFStringRef as_old_route_name(const as_route *route, bool records);

/* Returns the value of kAudioSessionProperty_AudioRouteDescription, which the caller releases.
 * Returns NULL without memory. */
HIDDEN CFDictionaryRef as_old_describe_route(const as_route *route, bool records);

/* Returns whether the current category records. */
HIDDEN bool as_old_records(void);

/* Functions that get and set the category, the mode or one of the options. */
HIDDEN UInt32 as_old_configuration(AudioSessionPropertyID property);
HIDDEN OSStatus as_old_set_configuration(AudioSessionPropertyID property, as_session *session, UInt32 value);

/* Calls the listeners of a property with its value. */
HIDDEN void as_old_tell(AudioSessionPropertyID property, UInt32 size, const void *data);

#endif
