/* Every property of the old interface, and every function of its Core Foundation. Says what is not as it should be. */
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
#define CHECK(condition) \
    do { \
        if (!(condition)) failures++, printf("line %d: not %s\n", __LINE__, #condition); \
    } while (0)

static OSStatus set(AudioSessionPropertyID property, UInt32 value) {
    return AudioSessionSetProperty(property, sizeof value, &value);
}

static UInt32 get(AudioSessionPropertyID property) {
    UInt32 value = 0xffffffff, size = sizeof value;
    CHECK(AudioSessionGetProperty(property, &size, &value) == kAudioSessionNoError && size == sizeof value);
    return value;
}

static void listen(void *data, AudioSessionPropertyID property, UInt32 size, const void *value) {
    (void)data, (void)property, (void)size, (void)value;
}

static void checkBefore(void) {
    UInt32 size = 4, value = 0;
    CHECK(AudioSessionSetActive(1) == kAudioSessionNotInitialized);
    CHECK(AudioSessionGetProperty(kAudioSessionProperty_Mode, &size, &value) == kAudioSessionNotInitialized);
    CHECK(set(kAudioSessionProperty_Mode, kAudioSessionMode_Default) == kAudioSessionNotInitialized);
    CHECK(AudioSessionGetPropertySize(kAudioSessionProperty_Mode, &size) == kAudioSessionNotInitialized);
    CHECK(AudioSessionAddPropertyListener(kAudioSessionProperty_ServerDied, listen, NULL) == kAudioSessionNotInitialized);
    CHECK(AudioSessionRemovePropertyListener(kAudioSessionProperty_ServerDied) == kAudioSessionNotInitialized);
}

static void checkCategories(void) {
    CHECK(get(kAudioSessionProperty_AudioCategory) == kAudioSessionCategory_SoloAmbientSound);
    CHECK(set(kAudioSessionProperty_AudioCategory, kAudioSessionCategory_AudioProcessing) ==
          kAudioSessionUnsupportedPropertyError);
    CHECK(set(kAudioSessionProperty_AudioCategory, kAudioSessionCategory_PlayAndRecord) == kAudioSessionNoError);
    CHECK(set(kAudioSessionProperty_Mode, kAudioSessionMode_VoiceChat) == kAudioSessionNoError);
    CHECK(set(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput, 1) == kAudioSessionNoError);
    CHECK(set(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker, 1) == kAudioSessionNoError);
    CHECK(get(kAudioSessionProperty_Mode) == kAudioSessionMode_VoiceChat);
    CHECK(get(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput) == 1);
    CHECK(set(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput, 0) == kAudioSessionNoError);
    CHECK(get(kAudioSessionProperty_OverrideCategoryEnableBluetoothInput) == 0);
    CHECK(set(kAudioSessionProperty_OverrideAudioRoute, kAudioSessionOverrideAudioRoute_Speaker) == kAudioSessionNoError);
    CHECK(set(kAudioSessionProperty_OverrideAudioRoute, 7) == kAudioSessionUnsupportedPropertyError);
    CHECK(set(kAudioSessionProperty_OverrideAudioRoute, kAudioSessionOverrideAudioRoute_None) == kAudioSessionNoError);
    CHECK(set(kAudioSessionProperty_AudioCategory, kAudioSessionCategory_LiveAudio) == kAudioSessionNoError);
    CHECK(get(kAudioSessionProperty_AudioCategory) == kAudioSessionCategory_LiveAudio);
    CHECK(get(kAudioSessionProperty_Mode) == kAudioSessionMode_Default);
    CHECK(get(kAudioSessionProperty_OverrideCategoryDefaultToSpeaker) == 0);
    CHECK(set(kAudioSessionProperty_OverrideCategoryMixWithOthers, 1) == kAudioSessionNoError);
    CHECK(set(kAudioSessionProperty_OtherMixableAudioShouldDuck, 1) == kAudioSessionNoError);
    CHECK(get(kAudioSessionProperty_OtherMixableAudioShouldDuck) == 1);
    /* What cannot be is not kept. */
    CHECK(set(kAudioSessionProperty_Mode, kAudioSessionMode_GameChat) != kAudioSessionNoError);
    CHECK(get(kAudioSessionProperty_Mode) == kAudioSessionMode_Default);
}

static void checkNumbers(void) {
    Float64 rate = 44100;
    Float32 seconds = 0.01f, gain = 2;
    UInt32 size = sizeof rate;
    CHECK(AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareSampleRate, size, &rate) == kAudioSessionNoError);
    rate = 0;
    CHECK(AudioSessionGetProperty(kAudioSessionProperty_PreferredHardwareSampleRate, &size, &rate) == 0 && rate == 44100);
    CHECK(AudioSessionGetProperty(kAudioSessionProperty_CurrentHardwareSampleRate, &size, &rate) == 0 && rate == 48000);
    rate = -1;
    CHECK(AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareSampleRate, size, &rate) ==
          kAudioSessionUnsupportedPropertyError);
    size = sizeof seconds;
    CHECK(AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareIOBufferDuration, size, &seconds) == 0);
    seconds = 0;
    CHECK(AudioSessionGetProperty(kAudioSessionProperty_PreferredHardwareIOBufferDuration, &size, &seconds) == 0 &&
          seconds == 0.01f);
    const AudioSessionPropertyID small[] = {
        kAudioSessionProperty_CurrentHardwareIOBufferDuration, kAudioSessionProperty_CurrentHardwareOutputVolume,
        kAudioSessionProperty_CurrentHardwareInputLatency, kAudioSessionProperty_CurrentHardwareOutputLatency,
        kAudioSessionProperty_InputGainScalar};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        CHECK(AudioSessionGetProperty(small[i], &size, &gain) == 0 && gain >= 0 && gain <= 1);
    CHECK(get(kAudioSessionProperty_CurrentHardwareOutputNumberChannels) == 2);
    get(kAudioSessionProperty_CurrentHardwareInputNumberChannels);
    CHECK(get(kAudioSessionProperty_AudioInputAvailable) == 1);
    CHECK(get(kAudioSessionProperty_OtherAudioIsPlaying) == 0);
    get(kAudioSessionProperty_InputGainAvailable);
    /* A category that does not record. */
    CHECK(AudioSessionSetProperty(kAudioSessionProperty_InputGainScalar, sizeof gain, &gain) ==
          kAudioSessionIncompatibleCategory);
}

