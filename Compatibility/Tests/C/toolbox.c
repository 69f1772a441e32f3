/* CAudioToolbox: its Core Foundation, and the audio session of iPhone OS 3 over a stand-in for audiosession.h. */
#include "harness.h"
#include "session.h"
#include "stand_in.h"

#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static CFStringRef text_of(const char *text) {
    return CFStringCreateWithCString(kCFAllocatorDefault, text, kCFStringEncodingUTF8);
}

/* ---- Core Foundation */

TEST("Core Foundation", "strings are copied, compared and written into buffers of exact size") {
    char *source = strdup("Port \xc3\xa4");
    CFStringRef string = text_of(source);
    free(source);
    CHECK_EQUAL(CFStringGetLength(string), 7);
    for (CFIndex size = 0; size <= 8; size++) {
        char *buffer = malloc((size_t)size + 1);
        CHECK_EQUAL(CFStringGetCString(string, buffer, size, kCFStringEncodingUTF8), size == 8);
        free(buffer);
    }
    CHECK_TEXT(CFStringGetCStringPtr(string, kCFStringEncodingASCII), "Port \xc3\xa4");
    CFStringRef lower = text_of("port \xc3\xa4"), prefix = text_of("Port"), empty = text_of("");
    CHECK_EQUAL(CFStringCompare(string, lower, 0), kCFCompareLessThan);
    CHECK_EQUAL(CFStringCompare(lower, string, 0), kCFCompareGreaterThan);
    CHECK_EQUAL(CFStringCompare(string, lower, kCFCompareCaseInsensitive), kCFCompareEqualTo);
    CHECK_EQUAL(CFStringCompare(NULL, string, 0), kCFCompareLessThan);
    CHECK(CFStringHasPrefix(string, prefix) && CFStringHasPrefix(string, empty));
    CHECK(!CFStringHasPrefix(prefix, string));
    CHECK(!CFEqual(string, lower) && CFEqual(string, string) && !CFEqual(string, NULL));
    static CFStringRef const constant = CFSTR("a");
    CHECK(CFEqual(constant, CFSTR("a")) && !CFEqual(constant, CFSTR("b")) && !CFEqual(constant, string));
    CHECK(CFGetTypeID(constant) == CFStringGetTypeID());
    CHECK_TEXT(CFStringGetCStringPtr(constant, kCFStringEncodingMacRoman), "a");
    CFRelease(CFRetain(CFSTR("a")));
    CFRelease(CFSTR("a"));
    CFRetain(string);
    CFTypeRef all[] = {string, string, lower, prefix, empty, NULL};
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        CFRelease(all[i]);
}

TEST("Core Foundation", "parts of strings are found from both ends") {
    CFStringRef string = CFSTR("HeadHead");
    CHECK_EQUAL(CFStringFind(string, CFSTR("Head"), 0).location, 0);
    CHECK_EQUAL(CFStringFind(string, CFSTR("Head"), 0).length, 4);
    CHECK_EQUAL(CFStringFind(string, CFSTR("Head"), kCFCompareBackwards).location, 4);
    CHECK_EQUAL(CFStringFind(string, CFSTR("dh"), 0).location, kCFNotFound);
    CHECK_EQUAL(CFStringFind(string, CFSTR("dh"), kCFCompareCaseInsensitive).location, 3);
    CHECK_EQUAL(CFStringFind(string, CFSTR("dH"), kCFCompareAnchored).location, kCFNotFound);
    CHECK_EQUAL(CFStringFind(string, CFSTR(""), 0).location, kCFNotFound);
    CHECK_EQUAL(CFStringFind(string, CFSTR("HeadHeadHead"), 0).location, kCFNotFound);
    CHECK(CFStringHasSuffix(string, CFSTR("dHead")) && !CFStringHasSuffix(string, CFSTR("dHea")));
    CHECK(CFStringHasSuffix(string, CFSTR("")) && CFStringHasPrefix(string, string));
}

