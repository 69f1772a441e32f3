#include <string.h>

#include "objects.h"
#include "session.h"

/* Returns the size of a property's value; 0 for an unknown property. */
static UInt32 size_of(AudioSessionPropertyID property) {
    switch (property) {
    case kAudioSessionProperty_PreferredHardwareSampleRate:
    case kAudioSessionProperty_CurrentHardwareSampleRate: return sizeof(Float64);
    case kAudioSessionProperty_AudioRoute:
    case kAudioSessionProperty_AudioRouteDescription:
    case kAudioSessionProperty_InputSources:
    case kAudioSessionProperty_OutputDestinations:
    case kAudioSessionProperty_InputSource:
    case kAudioSessionProperty_OutputDestination:
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

OSStatus AudioSessionGetPropertySize(AudioSessionPropertyID property, UInt32 *size) {
    if (!as_old_session()) return kAudioSessionNotInitialized;
    if (!size || !size_of(property)) return kAudioSessionUnsupportedPropertyError;
    *size = size_of(property);
    return kAudioSessionNoError;
}

/* MARK: Getting */

typedef union {
    Float64 real;
    Float32 small;
    UInt32 whole;
    CFTypeRef object;
} value;

/* Gets a property that is a route or a list. Lists are empty, because audiosession.h selects no
 * sources or destinations. */
static OSStatus get_object(AudioSessionPropertyID property, as_session *session, CFTypeRef *object) {
    as_route *route = NULL;
    switch (property) {
    case kAudioSessionProperty_AudioRoute:
    case kAudioSessionProperty_AudioRouteDescription: {
        as_status status = as_session_get_route(session, &route);
        if (status != AS_OK) return as_old_result(status, NULL);
        bool records = as_old_records();
        *object = property == kAudioSessionProperty_AudioRoute ? (CFTypeRef)as_old_route_name(route, records)
                                                               : (CFTypeRef)as_old_describe_route(route, records);
        as_route_free(route);
        break;
    }
    case kAudioSessionProperty_InputSources:
    case kAudioSessionProperty_OutputDestinations: *object = as_cf_make_array(0); break;
    default: return kAudioSessionUnsupportedPropertyError;
    }
    return *object ? kAudioSessionNoError : kAudioSessionUnspecifiedError;
}

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
    case kAudioSessionProperty_AudioCategory:
    case kAudioSessionProperty_Mode:
    case kAudioSessionProperty_OtherMixableAudioShouldDuck:
    case kAudioSessionProperty_OverrideCategoryMixWithOthers:
    case kAudioSessionProperty_OverrideCategoryDefaultToSpeaker:
    case kAudioSessionProperty_OverrideCategoryEnableBluetoothInput: value->whole = as_old_configuration(property); break;
    case kAudioSessionProperty_InterruptionType:
        value->whole = as_old_interruption_type();
        if (value->whole == 0) return kAudioSessionUnsupportedPropertyError;
        break;
    default: return get_object(property, session, &value->object);
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

static OSStatus override_route(as_session *session, bool to_speaker) {
    as_error error = AS_ERROR_INIT;
    as_status status = as_session_override_output(session, to_speaker, &error);
    /* Every device with iOS has a speaker, so programs end a call if this fails. Without a speaker,
     * the route stays as it is. */
    if (status == AS_ERROR_RESOURCE_NOT_AVAILABLE) return kAudioSessionNoError;
    return as_old_result(status, &error);
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
        return as_old_set_configuration(property, session, value->whole);
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
        return override_route(session, value->whole == kAudioSessionOverrideAudioRoute_Speaker);
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
