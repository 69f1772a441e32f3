/* What listings of 2009 do, with the one header that they include: constants at file scope, words and functions of other
 * headers of the time, the route's name, and a run loop that is run in slices. */
#include <AudioToolbox/AudioToolbox.h>

static CFStringRef const kHeadphones = CFSTR("Headphone");
static const struct { CFStringRef name; UInt32 tag; } kRoutes[] = {{CFSTR("Speaker"), 'spkr'}, {CFSTR("LineOut"), 'line'}};
static bool isPlaying;

static void interruptionListener(void *inClientData, UInt32 inInterruptionState) {
    isPlaying = inInterruptionState == kAudioSessionBeginInterruption ? false : true;
    (void)inClientData;
}

static void describeRoute(void) {
    CFStringRef route = NULL;
    UInt32 size = sizeof(route);
    OSStatus error = AudioSessionGetProperty(kAudioSessionProperty_AudioRoute, &size, &route);
    if (error != noErr) {
        UInt32 code = CFSwapInt32HostToBig((UInt32)error);
        printf("error '%.4s'\n", (char *)&code);
        exit(1);
    }
    char text[32];
    assert(CFStringGetCString(route, text, sizeof(text), kCFStringEncodingMacRoman));
    CFRange range = CFStringFind(route, kHeadphones, kCFCompareCaseInsensitive);
    printf("%s%s\n", text, range.location != kCFNotFound ? ", with headphones" : "");
    for (size_t i = 0; i < sizeof(kRoutes) / sizeof(kRoutes[0]); i++)
        if (CFStringCompare(route, kRoutes[i].name, 0) == kCFCompareEqualTo) printf("route %u\n", (unsigned)i);
    CFShow(route);
    CFRelease(route);
}

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (AudioSessionInitialize(CFRunLoopGetMain(), kCFRunLoopDefaultMode, interruptionListener, NULL) != noErr) return 1;
    UInt32 category = kAudioSessionCategory_MediaPlayback;
    AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof(category), &category);
    isPlaying = AudioSessionSetActive(TRUE) == noErr;
    describeRoute();
    while (isPlaying) CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.05, FALSE);
    puts("interrupted");
    return 0;
}