TEST("Core Foundation", "integers change their byte order for the wire") {
    uint32_t wire = CFSwapInt32HostToBig(0x01020304);
    CHECK(memcmp(&wire, "\1\2\3\4", 4) == 0 && CFSwapInt32BigToHost(wire) == 0x01020304);
    uint16_t half = CFSwapInt16HostToLittle(0x0102);
    CHECK(memcmp(&half, "\2\1", 2) == 0 && CFSwapInt16LittleToHost(half) == 0x0102);
    CHECK(CFSwapInt64(CFSwapInt64HostToBig(1)) == CFSwapInt64HostToLittle(1));
}

TEST("Core Foundation", "NULL is accepted everywhere") {
    char buffer[4];
    int32_t number = 0;
    CHECK(text_of(NULL) == NULL && CFRetain(NULL) == NULL);
    CHECK(CFStringFind(NULL, NULL, 0).location == kCFNotFound && !CFStringHasSuffix(NULL, NULL));
    CFShow(NULL);
    CHECK(!CFStringGetCString(NULL, buffer, 4, 0) && !CFStringHasPrefix(NULL, NULL) && CFStringGetLength(NULL) == 0);
    CHECK(CFStringGetCStringPtr(NULL, 0) == NULL && CFGetTypeID(NULL) == 0 && CFEqual(NULL, NULL));
    CHECK(CFNumberCreate(NULL, kCFNumberIntType, NULL) == NULL && !CFNumberGetValue(NULL, kCFNumberIntType, &number));
    CHECK(CFArrayGetCount(NULL) == 0 && CFArrayGetValueAtIndex(NULL, 0) == NULL);
    CHECK(CFDictionaryGetCount(NULL) == 0 && CFDictionaryGetValue(NULL, NULL) == NULL);
    CHECK(!CFDictionaryContainsKey(NULL, CFSTR("a")));
}

static const CFNumberType number_types[] = {
    kCFNumberSInt8Type, kCFNumberSInt16Type, kCFNumberSInt32Type, kCFNumberSInt64Type, kCFNumberFloat32Type,
    kCFNumberFloat64Type, kCFNumberCharType, kCFNumberShortType, kCFNumberIntType, kCFNumberLongType,
    kCFNumberLongLongType, kCFNumberFloatType, kCFNumberDoubleType, kCFNumberCFIndexType,
};
static const size_t number_sizes[] = {1, 2, 4, 8, 4, 8, 1, 2, 4, 8, 8, 4, 8, 8};

TEST("Core Foundation", "numbers are read and written in their own size, extremes included") {
    static const double extremes[] = {0, -1, 127, 128, -129, 65535, 4294967296.0, 9.1e18, -9.3e18, 1e300, 0.5};
    enum { TYPES = sizeof(number_types) / sizeof(*number_types), EXTREMES = sizeof(extremes) / sizeof(*extremes) };
    for (size_t from = 0; from < TYPES; from++) {
        for (size_t i = 0; i < EXTREMES + 2; i++) {
            double real = i < EXTREMES ? extremes[i] : i == EXTREMES ? (double)NAN : (double)INFINITY;
            float small = (float)real;
            int64_t whole = real > -9e18 && real < 9e18 ? (int64_t)real : INT64_MIN;
            bool is_real = number_types[from] == kCFNumberFloat64Type || number_types[from] == kCFNumberDoubleType;
            bool is_small = number_types[from] == kCFNumberFloat32Type || number_types[from] == kCFNumberFloatType;
            void *source = malloc(number_sizes[from]);
            memcpy(source, is_real ? (void *)&real : is_small ? (void *)&small : (void *)&whole, number_sizes[from]);
            CFNumberRef number = CFNumberCreate(kCFAllocatorDefault, number_types[from], source);
            CHECK(CFEqual(number, number) && CFGetTypeID(number) == CFNumberGetTypeID());
            for (size_t to = 0; to < TYPES; to++) {
                void *value = malloc(number_sizes[to]);
                bool is_same = CFNumberGetValue(number, number_types[to], value);
                CHECK(from != to || is_same || is_real || is_small);
                free(value);
            }
            CFRelease(number);
            free(source);
        }
    }
    CHECK(CFNumberCreate(NULL, (CFNumberType)99, extremes) == NULL);
}

