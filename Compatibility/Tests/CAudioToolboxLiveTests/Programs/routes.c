/* Descriptions of routes as programs for iOS 5 read them. Prints what is wrong, each change of the
 * route, and at each line of input the outputs. */
#include <AudioToolbox/AudioToolbox.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>

static int failures;
#define CHECK(condition) \
    do { \
        if (!(condition)) failures++, printf("line %d: not %s\n", __LINE__, #condition); \
    } while (0)

/* The current route of the last change. */
static _Atomic(CFDictionaryRef) delivered;

static CFTypeRef get(AudioSessionPropertyID property) {
    CFTypeRef object = NULL;
    UInt32 size = sizeof(object);
    CHECK(AudioSessionGetProperty(property, &size, &object) == noErr && size == sizeof(object));
    return object;
}

/* The value of the key in the only port, if it is the only one. */
static CFStringRef only(CFDictionaryRef route, CFStringRef direction, CFStringRef key) {
    CFArrayRef ports = (CFArrayRef)CFDictionaryGetValue(route, direction);
    if (CFGetTypeID(ports) != CFArrayGetTypeID() || CFArrayGetCount(ports) != 1) return CFSTR("none");
    return (CFStringRef)CFDictionaryGetValue((CFDictionaryRef)CFArrayGetValueAtIndex(ports, 0), key);
}

static const char *output(CFDictionaryRef route) {
    CFStringRef type = only(route, kAudioSession_AudioRouteKey_Outputs, kAudioSession_AudioRouteKey_Type);
    return CFStringGetCStringPtr(type, kCFStringEncodingUTF8);
}

static void listen(void *data, AudioSessionPropertyID property, UInt32 size, const void *value) {
    (void)data, (void)property, (void)size;
    CFDictionaryRef change = (CFDictionaryRef)value;
    CFDictionaryRef from = (CFDictionaryRef)CFDictionaryGetValue(
        change, kAudioSession_AudioRouteChangeKey_PreviousRouteDescription);
    CFDictionaryRef to = (CFDictionaryRef)CFDictionaryGetValue(
        change, kAudioSession_AudioRouteChangeKey_CurrentRouteDescription);
    SInt32 reason = -1;
    CFNumberGetValue(CFDictionaryGetValue(change, kAudioSession_RouteChangeKey_Reason), kCFNumberSInt32Type, &reason);
    CFRelease(atomic_exchange(&delivered, (CFDictionaryRef)CFRetain(to)));
    printf("from %s to %s, reason %d\n", output(from), output(to), (int)reason);
}

static void sayRoute(void) {
    CFDictionaryRef route = (CFDictionaryRef)get(kAudioSessionProperty_AudioRouteDescription);
    printf("on %s%s\n", output(route), CFEqual(route, atomic_load(&delivered)) ? ", as notified" : "");
    CFRelease(route);
}

static void setCategory(UInt32 category) {
    CHECK(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof(category), &category) == noErr);
}

static void checkDescription(void) {
    CFDictionaryRef route = (CFDictionaryRef)get(kAudioSessionProperty_AudioRouteDescription);
    CFDictionaryRef again = (CFDictionaryRef)get(kAudioSessionProperty_AudioRouteDescription);
    CHECK(CFGetTypeID(route) == CFDictionaryGetTypeID() && CFDictionaryGetCount(route) == 2);
    CHECK(route != again && CFEqual(route, again));
    const CFStringRef outputs = kAudioSession_AudioRouteKey_Outputs, inputs = kAudioSession_AudioRouteKey_Inputs;
    CHECK(only(route, outputs, kAudioSession_AudioRouteKey_Type) == kAudioSessionOutputRoute_Headphones);
    CHECK(CFEqual(only(route, outputs, CFSTR("RouteDetailedDescription_Name")), CFSTR("Headphones")));
    CHECK(CFStringGetLength(only(route, outputs, CFSTR("RouteDetailedDescription_UID"))) > 0);
    /* No session records. */
    CHECK(CFArrayGetCount((CFArrayRef)CFDictionaryGetValue(route, inputs)) == 0);
    setCategory(kAudioSessionCategory_PlayAndRecord);
    CFRelease(again);
    again = (CFDictionaryRef)get(kAudioSessionProperty_AudioRouteDescription);
    CHECK(only(again, inputs, kAudioSession_AudioRouteKey_Type) == kAudioSessionInputRoute_BuiltInMic);
    CHECK(!CFEqual(route, again));
    setCategory(kAudioSessionCategory_MediaPlayback);
    CFRelease(route);
    CFRelease(again);
}

/* There are none, and so there is none to choose. */
static void checkSources(void) {
    const AudioSessionPropertyID lists[] = {
        kAudioSessionProperty_InputSources, kAudioSessionProperty_OutputDestinations};
    const AudioSessionPropertyID choices[] = {
        kAudioSessionProperty_InputSource, kAudioSessionProperty_OutputDestination};
    SInt32 one = 1;
    CFNumberRef number = CFNumberCreate(kCFAllocatorDefault, kCFNumberSInt32Type, &one);
    for (int i = 0; i < 2; i++) {
        CFArrayRef list = (CFArrayRef)get(lists[i]);
        CHECK(CFGetTypeID(list) == CFArrayGetTypeID() && CFArrayGetCount(list) == 0);
        CHECK(CFArrayGetValueAtIndex(list, 0) == NULL && CFArrayGetValueAtIndex(list, -1) == NULL);
        CFRelease(list);
        CHECK(AudioSessionAddPropertyListener(lists[i], listen, NULL) == noErr);
        CHECK(AudioSessionSetProperty(choices[i], sizeof(number), &number) == kAudioSessionUnsupportedPropertyError);
        CFTypeRef object = NULL;
        UInt32 size = sizeof(object);
        CHECK(AudioSessionGetProperty(choices[i], &size, &object) == kAudioSessionUnsupportedPropertyError && !object);
    }
    CFRelease(number);
}

