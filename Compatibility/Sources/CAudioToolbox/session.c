#include "session.h"

#include <pthread.h>
#include <stdlib.h>

#include "objects.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static as_session *session;
static AudioSessionInterruptionListener interruption_listener;
static void *client_data;
static AudioSessionInterruptionType interruption_type;

/* Used only on the thread on which all handlers are called. */
static UInt32 input_channels, output_channels, has_input_gain;

as_session *as_old_session(void) {
    pthread_mutex_lock(&lock);
    as_session *now = session;
    pthread_mutex_unlock(&lock);
    return now;
}

AudioSessionInterruptionType as_old_interruption_type(void) {
    pthread_mutex_lock(&lock);
    AudioSessionInterruptionType now = interruption_type;
    pthread_mutex_unlock(&lock);
    return now;
}

static void set_interruption_type(AudioSessionInterruptionType type) {
    pthread_mutex_lock(&lock);
    interruption_type = type;
    pthread_mutex_unlock(&lock);
}

OSStatus as_old_result(as_status status, const as_error *error) {
    switch (status) {
    case AS_OK: return kAudioSessionNoError;
    case AS_ERROR_INCOMPATIBLE_CATEGORY: return kAudioSessionIncompatibleCategory;
    case AS_ERROR_RESOURCE_NOT_AVAILABLE: return kAudioServicesNoHardwareError;
    case AS_ERROR_SESSION_NOT_ACTIVE: return kAudioSessionNotActiveError;
    case AS_ERROR_BAD_PARAM: return kAudioSessionUnsupportedPropertyError;
    default: return error && error->os_status ? error->os_status : kAudioSessionUnspecifiedError;
    }
}

/* MARK: Route changes */

static void tell_hardware(void) {
    as_session_info info = AS_SESSION_INFO_INIT;
    if (as_session_get_info(as_old_session(), &info) != AS_OK) return;
    UInt32 inputs = (UInt32)info.input_channels, outputs = (UInt32)info.output_channels;
    /* As the getter does: a category that does not record has a route without inputs, even if there
     * is a microphone. */
    UInt32 has_input = inputs > 0;
    if ((inputs > 0) != (input_channels > 0))
        as_old_tell(kAudioSessionProperty_AudioInputAvailable, sizeof has_input, &has_input);
    if (inputs != input_channels)
        as_old_tell(kAudioSessionProperty_CurrentHardwareInputNumberChannels, sizeof inputs, &inputs);
    if (outputs != output_channels)
        as_old_tell(kAudioSessionProperty_CurrentHardwareOutputNumberChannels, sizeof outputs, &outputs);
    UInt32 has_gain = info.is_input_gain_settable;
    if (has_gain != has_input_gain) as_old_tell(kAudioSessionProperty_InputGainAvailable, sizeof has_gain, &has_gain);
    input_channels = inputs;
    output_channels = outputs;
    has_input_gain = has_gain;
}

static void tell_route(const as_event *event) {
    SInt32 reason = (SInt32)event->reason;
    CFNumberRef number = CFNumberCreate(kCFAllocatorDefault, kCFNumberSInt32Type, &reason);
    /* An event's routes have inputs only if the category of their time records, which may not be
     * the present one. */
    CFDictionaryRef previous = as_old_describe_route(event->previous_route, true);
    CFDictionaryRef current = as_old_describe_route(event->current_route, true);
    CFStringRef keys[] = {
        kAudioSession_RouteChangeKey_Reason, CFSTR(kAudioSession_AudioRouteChangeKey_OldRoute),
        kAudioSession_AudioRouteChangeKey_PreviousRouteDescription,
        kAudioSession_AudioRouteChangeKey_CurrentRouteDescription};
    CFTypeRef values[] = {number, as_old_route_name(event->previous_route, true), previous, current};
    CFDictionaryRef change = as_cf_make_dictionary(4, keys, values);
    CFRelease(number);
    CFRelease(previous);
    CFRelease(current);
    if (change) as_old_tell(kAudioSessionProperty_AudioRouteChange, sizeof change, change);
    CFRelease(change);
    tell_hardware();
}

