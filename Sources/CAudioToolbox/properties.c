#include <pthread.h>
#include <string.h>

#include "session.h"

/* What the properties of the category have made of it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static UInt32 category = kAudioSessionCategory_SoloAmbientSound;
static UInt32 mode = kAudioSessionMode_Default;
static UInt32 options;

static const struct { UInt32 old; as_category category; } categories[] = {
    {kAudioSessionCategory_SoloAmbientSound, AS_CATEGORY_SOLO_AMBIENT},
    {kAudioSessionCategory_AmbientSound, AS_CATEGORY_AMBIENT},
    {kAudioSessionCategory_UserInterfaceSoundEffects, AS_CATEGORY_AMBIENT},
    {kAudioSessionCategory_MediaPlayback, AS_CATEGORY_PLAYBACK},
    {kAudioSessionCategory_LiveAudio, AS_CATEGORY_PLAYBACK},
    {kAudioSessionCategory_RecordAudio, AS_CATEGORY_RECORD},
    {kAudioSessionCategory_PlayAndRecord, AS_CATEGORY_PLAY_AND_RECORD},
};

static const struct { UInt32 old; as_mode mode; } modes[] = {
    {kAudioSessionMode_Default, AS_MODE_DEFAULT},
    {kAudioSessionMode_VoiceChat, AS_MODE_VOICE_CHAT},
    {kAudioSessionMode_VideoRecording, AS_MODE_VIDEO_RECORDING},
    {kAudioSessionMode_Measurement, AS_MODE_MEASUREMENT},
    {kAudioSessionMode_GameChat, AS_MODE_GAME_CHAT},
};

static UInt32 option_of(AudioSessionPropertyID property) {
    switch (property) {
    case kAudioSessionProperty_OtherMixableAudioShouldDuck: return AS_OPTION_DUCK_OTHERS;
    case kAudioSessionProperty_OverrideCategoryMixWithOthers: return AS_OPTION_MIX_WITH_OTHERS;
    case kAudioSessionProperty_OverrideCategoryDefaultToSpeaker: return AS_OPTION_DEFAULT_TO_SPEAKER;
    case kAudioSessionProperty_OverrideCategoryEnableBluetoothInput: return AS_OPTION_ALLOW_BLUETOOTH_HFP;
    default: return 0;
    }
}

/* 0 for properties that there are not. */
static UInt32 size_of(AudioSessionPropertyID property) {
    switch (property) {
    case kAudioSessionProperty_PreferredHardwareSampleRate:
    case kAudioSessionProperty_CurrentHardwareSampleRate: return sizeof(Float64);
    case kAudioSessionProperty_AudioRoute:
    case kAudioSessionProperty_AudioRouteChange: return sizeof(CFTypeRef);
    case kAudioSessionProperty_PreferredHardwareIOBufferDuration:
    case kAudioSessionProperty_CurrentHardwareOutputVolume:
    case kAudioSessionProperty_CurrentHardwareInputLatency:
    case kAudioSessionProperty_CurrentHardwareOutputLatency:
    case kAudioSessionProperty_CurrentHardwareIOBufferDuration:
    case kAudioSessionProperty_InputGainScalar: return sizeof(Float32);
    case kAudioSessionProperty_AudioCategory:
    case kAudioSessionProperty_CurrentHardwareInputNumberChannels:
    case kAudioSessionProperty_CurrentHardwareOutputNumberChannels:
    case kAudioSessionProperty_OtherAudioIsPlaying:
    case kAudioSessionProperty_OverrideAudioRoute:
    case kAudioSessionProperty_AudioInputAvailable:
    case kAudioSessionProperty_ServerDied:
    case kAudioSessionProperty_OtherMixableAudioShouldDuck:
    case kAudioSessionProperty_OverrideCategoryMixWithOthers:
    case kAudioSessionProperty_OverrideCategoryDefaultToSpeaker:
    case kAudioSessionProperty_OverrideCategoryEnableBluetoothInput:
    case kAudioSessionProperty_InterruptionType:
    case kAudioSessionProperty_Mode:
    case kAudioSessionProperty_InputGainAvailable: return sizeof(UInt32);
    default: return 0;
    }
}