static void *use_strings(void *shared) {
    for (int i = 0; i < 500; i++) {
        CFRelease(CFRetain(CFSTR("constant")));
        CFRetain(shared);
        CFRelease(shared);
    }
    CFRelease(shared);
    return NULL;
}

TEST("Core Foundation", "threads share strings") {
    pthread_t threads[4];
    CFStringRef shared = text_of("shared");
    for (int i = 0; i < 4; i++) {
        CFRetain(shared);
        REQUIRE(pthread_create(&threads[i], NULL, use_strings, (void *)shared) == 0);
    }
    CFRelease(shared);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

static void *run_loop(void *unused) {
    (void)unused;
    journal("runs");
    CFRunLoopRun();
    journal("stopped");
    return NULL;
}

static void *run_loop_in_mode(void *unused) {
    (void)unused;
    journal("%s", CFRunLoopRunInMode(kCFRunLoopDefaultMode, INFINITY, false) == kCFRunLoopRunStopped ? "stopped" : "late");
    return NULL;
}

TEST("Core Foundation", "a run loop runs for a time, or until it is stopped") {
    CHECK_EQUAL(CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.01, false), kCFRunLoopRunTimedOut);
    CHECK_EQUAL(CFRunLoopRunInMode(NULL, -1, true), kCFRunLoopRunTimedOut);
    CHECK_EQUAL(CFRunLoopRunInMode(NULL, NAN, true), kCFRunLoopRunTimedOut);
    pthread_t thread;
    REQUIRE(pthread_create(&thread, NULL, run_loop_in_mode, NULL) == 0);
    AWAIT_TRUE("end of the run loop", (CFRunLoopStop(CFRunLoopGetMain()), journal_count("stopped") == 1));
    pthread_join(thread, NULL);
}

TEST("Core Foundation", "a run loop runs until it is stopped") {
    pthread_t thread;
    REQUIRE(pthread_create(&thread, NULL, run_loop, NULL) == 0);
    AWAIT("runs");
    CHECK(CFRunLoopGetCurrent() == CFRunLoopGetMain());
    AWAIT_TRUE("end of the run loop", (CFRunLoopStop(CFRunLoopGetMain()), journal_count("stopped") == 1));
    pthread_join(thread, NULL);
}

/* ---- The audio session */

static const AudioSessionPropertyID properties[] = {
    kAudioSessionProperty_PreferredHardwareSampleRate, kAudioSessionProperty_PreferredHardwareIOBufferDuration,
    kAudioSessionProperty_AudioCategory, kAudioSessionProperty_AudioRoute, kAudioSessionProperty_AudioRouteChange,
    kAudioSessionProperty_CurrentHardwareSampleRate, kAudioSessionProperty_CurrentHardwareInputNumberChannels,
    kAudioSessionProperty_CurrentHardwareOutputNumberChannels, kAudioSessionProperty_CurrentHardwareOutputVolume,
    kAudioSessionProperty_CurrentHardwareInputLatency, kAudioSessionProperty_CurrentHardwareOutputLatency,
    kAudioSessionProperty_CurrentHardwareIOBufferDuration, kAudioSessionProperty_OtherAudioIsPlaying,
    kAudioSessionProperty_OverrideAudioRoute, kAudioSessionProperty_AudioInputAvailable,
    kAudioSessionProperty_ServerDied, kAudioSessionProperty_OtherMixableAudioShouldDuck,
    kAudioSessionProperty_OverrideCategoryMixWithOthers, kAudioSessionProperty_OverrideCategoryDefaultToSpeaker,
    kAudioSessionProperty_OverrideCategoryEnableBluetoothInput, kAudioSessionProperty_InterruptionType,
    kAudioSessionProperty_Mode, kAudioSessionProperty_InputSources, kAudioSessionProperty_OutputDestinations,
    kAudioSessionProperty_InputSource, kAudioSessionProperty_OutputDestination,
    kAudioSessionProperty_InputGainAvailable, kAudioSessionProperty_InputGainScalar,
    kAudioSessionProperty_AudioRouteDescription, AS_FOUR('n', 'o', 'n', 'e'),
};
enum { PROPERTIES = sizeof(properties) / sizeof(*properties) };