static void checkSizes(void) {
    const AudioSessionPropertyID objects[] = {
        kAudioSessionProperty_AudioRouteDescription, kAudioSessionProperty_InputSources,
        kAudioSessionProperty_OutputDestinations, kAudioSessionProperty_InputSource,
        kAudioSessionProperty_OutputDestination};
    for (size_t i = 0; i < sizeof(objects) / sizeof(*objects); i++) {
        CFTypeRef object = NULL;
        UInt32 size = 0;
        CHECK(AudioSessionGetPropertySize(objects[i], &size) == noErr && size == sizeof(object));
        size = 4;
        CHECK(AudioSessionGetProperty(objects[i], &size, &object) == kAudioSessionBadPropertySizeError && !object);
        CHECK(AudioSessionSetProperty(objects[i], 4, &object) == kAudioSessionBadPropertySizeError);
    }
    CFTypeRef route = CFSTR("route");
    CHECK(AudioSessionSetProperty(objects[0], sizeof(route), &route) == kAudioSessionUnsupportedPropertyError);
    CHECK(AudioSessionAddPropertyListener(objects[0], listen, NULL) == kAudioSessionUnsupportedPropertyError);
}

/* What is got is the caller's, who can give back all of it. */
static void checkNothingIsLeft(void) {
    const int rounds = 4000;
    size_t before = 0;
    for (int i = -100; i < rounds; i++) {
        if (i == 0) before = mallinfo2().uordblks;
        CFRelease(get(kAudioSessionProperty_AudioRouteDescription));
        CFRelease(get(kAudioSessionProperty_InputSources));
    }
    size_t after = mallinfo2().uordblks;
    CHECK(after < before + 16 * (size_t)rounds);
}

static void checkWords(void) {
    const struct { const CFStringRef *word; const char *text; } words[] = {
        {&kAudioSession_RouteChangeKey_Reason, kAudioSession_AudioRouteChangeKey_Reason},
        {&kAudioSession_AudioRouteChangeKey_PreviousRouteDescription, "ActiveAudioRouteDidChange_OldDetailedRoute"},
        {&kAudioSession_AudioRouteChangeKey_CurrentRouteDescription, "ActiveAudioRouteDidChange_NewDetailedRoute"},
        {&kAudioSession_AudioRouteKey_Inputs, "RouteDetailedDescription_Inputs"},
        {&kAudioSession_AudioRouteKey_Outputs, "RouteDetailedDescription_Outputs"},
        {&kAudioSession_AudioRouteKey_Type, "RouteDetailedDescription_PortType"},
        {&kAudioSessionInputRoute_LineIn, "LineIn"},
        {&kAudioSessionInputRoute_BuiltInMic, "MicrophoneBuiltIn"},
        {&kAudioSessionInputRoute_HeadsetMic, "MicrophoneWired"},
        {&kAudioSessionInputRoute_BluetoothHFP, "MicrophoneBluetooth"},
        {&kAudioSessionInputRoute_USBAudio, "USBInput"},
        {&kAudioSessionOutputRoute_LineOut, "LineOut"},
        {&kAudioSessionOutputRoute_Headphones, "Headphones"},
        {&kAudioSessionOutputRoute_BluetoothHFP, "BluetoothHFPOutput"},
        {&kAudioSessionOutputRoute_BluetoothA2DP, "BluetoothA2DPOutput"},
        {&kAudioSessionOutputRoute_BuiltInReceiver, "Receiver"},
        {&kAudioSessionOutputRoute_BuiltInSpeaker, "Speaker"},
        {&kAudioSessionOutputRoute_USBAudio, "USBOutput"},
        {&kAudioSessionOutputRoute_HDMI, "HDMIOutput"},
        {&kAudioSessionOutputRoute_AirPlay, "AirPlay"},
        {&kAudioSession_InputSourceKey_ID, "input source ID"},
        {&kAudioSession_InputSourceKey_Description, "input source name"},
        {&kAudioSession_OutputDestinationKey_ID, "output destination ID"},
        {&kAudioSession_OutputDestinationKey_Description, "output destination name"}};
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        CFStringRef text = CFStringCreateWithCString(kCFAllocatorDefault, words[i].text, kCFStringEncodingUTF8);
        CHECK(CFEqual(*words[i].word, text) && CFGetTypeID(text) == CFStringGetTypeID());
        CFRelease(text);
    }
}

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    CHECK(AudioSessionInitialize(NULL, NULL, NULL, NULL) == noErr);
    setCategory(kAudioSessionCategory_MediaPlayback);
    checkWords();
    checkDescription();
    checkSources();
    checkSizes();
    checkNothingIsLeft();
    CHECK(AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, listen, NULL) == noErr);
    CHECK(AudioSessionSetActive(1) == noErr);
    puts(failures ? "failed" : "passed");
    char line[16];
    while (fgets(line, sizeof(line), stdin)) sayRoute();
    return failures != 0;
}