static bool records(UInt32 category) {
    return category == kAudioSessionCategory_RecordAudio || category == kAudioSessionCategory_PlayAndRecord;
}

bool as_old_records(void) {
    pthread_mutex_lock(&lock);
    bool now = records(category);
    pthread_mutex_unlock(&lock);
    return now;
}

OSStatus AudioSessionGetPropertySize(AudioSessionPropertyID property, UInt32 *size) {
    if (!as_old_session()) return kAudioSessionNotInitialized;
    if (!size || !size_of(property)) return kAudioSessionUnsupportedPropertyError;
    *size = size_of(property);
    return kAudioSessionNoError;
}

/* MARK: Getting */

static CFStringRef route_name(as_session *session) {
    as_route *route;
    if (as_session_get_route(session, &route) != AS_OK) return CFSTR("");
    CFStringRef name = as_old_route_name(route, as_old_records());
    as_route_free(route);
    return name;
}

static UInt32 kept(AudioSessionPropertyID property) {
    pthread_mutex_lock(&lock);
    UInt32 option = option_of(property), value;
    if (property == kAudioSessionProperty_AudioCategory) value = category;
    else if (property == kAudioSessionProperty_Mode) value = mode;
    else value = (options & option) == option;
    pthread_mutex_unlock(&lock);
    return value;
}

typedef union {
    Float64 real;
    Float32 small;
    UInt32 whole;
    CFTypeRef object;
} value;

static OSStatus get(AudioSessionPropertyID property, as_session *session, value *value) {
    as_session_info info = AS_SESSION_INFO_INIT;
    as_status status = as_session_get_info(session, &info);
    if (status != AS_OK) return as_old_result(status, NULL);
    switch (property) {
    case kAudioSessionProperty_PreferredHardwareSampleRate: value->real = info.preferred_sample_rate; break;
    case kAudioSessionProperty_CurrentHardwareSampleRate: value->real = info.sample_rate; break;
    case kAudioSessionProperty_PreferredHardwareIOBufferDuration:
        value->small = (Float32)info.preferred_io_buffer_duration;
        break;
    case kAudioSessionProperty_CurrentHardwareIOBufferDuration: value->small = (Float32)info.io_buffer_duration; break;
    case kAudioSessionProperty_CurrentHardwareOutputVolume: value->small = info.output_volume; break;
    case kAudioSessionProperty_CurrentHardwareInputLatency: value->small = (Float32)info.input_latency; break;
    case kAudioSessionProperty_CurrentHardwareOutputLatency: value->small = (Float32)info.output_latency; break;
    case kAudioSessionProperty_InputGainScalar: value->small = info.input_gain; break;
    case kAudioSessionProperty_InputGainAvailable: value->whole = info.is_input_gain_settable; break;
    case kAudioSessionProperty_CurrentHardwareInputNumberChannels: value->whole = (UInt32)info.input_channels; break;
    case kAudioSessionProperty_CurrentHardwareOutputNumberChannels: value->whole = (UInt32)info.output_channels; break;
    case kAudioSessionProperty_OtherAudioIsPlaying: value->whole = info.is_other_audio_playing; break;
    case kAudioSessionProperty_AudioInputAvailable: value->whole = info.input_channels > 0; break;
    case kAudioSessionProperty_AudioRoute: value->object = route_name(session); break;
    case kAudioSessionProperty_AudioCategory:
    case kAudioSessionProperty_Mode:
    case kAudioSessionProperty_OtherMixableAudioShouldDuck:
    case kAudioSessionProperty_OverrideCategoryMixWithOthers:
    case kAudioSessionProperty_OverrideCategoryDefaultToSpeaker:
    case kAudioSessionProperty_OverrideCategoryEnableBluetoothInput: value->whole = kept(property); break;
    case kAudioSessionProperty_InterruptionType:
        value->whole = as_old_interruption_type();
        if (value->whole == 0) return kAudioSessionUnsupportedPropertyError;
        break;
    default: return kAudioSessionUnsupportedPropertyError;
    }
    return kAudioSessionNoError;
}

