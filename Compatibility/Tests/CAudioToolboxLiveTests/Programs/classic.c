/* A player of 2010: it stops when it is interrupted or its headphones are pulled, and goes on when it may. */
#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>

typedef struct Player {
    Boolean isPlaying;
    Boolean wasPlaying;
} Player;

static void pausePlayer(Player *player, const char *why) {
    if (!player->isPlaying) return;
    player->isPlaying = 0;
    printf("paused: %s\n", why);
}

static void startPlayer(Player *player) {
    player->isPlaying = AudioSessionSetActive(1) == kAudioSessionNoError;
    puts(player->isPlaying ? "playing" : "refused");
}

static void interruptionListener(void *inUserData, UInt32 interruptionState) {
    Player *player = (Player *)inUserData;
    if (interruptionState == kAudioSessionBeginInterruption) {
        player->wasPlaying = player->isPlaying;
        pausePlayer(player, "interrupted");
    } else if (interruptionState == kAudioSessionEndInterruption) {
        UInt32 type = 0;
        UInt32 size = sizeof(type);
        AudioSessionGetProperty(kAudioSessionProperty_InterruptionType, &size, &type);
        if (type == kAudioSessionInterruptionType_ShouldResume && player->wasPlaying) startPlayer(player);
        else puts("stays silent");
    }
}

static void routeListener(void *inUserData, AudioSessionPropertyID inID, UInt32 inSize, const void *inValue) {
    (void)inSize;
    if (inID != kAudioSessionProperty_AudioRouteChange) return;
    CFDictionaryRef change = (CFDictionaryRef)inValue;
    CFNumberRef reasonNumber =
        (CFNumberRef)CFDictionaryGetValue(change, CFSTR(kAudioSession_AudioRouteChangeKey_Reason));
    SInt32 reason;
    CFNumberGetValue(reasonNumber, kCFNumberSInt32Type, &reason);
    CFStringRef oldRoute =
        (CFStringRef)CFDictionaryGetValue(change, CFSTR(kAudioSession_AudioRouteChangeKey_OldRoute));
    if (reason != kAudioSessionRouteChangeReason_OldDeviceUnavailable) {
        char name[64];
        if (CFStringGetCString(oldRoute, name, sizeof(name), kCFStringEncodingUTF8))
            printf("was on %s, reason %d\n", name, (int)reason);
        return;
    }
    if (CFStringCompare(oldRoute, CFSTR("Headphone"), 0) == kCFCompareEqualTo)
        pausePlayer((Player *)inUserData, "the headphones were pulled");
    else if (CFStringCompare(oldRoute, CFSTR("LineOut"), 0) == kCFCompareEqualTo)
        pausePlayer((Player *)inUserData, "taken from the dock");
}

int main(void) {
    static Player player;
    setvbuf(stdout, NULL, _IOLBF, 0);
    OSStatus result = AudioSessionInitialize(NULL, NULL, interruptionListener, &player);
    if (result != kAudioSessionNoError) return 1;
    UInt32 category = kAudioSessionCategory_MediaPlayback;
    AudioSessionSetProperty(kAudioSessionProperty_AudioCategory, sizeof(category), &category);
    AudioSessionAddPropertyListener(kAudioSessionProperty_AudioRouteChange, routeListener, &player);

    CFStringRef route = NULL;
    UInt32 size = sizeof(route);
    if (AudioSessionGetProperty(kAudioSessionProperty_AudioRoute, &size, &route) == kAudioSessionNoError)
        printf("on %s\n", CFStringGetCStringPtr(route, kCFStringEncodingUTF8));
    startPlayer(&player);
    CFRunLoopRun();
    return 0;
}
