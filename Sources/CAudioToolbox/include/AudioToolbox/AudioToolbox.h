/* Of the framework of this name there is the audio session. */
#ifndef AUDIOSESSION_AUDIOTOOLBOX_H
#define AUDIOSESSION_AUDIOTOOLBOX_H
#include <AudioToolbox/AudioSession.h>
#endif