static void checkMisuse(void) {
    UInt32 size = 3, value = 0;
    CHECK(AudioSessionInitialize(NULL, NULL, NULL, NULL) == kAudioSessionAlreadyInitialized);
    CHECK(AudioSessionGetProperty(kAudioSessionProperty_Mode, &size, &value) == kAudioSessionBadPropertySizeError);
    CHECK(AudioSessionGetProperty(kAudioSessionProperty_Mode, NULL, &value) == kAudioSessionUnsupportedPropertyError);
    CHECK(AudioSessionSetProperty(kAudioSessionProperty_Mode, 8, &value) == kAudioSessionBadPropertySizeError);
    CHECK(AudioSessionSetProperty(kAudioSessionProperty_Mode, 4, NULL) == kAudioSessionUnsupportedPropertyError);
    size = sizeof(void *);
    void *pointer;
    CHECK(AudioSessionGetProperty(kAudioSessionProperty_AudioRouteChange, &size, &pointer) ==
          kAudioSessionUnsupportedPropertyError);
    CHECK(AudioSessionGetProperty(kAudioSessionProperty_InterruptionType, &size, &value) ==
          kAudioSessionUnsupportedPropertyError);
    CHECK(set(AS_FOUR('n', 'o', 'n', 'e'), 1) == kAudioSessionUnsupportedPropertyError);
    CHECK(set(kAudioSessionProperty_OtherAudioIsPlaying, 1) == kAudioSessionUnsupportedPropertyError);
    CHECK(AudioSessionGetPropertySize(kAudioSessionProperty_AudioRoute, &size) == 0 && size == sizeof(void *));
    CHECK(AudioSessionGetPropertySize(AS_FOUR('n', 'o', 'n', 'e'), &size) == kAudioSessionUnsupportedPropertyError);

    const AudioSessionPropertyID volume = kAudioSessionProperty_CurrentHardwareOutputVolume;
    CHECK(AudioSessionAddPropertyListener(kAudioSessionProperty_Mode, listen, NULL) ==
          kAudioSessionUnsupportedPropertyError);
    CHECK(AudioSessionAddPropertyListener(volume, NULL, NULL) == kAudioSessionUnsupportedPropertyError);
    CHECK(AudioSessionAddPropertyListener(volume, listen, NULL) == 0);
    CHECK(AudioSessionAddPropertyListener(volume, listen, &size) == 0);
    CHECK(AudioSessionRemovePropertyListenerWithUserData(volume, listen, &size) == 0);
    CHECK(AudioSessionRemovePropertyListenerWithUserData(volume, NULL, &size) == kAudioSessionUnsupportedPropertyError);
    CHECK(AudioSessionRemovePropertyListener(volume) == 0);
}

