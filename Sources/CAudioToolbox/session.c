#include "session.h"

#include <pthread.h>
#include <stdlib.h>

#include "objects.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static as_session *session;
static AudioSessionInterruptionListener interruption_listener;
static void *client_data;
static AudioSessionInterruptionType interruption_type;

/* Only on the thread on which all handlers are called. */
static bool had_input;
static UInt32 input_channels, output_channels;

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

/* MARK: Routes */

static as_port_type first_type(const as_route *route, as_direction direction) {
    as_port port = AS_PORT_INIT;
    return as_route_port(route, direction, 0, &port) == AS_OK ? port.type : AS_PORT_UNKNOWN;
}

/* The words that programs of that time compare with; those of ports that there were none of then are ours. */
CFStringRef as_old_route_name(const as_route *route, bool records) {
    bool has_input = records && as_route_count(route, AS_DIRECTION_INPUT) > 0;
    bool has_headset_mic = has_input && first_type(route, AS_DIRECTION_INPUT) == AS_PORT_HEADSET_MIC;
    if (as_route_count(route, AS_DIRECTION_OUTPUT) == 0) return has_input ? CFSTR("MicrophoneBuiltIn") : CFSTR("");
    switch (first_type(route, AS_DIRECTION_OUTPUT)) {
    case AS_PORT_HEADPHONES:
        if (has_headset_mic) return CFSTR("HeadsetInOut");
        return has_input ? CFSTR("HeadphonesAndMicrophone") : CFSTR("Headphone");
    case AS_PORT_BUILT_IN_SPEAKER: return has_input ? CFSTR("SpeakerAndMicrophone") : CFSTR("Speaker");
    case AS_PORT_BUILT_IN_RECEIVER: return has_input ? CFSTR("ReceiverAndMicrophone") : CFSTR("Receiver");
    case AS_PORT_LINE_OUT: return CFSTR("LineOut");
    case AS_PORT_BLUETOOTH_A2DP:
    case AS_PORT_BLUETOOTH_LE: return CFSTR("HeadphonesBT");
    case AS_PORT_BLUETOOTH_HFP: return CFSTR("HeadsetBT");
    case AS_PORT_AIR_PLAY: return CFSTR("AirTunes");
    case AS_PORT_HDMI:
    case AS_PORT_DISPLAY_PORT: return CFSTR("HDMI");
    case AS_PORT_USB_AUDIO: return CFSTR("USB");
    default: return CFSTR("Other");
    }
}

static void tell_channels(void) {
    as_session_info info = AS_SESSION_INFO_INIT;
    if (as_session_get_info(as_old_session(), &info) != AS_OK) return;
    UInt32 inputs = (UInt32)info.input_channels, outputs = (UInt32)info.output_channels;
    if (inputs != input_channels)
        as_old_tell(kAudioSessionProperty_CurrentHardwareInputNumberChannels, sizeof inputs, &inputs);
    if (outputs != output_channels)
        as_old_tell(kAudioSessionProperty_CurrentHardwareOutputNumberChannels, sizeof outputs, &outputs);
    input_channels = inputs;
    output_channels = outputs;
}

static void tell_route(const as_event *event) {
    SInt32 reason = (SInt32)event->reason;
    CFNumberRef number = CFNumberCreate(kCFAllocatorDefault, kCFNumberSInt32Type, &reason);
    CFStringRef keys[] = {
        CFSTR(kAudioSession_AudioRouteChangeKey_Reason), CFSTR(kAudioSession_AudioRouteChangeKey_OldRoute)};
    CFTypeRef values[] = {number, as_old_route_name(event->previous_route, as_old_records())};
    CFDictionaryRef change = as_cf_make_dictionary(2, keys, values);
    CFRelease(number);
    if (change) as_old_tell(kAudioSessionProperty_AudioRouteChange, sizeof change, change);
    CFRelease(change);

    UInt32 has_input = as_route_count(event->current_route, AS_DIRECTION_INPUT) > 0;
    if ((has_input != 0) != had_input)
        as_old_tell(kAudioSessionProperty_AudioInputAvailable, sizeof has_input, &has_input);
    had_input = has_input != 0;
    tell_channels();
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
    case AS_EVENT_FORMAT_CHANGED: tell_channels(); break;
    case AS_EVENT_OUTPUT_VOLUME_CHANGED:
        as_old_tell(kAudioSessionProperty_CurrentHardwareOutputVolume, sizeof event->volume, &event->volume);
        break;
    case AS_EVENT_INPUT_GAIN_CHANGED:
        as_old_tell(kAudioSessionProperty_InputGainScalar, sizeof event->gain, &event->gain);
        break;
    case AS_EVENT_MEDIA_SERVICES_LOST: as_old_tell(kAudioSessionProperty_ServerDied, sizeof died, &died); break;
    default: break;
    }
}

/* MARK: The interface */

static OSStatus open_session(void) {
    as_manager *manager;
    as_session *made;
    as_error error = AS_ERROR_INIT;
    if (as_manager_open(NULL, &manager, &error) != AS_OK) return kAudioSessionInitializationError;
    if (as_session_create(manager, NULL, &made, &error) != AS_OK) {
        as_manager_close(manager);
        return kAudioSessionInitializationError;
    }
    as_session_info info = AS_SESSION_INFO_INIT;
    as_session_get_info(made, &info);
    input_channels = (UInt32)info.input_channels;
    output_channels = (UInt32)info.output_channels;
    had_input = input_channels > 0;
    session = made;
    as_session_set_handler(made, receive, NULL);
    return kAudioSessionNoError;
}

OSStatus AudioSessionInitialize(
    CFRunLoopRef loop, CFStringRef mode, AudioSessionInterruptionListener listener, void *data) {
    static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;
    (void)loop;
    (void)mode;
    pthread_mutex_lock(&once);
    OSStatus result = kAudioSessionAlreadyInitialized;
    if (!as_old_session()) {
        pthread_mutex_lock(&lock);
        interruption_listener = listener;
        client_data = data;
        result = open_session();
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_unlock(&once);
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