OSStatus AudioSessionGetProperty(AudioSessionPropertyID property, UInt32 *size, void *data) {
    as_session *session = as_old_session();
    if (!session) return kAudioSessionNotInitialized;
    if (!size || !data || !size_of(property)) return kAudioSessionUnsupportedPropertyError;
    if (*size < size_of(property)) return kAudioSessionBadPropertySizeError;
    value value = {0};
    OSStatus result = get(property, session, &value);
    if (result != kAudioSessionNoError) return result;
    *size = size_of(property);
    memcpy(data, &value, *size);
    return kAudioSessionNoError;
}

/* MARK: Setting */

static bool find_category(UInt32 old, as_category *found) {
    for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
        if (categories[i].old == old) return *found = categories[i].category, true;
    return false;
}

static bool find_mode(UInt32 old, as_mode *found) {
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (modes[i].old == old) return *found = modes[i].mode, true;
    return false;
}

static OSStatus configure(as_session *session, UInt32 new_category, UInt32 new_mode, UInt32 new_options) {
    as_configuration configuration = AS_CONFIGURATION_INIT;
    as_error error = AS_ERROR_INIT;
    if (!find_category(new_category, &configuration.category) || !find_mode(new_mode, &configuration.mode))
        return kAudioSessionUnsupportedPropertyError;
    configuration.options = new_options;
    as_status status = as_session_configure(session, &configuration, &error);
    if (status != AS_OK) return as_old_result(status, &error);
    category = new_category;
    mode = new_mode;
    options = new_options;
    return kAudioSessionNoError;
}

/* Under the lock, so that two threads that set two properties get both. A handler is never called under it. */
static OSStatus set_configuration(AudioSessionPropertyID property, as_session *session, UInt32 value) {
    pthread_mutex_lock(&lock);
    OSStatus result;
    UInt32 option = option_of(property);
    /* A new category has no options, and the mode that suits it. */
    if (property == kAudioSessionProperty_AudioCategory) result = configure(session, value, kAudioSessionMode_Default, 0);
    else if (property == kAudioSessionProperty_Mode) result = configure(session, category, value, options);
    else result = configure(session, category, mode, value ? options | option : options & ~option);
    pthread_mutex_unlock(&lock);
    return result;
}

static OSStatus set(AudioSessionPropertyID property, as_session *session, const value *value) {
    as_error error = AS_ERROR_INIT;
    switch (property) {
    case kAudioSessionProperty_AudioCategory:
    case kAudioSessionProperty_Mode:
    case kAudioSessionProperty_OtherMixableAudioShouldDuck:
    case kAudioSessionProperty_OverrideCategoryMixWithOthers:
    case kAudioSessionProperty_OverrideCategoryDefaultToSpeaker:
    case kAudioSessionProperty_OverrideCategoryEnableBluetoothInput:
        return set_configuration(property, session, value->whole);
    case kAudioSessionProperty_PreferredHardwareSampleRate:
        if (!(value->real >= 0 && value->real < 1e9)) return kAudioSessionUnsupportedPropertyError;
        return as_old_result(as_session_set_preferred_sample_rate(session, (int32_t)value->real, &error), &error);
    case kAudioSessionProperty_PreferredHardwareIOBufferDuration:
        return as_old_result(
            as_session_set_preferred_io_buffer_duration(session, (double)value->small, &error), &error);
    case kAudioSessionProperty_InputGainScalar:
        return as_old_result(as_session_set_input_gain(session, value->small, &error), &error);
    case kAudioSessionProperty_OverrideAudioRoute:
        if (value->whole != kAudioSessionOverrideAudioRoute_None && value->whole != kAudioSessionOverrideAudioRoute_Speaker)
            return kAudioSessionUnsupportedPropertyError;
        return as_old_result(
            as_session_override_output(session, value->whole == kAudioSessionOverrideAudioRoute_Speaker, &error), &error);
    default: return kAudioSessionUnsupportedPropertyError;
    }
}

OSStatus AudioSessionSetProperty(AudioSessionPropertyID property, UInt32 size, const void *data) {
    as_session *session = as_old_session();
    if (!session) return kAudioSessionNotInitialized;
    if (!data || !size_of(property)) return kAudioSessionUnsupportedPropertyError;
    if (size != size_of(property)) return kAudioSessionBadPropertySizeError;
    value value = {0};
    memcpy(&value, data, size);
    return set(property, session, &value);
}