static void checkFoundation(void) {
    char text[6];
    CFStringRef made = CFStringCreateWithCString(kCFAllocatorDefault, "Speaker", kCFStringEncodingUTF8);
    CHECK(CFEqual(made, CFSTR("Speaker")) && !CFEqual(made, CFSTR("Line")) && !CFEqual(made, NULL));
    CHECK(CFEqual(CFSTR("Speaker"), CFSTR("Speaker")));
    CHECK(CFStringCompare(made, CFSTR("speaker"), kCFCompareCaseInsensitive) == kCFCompareEqualTo);
    CHECK(CFStringCompare(made, CFSTR("Line"), 0) == kCFCompareGreaterThan);
    CHECK(CFStringCompare(NULL, made, 0) == kCFCompareLessThan && CFStringCompare(NULL, NULL, 0) == kCFCompareEqualTo);
    CHECK(CFStringHasPrefix(made, CFSTR("Speak")) && !CFStringHasPrefix(made, CFSTR("Speakers")));
    CHECK(CFStringGetLength(made) == 7 && !CFStringGetCString(made, text, sizeof text, kCFStringEncodingASCII));
    CHECK(strcmp(CFStringGetCStringPtr(CFRetain(made), kCFStringEncodingUTF8), "Speaker") == 0);
    CFRelease(made);
    CFRelease(made);
    CFRelease(NULL);
    CFRelease(CFSTR("Speaker"));

    SInt64 large = 1ll << 40;
    SInt32 small = 0;
    Float64 real = 0;
    CFNumberRef number = CFNumberCreate(NULL, kCFNumberSInt64Type, &large);
    CHECK(!CFNumberGetValue(number, kCFNumberIntType, &small) && CFNumberGetValue(number, kCFNumberDoubleType, &real));
    CHECK(real == (Float64)large && !CFNumberGetValue(NULL, kCFNumberIntType, &small));
    real = 2.5;
    CFNumberRef half = CFNumberCreate(NULL, kCFNumberDoubleType, &real);
    CHECK(!CFNumberGetValue(half, kCFNumberSInt32Type, &small) && small == 2 && !CFEqual(number, half));
    CFRelease(number);
    CFRelease(half);
    CHECK(CFDictionaryGetValue(NULL, CFSTR("key")) == NULL && CFDictionaryGetCount(NULL) == 0);
}

int main(void) {
    checkBefore();
    CHECK(AudioSessionInitialize(CFRunLoopGetMain(), kCFRunLoopDefaultMode, NULL, NULL) == kAudioSessionNoError);
    checkCategories();
    checkNumbers();
    checkMisuse();
    checkFoundation();
    CHECK(AudioSessionSetActive(1) == kAudioSessionNoError);
    CHECK(AudioSessionSetActiveWithFlags(0, kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation) == 0);
    puts(failures ? "failed" : "passed");
    return failures != 0;
}