static bool is_object(AudioSessionPropertyID property) {
    return property == kAudioSessionProperty_AudioRoute || property == kAudioSessionProperty_AudioRouteDescription ||
           property == kAudioSessionProperty_InputSources || property == kAudioSessionProperty_OutputDestinations;
}

static void interrupt(void *data, UInt32 state) {
    UInt32 type = 0, size = sizeof(type);
    bool has_type = AudioSessionGetProperty(kAudioSessionProperty_InterruptionType, &size, &type) == noErr;
    CHECK_EQUAL(has_type, state == kAudioSessionEndInterruption);
    journal("%s %u %d", (const char *)data, state, has_type && type == kAudioSessionInterruptionType_ShouldResume);
}

static void initialize(void) {
    stand_in.ports[AS_DIRECTION_OUTPUT][0] = (as_port){.type = AS_PORT_HEADPHONES, .name = "Headphones", .uid = "u1"};
    stand_in.ports[AS_DIRECTION_INPUT][0] = (as_port){.type = AS_PORT_HEADSET_MIC, .name = "Headset", .uid = "u2"};
    stand_in.port_counts[0] = stand_in.port_counts[1] = 1;
    stand_in.info.output_channels = 2;
    REQUIRE(AudioSessionInitialize(NULL, NULL, interrupt, "interrupted") == kAudioSessionNoError);
}

static void listen(void *data, AudioSessionPropertyID property, UInt32 size, const void *value) {
    (void)size;
    if (property == kAudioSessionProperty_AudioRouteChange) {
        CFNumberRef reason = CFDictionaryGetValue(value, kAudioSession_RouteChangeKey_Reason);
        int32_t number = -1;
        CFNumberGetValue(reason, kCFNumberSInt32Type, &number);
        CFStringRef old = CFDictionaryGetValue(value, CFSTR(kAudioSession_AudioRouteChangeKey_OldRoute));
        journal("route change %d %s", number, CFStringGetCStringPtr(old, 0));
    } else {
        UInt32 word;
        memcpy(&word, value, sizeof(word));
        journal("%s %#x", (const char *)data, word);
    }
}

/* In the middle of a notification. */
static void listen_and_remove(void *data, AudioSessionPropertyID property, UInt32 size, const void *value) {
    (void)data, (void)size, (void)value;
    AudioSessionRemovePropertyListener(property);
    AudioSessionAddPropertyListener(property, listen, "added");
    journal("removed");
}

TEST("audio session", "before initialization every function fails") {
    UInt32 size = 4, value = 0;
    CHECK_EQUAL(AudioSessionSetActive(true), kAudioSessionNotInitialized);
    CHECK_EQUAL(AudioSessionGetPropertySize(properties[0], &size), kAudioSessionNotInitialized);
    CHECK_EQUAL(AudioSessionGetProperty(properties[0], &size, &value), kAudioSessionNotInitialized);
    CHECK_EQUAL(AudioSessionSetProperty(properties[0], 4, &value), kAudioSessionNotInitialized);
    CHECK_EQUAL(AudioSessionAddPropertyListener(properties[8], listen, NULL), kAudioSessionNotInitialized);
    CHECK_EQUAL(AudioSessionRemovePropertyListener(properties[8]), kAudioSessionNotInitialized);
}