/* MARK: Events */

static void tell_interruption(UInt32 state, AudioSessionInterruptionType type) {
    pthread_mutex_lock(&lock);
    AudioSessionInterruptionListener listener = interruption_listener;
    pthread_mutex_unlock(&lock);
    if (!listener) return;
    set_interruption_type(type);
    listener(client_data, state);
    set_interruption_type(0);
}

static void receive(as_session *sender, const as_event *event, void *user_data) {
    (void)sender;
    (void)user_data;
    UInt32 died = 1;
    switch (event->type) {
    case AS_EVENT_INTERRUPTION_BEGAN: tell_interruption(kAudioSessionBeginInterruption, 0); break;
    case AS_EVENT_INTERRUPTION_ENDED:
        tell_interruption(
            kAudioSessionEndInterruption, event->should_resume ? kAudioSessionInterruptionType_ShouldResume
                                                               : kAudioSessionInterruptionType_ShouldNotResume);
        break;
    case AS_EVENT_ROUTE_CHANGED: tell_route(event); break;
    case AS_EVENT_FORMAT_CHANGED: tell_hardware(); break;
    case AS_EVENT_OUTPUT_VOLUME_CHANGED:
        as_old_tell(kAudioSessionProperty_CurrentHardwareOutputVolume, sizeof event->volume, &event->volume);
        break;
    case AS_EVENT_INPUT_GAIN_CHANGED:
        as_old_tell(kAudioSessionProperty_InputGainScalar, sizeof event->gain, &event->gain);
        tell_hardware();
        break;
    case AS_EVENT_MEDIA_SERVICES_LOST: as_old_tell(kAudioSessionProperty_ServerDied, sizeof died, &died); break;
    default: break;
    }
}

/* MARK: The interface */

static OSStatus open_session(as_session **made) {
    as_manager *manager;
    as_error error = AS_ERROR_INIT;
    if (as_manager_open(NULL, &manager, &error) != AS_OK) return kAudioSessionInitializationError;
    if (as_session_create(manager, NULL, made, &error) != AS_OK) {
        as_manager_close(manager);
        return kAudioSessionInitializationError;
    }
    as_session_info info = AS_SESSION_INFO_INIT;
    as_session_get_info(*made, &info);
    input_channels = (UInt32)info.input_channels;
    output_channels = (UInt32)info.output_channels;
    has_input_gain = info.is_input_gain_settable;
    return kAudioSessionNoError;
}

OSStatus AudioSessionInitialize(
    CFRunLoopRef loop, CFStringRef mode, AudioSessionInterruptionListener listener, void *data) {
    static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;
    (void)loop;
    (void)mode;
    pthread_mutex_lock(&once);
    as_session *made = NULL;
    OSStatus result = as_old_session() ? kAudioSessionAlreadyInitialized : open_session(&made);
    if (result == kAudioSessionNoError) {
        pthread_mutex_lock(&lock);
        interruption_listener = listener;
        client_data = data;
        session = made;
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_unlock(&once);
    /* Without the locks, because this may wait for the handler of another session, which may call
     * functions of this file. */
    if (result == kAudioSessionNoError) as_session_set_handler(made, receive, NULL);
    return result;
}

OSStatus AudioSessionSetActiveWithFlags(Boolean active, UInt32 flags) {
    as_error error = AS_ERROR_INIT;
    as_session *now = as_old_session();
    if (!now) return kAudioSessionNotInitialized;
    if (active) return as_old_result(as_session_activate(now, &error), &error);
    bool notify = flags & kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation;
    return as_old_result(as_session_deactivate(now, notify, &error), &error);
}

OSStatus AudioSessionSetActive(Boolean active) { return AudioSessionSetActiveWithFlags(active, 0); }
