#include <pthread.h>

#include "session.h"

/* The configuration that results from the properties of the category. */
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

static bool records(UInt32 category) {
    return category == kAudioSessionCategory_RecordAudio || category == kAudioSessionCategory_PlayAndRecord;
}

bool as_old_records(void) {
    pthread_mutex_lock(&lock);
    bool now = records(category);
    pthread_mutex_unlock(&lock);
    return now;
}

UInt32 as_old_configuration(AudioSessionPropertyID property) {
    pthread_mutex_lock(&lock);
    UInt32 option = option_of(property), value;
    if (property == kAudioSessionProperty_AudioCategory) value = category;
    else if (property == kAudioSessionProperty_Mode) value = mode;
    else value = (options & option) == option;
    pthread_mutex_unlock(&lock);
    return value;
}

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

/* The lock is held, so that two threads that set two properties both take effect. No handler is
 * called under it. */
OSStatus as_old_set_configuration(AudioSessionPropertyID property, as_session *session, UInt32 value) {
    pthread_mutex_lock(&lock);
    OSStatus result;
    UInt32 option = option_of(property);
    /* A new category resets the options and the mode. */
    if (property == kAudioSessionProperty_AudioCategory) result = configure(session, value, kAudioSessionMode_Default, 0);
    else if (property == kAudioSessionProperty_Mode) result = configure(session, category, value, options);
    else result = configure(session, category, mode, value ? options | option : options & ~option);
    pthread_mutex_unlock(&lock);
    return result;
}