TEST("audio session", "a failed initialization has no effect and can be repeated") {
    stand_in.open_status = AS_ERROR_MEDIA_SERVICES_FAILED;
    CHECK_EQUAL(AudioSessionInitialize(NULL, NULL, NULL, NULL), kAudioSessionInitializationError);
    stand_in.open_status = AS_OK;
    stand_in.create_status = AS_ERROR_RESOURCES_EXHAUSTED;
    CHECK_EQUAL(AudioSessionInitialize(NULL, NULL, NULL, NULL), kAudioSessionInitializationError);
    CHECK_EQUAL(journal_count("open"), 2);
    CHECK_EQUAL(journal_count("close"), 1);
    stand_in.create_status = AS_OK;
    initialize();
    CHECK_EQUAL(AudioSessionInitialize(NULL, NULL, NULL, NULL), kAudioSessionAlreadyInitialized);
}

TEST("audio session", "properties are copied into and from buffers of exact size") {
    initialize();
    for (size_t i = 0; i < PROPERTIES; i++) {
        UInt32 wanted = 0;
        AudioSessionGetPropertySize(properties[i], &wanted);
        for (UInt32 size = 0; size <= 9; size++) {
            UInt32 used = size;
            void *bytes = calloc(1, size > 0 ? size : 1);
            OSStatus result = AudioSessionGetProperty(properties[i], &used, bytes);
            if (wanted == 0 || size >= wanted)
                CHECK(result != kAudioSessionBadPropertySizeError);
            else
                CHECK_EQUAL(result, kAudioSessionBadPropertySizeError);
            if (result == noErr && is_object(properties[i])) {
                CFTypeRef object;
                memcpy(&object, bytes, sizeof(object));
                CHECK(CFGetTypeID(object) != 0);
                CFRelease(object);
            }
            memset(bytes, 0xff, size);
            result = AudioSessionSetProperty(properties[i], size, bytes);
            CHECK(size == wanted || result != noErr);
            free(bytes);
        }
        CHECK_EQUAL(AudioSessionGetProperty(properties[i], NULL, NULL), kAudioSessionUnsupportedPropertyError);
        CHECK_EQUAL(AudioSessionSetProperty(properties[i], 4, NULL), kAudioSessionUnsupportedPropertyError);
    }
}

TEST("audio session", "categories, modes, options and preferences reach the session") {
    initialize();
    UInt32 category = kAudioSessionCategory_PlayAndRecord, mode = kAudioSessionMode_VoiceChat;
    UInt32 on = 1, value = 0, size = 4;
    UInt32 speaker = kAudioSessionOverrideAudioRoute_Speaker;
    Float64 rate = 44100;
    Float32 duration = 0.25f, gain = 0.5f;
    CHECK_EQUAL(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, 4, &category), noErr);
    CHECK_EQUAL(AudioSessionSetProperty(kAudioSessionProperty_Mode, 4, &mode), noErr);
    CHECK_EQUAL(AudioSessionSetProperty(kAudioSessionProperty_OverrideCategoryMixWithOthers, 4, &on), noErr);
    CHECK_EQUAL(journal_count("configure 4 1 0x1"), 1);
    CHECK_EQUAL(AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareSampleRate, 8, &rate), noErr);
    CHECK_EQUAL(AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareIOBufferDuration, 4, &duration),
                noErr);
    CHECK_EQUAL(AudioSessionSetProperty(kAudioSessionProperty_InputGainScalar, 4, &gain), noErr);
    CHECK_EQUAL(AudioSessionSetProperty(kAudioSessionProperty_OverrideAudioRoute, 4, &speaker), noErr);
    CHECK(journal_count("rate 44100") && journal_count("duration 0.25") && journal_count("gain 0.5"));
    CHECK_EQUAL(journal_count("override 1"), 1);
    stand_in.status = AS_ERROR_RESOURCE_NOT_AVAILABLE;
    CHECK_EQUAL(AudioSessionSetProperty(kAudioSessionProperty_OverrideAudioRoute, 4, &speaker), noErr);
    stand_in.status = AS_ERROR_INCOMPATIBLE_CATEGORY;
    CHECK_EQUAL(AudioSessionSetProperty(kAudioSessionProperty_OverrideAudioRoute, 4, &speaker),
                kAudioSessionIncompatibleCategory);
    stand_in.status = AS_ERROR_CANNOT_INTERRUPT_OTHERS;
    category = kAudioSessionCategory_MediaPlayback;
    CHECK_EQUAL(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, 4, &category),
                kAudioSessionUnspecifiedError);
    stand_in.status = AS_OK;
    CHECK_EQUAL(AudioSessionGetProperty(kAudioSessionProperty_AudioCategory, &size, &value), noErr);
    CHECK_EQUAL(value, kAudioSessionCategory_PlayAndRecord);
    static const double numbers[] = {-1, 1e9, 1e300, NAN, INFINITY};
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
        CHECK_EQUAL(AudioSessionSetProperty(kAudioSessionProperty_PreferredHardwareSampleRate, 8, &numbers[i]),
                    kAudioSessionUnsupportedPropertyError);
    CHECK_EQUAL(AudioSessionSetActiveWithFlags(false, kAudioSessionSetActiveFlag_NotifyOthersOnDeactivation), noErr);
    CHECK_EQUAL(AudioSessionSetActive(true), noErr);
    CHECK(journal_count("deactivate 1") == 1 && journal_count("activate") == 1);
}

