/* Until iPhone OS 3 the audio session was declared in this header. Of System Sound Services there are the types and the
 * results, and no functions. */
#ifndef AUDIOSESSION_AUDIOTOOLBOX_AUDIOSERVICES_H
#define AUDIOSESSION_AUDIOTOOLBOX_AUDIOSERVICES_H

#include <AudioToolbox/AudioSession.h>

typedef UInt32 SystemSoundID;
typedef UInt32 AudioServicesPropertyID;

#define kAudioServicesNoError ((OSStatus)0)
#define kAudioServicesUnsupportedPropertyError ((OSStatus)AS_FOUR('p', 't', 'y', '?'))
#define kAudioServicesBadPropertySizeError ((OSStatus)AS_FOUR('!', 's', 'i', 'z'))
#define kAudioServicesBadSpecifierSizeError ((OSStatus)AS_FOUR('!', 's', 'p', 'c'))
#define kAudioServicesSystemSoundUnspecifiedError ((OSStatus)-1500)
#define kAudioServicesSystemSoundClientTimedOutError ((OSStatus)-1501)

#endif
