/* Each header that programs of the time name, on its own line, and what they take from it. */
#include <AudioToolbox/AudioServices.h>
#include <CoreFoundation/CFBase.h>
#include <CoreFoundation/CFByteOrder.h>
#include <CoreFoundation/CFDictionary.h>
#include <CoreFoundation/CFNumber.h>
#include <CoreFoundation/CFRunLoop.h>
#include <CoreFoundation/CFString.h>
#include <CoreFoundation/CoreFoundation.h>
#include <MacTypes.h>

int main(void) {
    SystemSoundID sound = 0;
    OSType type = CFSwapInt32BigToHost(kAudioSessionCategory_MediaPlayback);
    Boolean isSet = TRUE;
    printf("%d %.4s %d\n", (int)sound, (const char *)&type, isSet == true);
    return AudioSessionSetActive(false) == kAudioSessionNotInitialized ? noErr : 1;
}