TEST("audio session", "every status of the session maps to a result") {
    initialize();
    for (int status = AS_OK; status <= AS_ERROR_WRONG_THREAD + 1; status++) {
        UInt32 size = sizeof(CFTypeRef);
        CFTypeRef object = NULL;
        stand_in.status = (as_status)status;
        stand_in.os_status = status == AS_ERROR_IS_BUSY ? 1234 : 0;
        OSStatus result = AudioSessionSetActive(true);
        CHECK_EQUAL(result == noErr, status == AS_OK);
        CHECK_EQUAL(result == 1234, status == AS_ERROR_IS_BUSY);
        CHECK_EQUAL(AudioSessionGetProperty(kAudioSessionProperty_AudioRoute, &size, &object) == noErr,
                    status == AS_OK);
        CFRelease(object);
    }
}

TEST("audio session", "interruptions, routes, volumes and the end of PipeWire reach the listeners") {
    initialize();
    stand_in_send(&(as_event){.type = AS_EVENT_INTERRUPTION_BEGAN});
    stand_in_send(&(as_event){.type = AS_EVENT_INTERRUPTION_ENDED, .should_resume = true});
    CHECK(journal_place("interrupted 0 1") > journal_place("interrupted 1 0"));
    char first[] = "first", second[] = "second";
    for (size_t i = 0; i < PROPERTIES; i++) {
        AudioSessionAddPropertyListener(properties[i], listen, first);
        AudioSessionAddPropertyListener(properties[i], listen, second);
        AudioSessionAddPropertyListener(properties[i], listen, second);
    }
    as_route *previous = stand_in_route();
    stand_in.info.input_channels = 1;
    stand_in.port_counts[AS_DIRECTION_INPUT] = 3;
    as_route *current = stand_in_route();
    as_event event = {.type = AS_EVENT_ROUTE_CHANGED, .reason = AS_ROUTE_CHANGE_NEW_DEVICE_AVAILABLE};
    event.previous_route = previous, event.current_route = current;
    stand_in_send(&event);
    CHECK_EQUAL(journal_count("route change 1 HeadsetInOut"), 2);
    CHECK_EQUAL(journal_count("second 0x1"), 2); /* an input, which has a channel */
    stand_in_send(&(as_event){.type = AS_EVENT_ROUTE_CHANGED});
    CHECK_EQUAL(journal_count("route change 0"), 2);
    as_route_free(previous);
    as_route_free(current);
    stand_in_send(&(as_event){.type = AS_EVENT_OUTPUT_VOLUME_CHANGED, .volume = 1});
    CHECK_EQUAL(journal_count("first 0x3f800000"), 1);
    stand_in_send(&(as_event){.type = AS_EVENT_MEDIA_SERVICES_LOST});
    CHECK_EQUAL(journal_count("second 0x1"), 3);
    for (int type = 0; type < 20; type++)
        stand_in_send(&(as_event){.type = (as_event_type)type});
    CHECK_EQUAL(AudioSessionRemovePropertyListenerWithUserData(kAudioSessionProperty_ServerDied, NULL, first),
                kAudioSessionUnsupportedPropertyError);
    AudioSessionRemovePropertyListenerWithUserData(kAudioSessionProperty_ServerDied, listen, first);
    AudioSessionAddPropertyListener(kAudioSessionProperty_ServerDied, listen_and_remove, first);
    stand_in_send(&(as_event){.type = AS_EVENT_MEDIA_SERVICES_LOST});
    stand_in_send(&(as_event){.type = AS_EVENT_MEDIA_SERVICES_LOST});
    CHECK(journal_count("removed") == 1 && journal_count("added 0x1") == 1);
    for (size_t i = 0; i < PROPERTIES; i++)
        AudioSessionRemovePropertyListener(properties[i]);
}

