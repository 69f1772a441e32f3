/* Includes the audio session, which this header declared until iPhone OS 3. Of System Sound
 * Services, it contains the types and results, and no functions. */
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
