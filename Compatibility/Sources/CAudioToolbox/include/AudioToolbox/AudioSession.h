/* The audio session of iPhone OS 2 to 6, for existing C programs. New programs should use
 * audiosession.h. Docs/FromC.md states for each property whether it works.
 *
 * All functions may be called on any thread, including in listeners, and wait for PipeWire.
 * Listeners are called on one thread of the library, regardless of the given run loop. */
#ifndef AUDIOSESSION_AUDIOTOOLBOX_AUDIOSESSION_H
#define AUDIOSESSION_AUDIOTOOLBOX_AUDIOSESSION_H

#include <CoreFoundation/CoreFoundation.h>

#ifdef __cplusplus
extern "C" {
#endif

#define AS_FOUR(a, b, c, d) ((UInt32)(a) << 24 | (UInt32)(b) << 16 | (UInt32)(c) << 8 | (UInt32)(d))
#define AS_OLD __attribute__((visibility("default")))

/* Result codes of all functions. */
#define kAudioSessionNoError ((OSStatus)0)
#define kAudioSessionNotInitialized ((OSStatus)AS_FOUR('!', 'i', 'n', 'i'))
#define kAudioSessionAlreadyInitialized ((OSStatus)AS_FOUR('i', 'n', 'i', 't'))
#define kAudioSessionInitializationError ((OSStatus)AS_FOUR('i', 'n', 'i', '?'))
#define kAudioSessionUnsupportedPropertyError ((OSStatus)AS_FOUR('p', 't', 'y', '?'))
#define kAudioSessionBadPropertySizeError ((OSStatus)AS_FOUR('!', 's', 'i', 'z'))
#define kAudioSessionNotActiveError ((OSStatus)AS_FOUR('!', 'a', 'c', 't'))
#define kAudioServicesNoHardwareError ((OSStatus)AS_FOUR('n', 'o', 'h', 'w'))
#define kAudioSessionNoCategorySet ((OSStatus)AS_FOUR('?', 'c', 'a', 't'))
#define kAudioSessionIncompatibleCategory ((OSStatus)AS_FOUR('!', 'c', 'a', 't'))
#define kAudioSessionUnspecifiedError ((OSStatus)AS_FOUR('w', 'h', 'a', 't'))

/* Interruptions. */
enum { kAudioSessionEndInterruption = 0, kAudioSessionBeginInterruption = 1 };

typedef UInt32 AudioSessionInterruptionType;
#define kAudioSessionInterruptionType_ShouldResume AS_FOUR('i', 'r', 's', 'm')
#define kAudioSessionInterruptionType_ShouldNotResume AS_FOUR('!', 'r', 's', 'm')

enum { kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation = 1 << 0 };

/* Categories and modes. */
#define kAudioSessionCategory_UserInterfaceSoundEffects AS_FOUR('u', 'i', 'f', 'x')
#define kAudioSessionCategory_AmbientSound AS_FOUR('a', 'm', 'b', 'i')
#define kAudioSessionCategory_SoloAmbientSound AS_FOUR('s', 'o', 'l', 'o')
#define kAudioSessionCategory_LiveAudio AS_FOUR('l', 'i', 'v', 'e')
#define kAudioSessionCategory_MediaPlayback AS_FOUR('m', 'e', 'd', 'i')
#define kAudioSessionCategory_RecordAudio AS_FOUR('r', 'e', 'c', 'a')
#define kAudioSessionCategory_PlayAndRecord AS_FOUR('p', 'l', 'a', 'r')
#define kAudioSessionCategory_AudioProcessing AS_FOUR('p', 'r', 'o', 'c')

#define kAudioSessionMode_Default AS_FOUR('d', 'f', 'l', 't')
#define kAudioSessionMode_VoiceChat AS_FOUR('v', 'c', 'c', 't')
#define kAudioSessionMode_VideoRecording AS_FOUR('v', 'r', 'c', 'd')
#define kAudioSessionMode_Measurement AS_FOUR('m', 's', 'm', 't')
#define kAudioSessionMode_GameChat AS_FOUR('g', 'm', 'c', 't')

/* Keys of the CFDictionaryRef that a listener of route changes receives. Use them as CFSTR(key). */
#define kAudioSession_AudioRouteChangeKey_Reason "OutputDeviceDidChange_Reason"
#define kAudioSession_AudioRouteChangeKey_OldRoute "OutputDeviceDidChange_OldRoute"
/* Further keys of that dictionary: the same reason without CFSTR, and the routes as in
 * AudioRouteDescription. */
AS_OLD extern const CFStringRef kAudioSession_RouteChangeKey_Reason;
AS_OLD extern const CFStringRef kAudioSession_AudioRouteChangeKey_PreviousRouteDescription;
AS_OLD extern const CFStringRef kAudioSession_AudioRouteChangeKey_CurrentRouteDescription;

enum {
    kAudioSessionRouteChangeReason_Unknown = 0,
    kAudioSessionRouteChangeReason_NewDeviceAvailable = 1,
    kAudioSessionRouteChangeReason_OldDeviceUnavailable = 2,
    kAudioSessionRouteChangeReason_CategoryChange = 3,
    kAudioSessionRouteChangeReason_Override = 4,
    kAudioSessionRouteChangeReason_WakeFromSleep = 6,
    kAudioSessionRouteChangeReason_NoSuitableRouteForCategory = 7,
    kAudioSessionRouteChangeReason_RouteConfigurationChange = 8
};

/* Keys of a route's arrays of dictionaries. An array without ports is empty. */
AS_OLD extern const CFStringRef kAudioSession_AudioRouteKey_Inputs;
AS_OLD extern const CFStringRef kAudioSession_AudioRouteKey_Outputs;
/* The key of a port's type: one of the constants below, or AVFAudio's name of a type that iOS 6
 * did not have. CFSTR("RouteDetailedDescription_Name") is the key of its human-readable name,
 * and CFSTR("RouteDetailedDescription_UID") that of its permanent identifier. */
AS_OLD extern const CFStringRef kAudioSession_AudioRouteKey_Type;

AS_OLD extern const CFStringRef kAudioSessionInputRoute_LineIn;
AS_OLD extern const CFStringRef kAudioSessionInputRoute_BuiltInMic;
AS_OLD extern const CFStringRef kAudioSessionInputRoute_HeadsetMic;
AS_OLD extern const CFStringRef kAudioSessionInputRoute_BluetoothHFP;
AS_OLD extern const CFStringRef kAudioSessionInputRoute_USBAudio;

AS_OLD extern const CFStringRef kAudioSessionOutputRoute_LineOut;
AS_OLD extern const CFStringRef kAudioSessionOutputRoute_Headphones;
AS_OLD extern const CFStringRef kAudioSessionOutputRoute_BluetoothHFP;
AS_OLD extern const CFStringRef kAudioSessionOutputRoute_BluetoothA2DP;
AS_OLD extern const CFStringRef kAudioSessionOutputRoute_BuiltInReceiver;
AS_OLD extern const CFStringRef kAudioSessionOutputRoute_BuiltInSpeaker;
AS_OLD extern const CFStringRef kAudioSessionOutputRoute_USBAudio;
AS_OLD extern const CFStringRef kAudioSessionOutputRoute_HDMI;
AS_OLD extern const CFStringRef kAudioSessionOutputRoute_AirPlay;

/* Keys of the dictionaries in InputSources and OutputDestinations. */
AS_OLD extern const CFStringRef kAudioSession_InputSourceKey_ID;
AS_OLD extern const CFStringRef kAudioSession_InputSourceKey_Description;
AS_OLD extern const CFStringRef kAudioSession_OutputDestinationKey_ID;
AS_OLD extern const CFStringRef kAudioSession_OutputDestinationKey_Description;

#define kAudioSessionOverrideAudioRoute_None 0u
#define kAudioSessionOverrideAudioRoute_Speaker AS_FOUR('s', 'p', 'k', 'r')

/* Properties. */
typedef UInt32 AudioSessionPropertyID;
#define kAudioSessionProperty_PreferredHardwareSampleRate AS_FOUR('h', 'w', 's', 'r')
#define kAudioSessionProperty_PreferredHardwareIOBufferDuration AS_FOUR('i', 'o', 'b', 'd')
#define kAudioSessionProperty_AudioCategory AS_FOUR('a', 'c', 'a', 't')
#define kAudioSessionProperty_AudioRoute AS_FOUR('r', 'o', 'u', 't')
#define kAudioSessionProperty_AudioRouteChange AS_FOUR('r', 'o', 'c', 'h')
#define kAudioSessionProperty_CurrentHardwareSampleRate AS_FOUR('c', 'h', 's', 'r')
#define kAudioSessionProperty_CurrentHardwareInputNumberChannels AS_FOUR('c', 'h', 'i', 'c')
#define kAudioSessionProperty_CurrentHardwareOutputNumberChannels AS_FOUR('c', 'h', 'o', 'c')
#define kAudioSessionProperty_CurrentHardwareOutputVolume AS_FOUR('c', 'h', 'o', 'v')
#define kAudioSessionProperty_CurrentHardwareInputLatency AS_FOUR('c', 'i', 'l', 't')
#define kAudioSessionProperty_CurrentHardwareOutputLatency AS_FOUR('c', 'o', 'l', 't')
#define kAudioSessionProperty_CurrentHardwareIOBufferDuration AS_FOUR('c', 'h', 'b', 'd')
#define kAudioSessionProperty_OtherAudioIsPlaying AS_FOUR('o', 't', 'h', 'r')
#define kAudioSessionProperty_OverrideAudioRoute AS_FOUR('o', 'v', 'r', 'd')
#define kAudioSessionProperty_AudioInputAvailable AS_FOUR('a', 'i', 'a', 'v')
#define kAudioSessionProperty_ServerDied AS_FOUR('d', 'i', 'e', 'd')
#define kAudioSessionProperty_OtherMixableAudioShouldDuck AS_FOUR('d', 'u', 'c', 'k')
#define kAudioSessionProperty_OverrideCategoryMixWithOthers AS_FOUR('c', 'm', 'i', 'x')
#define kAudioSessionProperty_OverrideCategoryDefaultToSpeaker AS_FOUR('c', 's', 'p', 'k')
#define kAudioSessionProperty_OverrideCategoryEnableBluetoothInput AS_FOUR('c', 'b', 'l', 'u')
#define kAudioSessionProperty_InterruptionType AS_FOUR('t', 'y', 'p', 'e')
#define kAudioSessionProperty_Mode AS_FOUR('m', 'o', 'd', 'e')
#define kAudioSessionProperty_InputSources AS_FOUR('s', 'r', 'c', 's')
#define kAudioSessionProperty_OutputDestinations AS_FOUR('d', 's', 't', 's')
#define kAudioSessionProperty_InputSource AS_FOUR('i', 's', 'r', 'c')
#define kAudioSessionProperty_OutputDestination AS_FOUR('o', 'd', 's', 't')
#define kAudioSessionProperty_InputGainAvailable AS_FOUR('i', 'g', 'a', 'v')
#define kAudioSessionProperty_InputGainScalar AS_FOUR('i', 'g', 's', 'c')
#define kAudioSessionProperty_AudioRouteDescription AS_FOUR('c', 'r', 'a', 'r')

typedef void (*AudioSessionInterruptionListener)(void *inClientData, UInt32 inInterruptionState);
/* `inData` points to the property's value. For AudioRouteChange it is the CFDictionaryRef
 * itself. The value is valid until the listener returns. */
typedef void (*AudioSessionPropertyListener)(
    void *inClientData, AudioSessionPropertyID inID, UInt32 inDataSize, const void *inData);

/* Creates the session. Call it once in a process. The run loop and its mode are ignored. */
AS_OLD OSStatus AudioSessionInitialize(
    CFRunLoopRef inRunLoop, CFStringRef inRunLoopMode, AudioSessionInterruptionListener inInterruptionListener,
    void *inClientData);

/* Activates or deactivates the session. Without flags, deactivation does not notify interrupted
 * sessions that they may resume. */
AS_OLD OSStatus AudioSessionSetActive(Boolean active);
AS_OLD OSStatus AudioSessionSetActiveWithFlags(Boolean active, UInt32 inFlags);

/* Gets a property's value. The caller releases an object with CFRelease. */
AS_OLD OSStatus AudioSessionGetProperty(AudioSessionPropertyID inID, UInt32 *ioDataSize, void *outData);
AS_OLD OSStatus AudioSessionSetProperty(AudioSessionPropertyID inID, UInt32 inDataSize, const void *inData);
AS_OLD OSStatus AudioSessionGetPropertySize(AudioSessionPropertyID inID, UInt32 *outDataSize);

/* Adds a listener for a property and `inClientData`. Another call with the same values replaces
 * it. */
AS_OLD OSStatus AudioSessionAddPropertyListener(
    AudioSessionPropertyID inID, AudioSessionPropertyListener inProc, void *inClientData);
AS_OLD OSStatus AudioSessionRemovePropertyListenerWithUserData(
    AudioSessionPropertyID inID, AudioSessionPropertyListener inProc, void *inClientData);
/* Removes all listeners of the property. */
AS_OLD OSStatus AudioSessionRemovePropertyListener(AudioSessionPropertyID inID);

#ifdef __cplusplus
}
#endif
#endif