static void listen_to_inputs(void *data, AudioSessionPropertyID property, UInt32 size, const void *value) {
    CFDictionaryRef from = CFDictionaryGetValue(value, kAudioSession_AudioRouteChangeKey_PreviousRouteDescription);
    CFDictionaryRef to = CFDictionaryGetValue(value, kAudioSession_AudioRouteChangeKey_CurrentRouteDescription);
    journal("inputs %ld %ld", (long)CFArrayGetCount(CFDictionaryGetValue(from, kAudioSession_AudioRouteKey_Inputs)),
            (long)CFArrayGetCount(CFDictionaryGetValue(to, kAudioSession_AudioRouteKey_Inputs)));
    listen(data, property, size, value);
}

TEST("audio session", "the old route of a change is that of the former category") {
    UInt32 category = kAudioSessionCategory_MediaPlayback;
    initialize();
    as_route *previous = stand_in_route();
    stand_in.port_counts[AS_DIRECTION_INPUT] = 0;
    as_route *current = stand_in_route();
    CHECK_EQUAL(AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, 4, &category), noErr);
    AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, listen_to_inputs, NULL);
    as_event event = {.type = AS_EVENT_ROUTE_CHANGED, .reason = AS_ROUTE_CHANGE_CATEGORY_CHANGE};
    event.previous_route = previous, event.current_route = current;
    stand_in_send(&event);
    CHECK_EQUAL(journal_count("route change 3 HeadsetInOut"), 1);
    CHECK_EQUAL(journal_count("inputs 1 0"), 1);
    as_route_free(previous);
    as_route_free(current);
    AudioSessionRemovePropertyListener(kAudioSessionProperty_AudioRouteChange);
}

TEST("audio session", "a microphone is available whatever the category") {
    stand_in.info.input_channels = 1;
    initialize();
    AudioSessionAddPropertyListener(kAudioSessionProperty_AudioInputAvailable, listen, "microphone");
    stand_in.port_counts[AS_DIRECTION_INPUT] = 0;
    as_route *route = stand_in_route();
    as_event event = {.type = AS_EVENT_ROUTE_CHANGED, .previous_route = route, .current_route = route};
    stand_in_send(&event);
    CHECK_EQUAL(journal_count("microphone"), 0);
    stand_in.info.input_channels = 0;
    stand_in_send(&event);
    stand_in_send(&event);
    CHECK_EQUAL(journal_count("microphone 0"), 1);
    stand_in.info.input_channels = 2;
    stand_in_send(&(as_event){.type = AS_EVENT_FORMAT_CHANGED});
    CHECK_EQUAL(journal_count("microphone 0x1"), 1);
    CHECK_EQUAL(journal_count("microphone"), 2);
    as_route_free(route);
    AudioSessionRemovePropertyListener(kAudioSessionProperty_AudioInputAvailable);
}

