#include <pthread.h>
#include <stdlib.h>

#include "session.h"

typedef struct listener {
    struct listener *next;
    AudioSessionPropertyID property;
    AudioSessionPropertyListener function;
    void *data;
} listener;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static listener *listeners;

static bool can_be_listened_to(AudioSessionPropertyID property) {
    switch (property) {
    case kAudioSessionProperty_AudioRouteChange:
    case kAudioSessionProperty_CurrentHardwareInputNumberChannels:
    case kAudioSessionProperty_CurrentHardwareOutputNumberChannels:
    case kAudioSessionProperty_CurrentHardwareOutputVolume:
    case kAudioSessionProperty_AudioInputAvailable:
    case kAudioSessionProperty_ServerDied:
    case kAudioSessionProperty_InputSources:
    case kAudioSessionProperty_OutputDestinations:
    case kAudioSessionProperty_InputGainAvailable:
    case kAudioSessionProperty_InputGainScalar: return true;
    default: return false;
    }
}

/* Listeners run without the lock, because they may add and remove listeners. A listener that
 * another thread removes meanwhile may be called once more. */
void as_old_tell(AudioSessionPropertyID property, UInt32 size, const void *data) {
    pthread_mutex_lock(&lock);
    size_t count = 0;
    for (listener *one = listeners; one; one = one->next) count += one->property == property;
    listener *copies = calloc(count ? count : 1, sizeof *copies);
    size_t copied = 0;
    for (listener *one = listeners; one && copies; one = one->next)
        if (one->property == property) copies[copied++] = *one;
    pthread_mutex_unlock(&lock);
    for (size_t i = 0; i < copied; i++) copies[i].function(copies[i].data, property, size, data);
    free(copies);
}

OSStatus AudioSessionAddPropertyListener(
    AudioSessionPropertyID property, AudioSessionPropertyListener function, void *data) {
    if (!as_old_session()) return kAudioSessionNotInitialized;
    if (!function || !can_be_listened_to(property)) return kAudioSessionUnsupportedPropertyError;
    OSStatus result = kAudioSessionNoError;
    pthread_mutex_lock(&lock);
    listener **place = &listeners;
    while (*place && ((*place)->property != property || (*place)->data != data)) place = &(*place)->next;
    if (!*place) *place = calloc(1, sizeof **place);
    if (*place) {
        (*place)->property = property;
        (*place)->function = function;
        (*place)->data = data;
    } else {
        result = kAudioSessionUnspecifiedError;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

static OSStatus remove_listeners(AudioSessionPropertyID property, AudioSessionPropertyListener function, void *data) {
    if (!as_old_session()) return kAudioSessionNotInitialized;
    pthread_mutex_lock(&lock);
    for (listener **place = &listeners; *place;) {
        listener *one = *place;
        if (one->property == property && (!function || (one->function == function && one->data == data))) {
            *place = one->next;
            free(one);
        } else {
            place = &one->next;
        }
    }
    pthread_mutex_unlock(&lock);
    return kAudioSessionNoError;
}

OSStatus AudioSessionRemovePropertyListenerWithUserData(
    AudioSessionPropertyID property, AudioSessionPropertyListener function, void *data) {
    if (!function) return kAudioSessionUnsupportedPropertyError;
    return remove_listeners(property, function, data);
}

OSStatus AudioSessionRemovePropertyListener(AudioSessionPropertyID property) {
    return remove_listeners(property, NULL, NULL);
}