TEST("audio session", "listeners learn whether the gain of the input can be set") {
    initialize();
    AudioSessionAddPropertyListener(kAudioSessionProperty_InputGainAvailable, listen, "settable");
    as_route *route = stand_in_route();
    as_event event = {.type = AS_EVENT_ROUTE_CHANGED, .previous_route = route, .current_route = route};
    stand_in_send(&event);
    CHECK_EQUAL(journal_count("settable"), 0);
    stand_in.info.is_input_gain_settable = true;
    stand_in_send(&event);
    stand_in_send(&event);
    CHECK_EQUAL(journal_count("settable 0x1"), 1);
    stand_in.info.is_input_gain_settable = false;
    stand_in_send(&(as_event){.type = AS_EVENT_INPUT_GAIN_CHANGED});
    CHECK_EQUAL(journal_count("settable"), 2);
    as_route_free(route);
    AudioSessionRemovePropertyListener(kAudioSessionProperty_InputGainAvailable);
}

static CFTypeRef get_object(AudioSessionPropertyID property) {
    CFTypeRef object = NULL;
    UInt32 size = sizeof(object);
    return AudioSessionGetProperty(property, &size, &object) == noErr ? object : NULL;
}

TEST("audio session", "ports of every type are named and described, also without texts") {
    UInt32 category = kAudioSessionCategory_PlayAndRecord;
    initialize();
    AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, 4, &category);
    for (int type = AS_PORT_UNKNOWN; type <= AS_PORT_NETWORK + 1; type++) {
        for (int direction = 0; direction < 2; direction++)
            for (int i = 0; i < 3; i++)
                stand_in.ports[direction][i] = (as_port){
                    .type = (as_port_type)type, .name = i != 1 ? "name" : NULL, .uid = i != 2 ? "uid" : NULL};
        stand_in.port_counts[AS_DIRECTION_INPUT] = (uint32_t)type % 4;
        stand_in.port_counts[AS_DIRECTION_OUTPUT] = (uint32_t)type / 4 % 4;
        CFDictionaryRef description = get_object(kAudioSessionProperty_AudioRouteDescription);
        CFDictionaryRef same = get_object(kAudioSessionProperty_AudioRouteDescription);
        CHECK(CFEqual(description, same) && CFDictionaryGetCount(description) == 2);
        CFArrayRef inputs = CFDictionaryGetValue(description, kAudioSession_AudioRouteKey_Inputs);
        CHECK_EQUAL(CFArrayGetCount(inputs), type % 4);
        for (CFIndex i = -1; i <= CFArrayGetCount(inputs); i++) {
            CFDictionaryRef port = CFArrayGetValueAtIndex(inputs, i);
            CHECK_EQUAL(CFDictionaryContainsKey(port, kAudioSession_AudioRouteKey_Type), port != NULL);
        }
        CFStringRef name = get_object(kAudioSessionProperty_AudioRoute);
        CHECK(name != NULL && CFGetTypeID(name) == CFStringGetTypeID());
        CFRelease(name);
        CFRelease(same);
        CFRelease(description);
    }
}

TEST("audio session", "a failed allocation fails a description without leaks") {
    initialize();
    UInt32 category = kAudioSessionCategory_PlayAndRecord;
    AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, 4, &category);
    CFRelease(get_object(kAudioSessionProperty_AudioRouteDescription)); /* makes the constants */
    as_route *route = stand_in_route();
    CHECK(with_failing_allocations(^{
        CFRelease(as_old_describe_route(route, true));
    }) > 5);
    as_route_free(route);
}
