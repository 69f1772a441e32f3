/* Of the framework of this name there is the audio session, and no audio queues, files or units. */
#ifndef AUDIOSESSION_AUDIOTOOLBOX_H
#define AUDIOSESSION_AUDIOTOOLBOX_H
#include <AudioToolbox/AudioServices.h>
#include <AudioToolbox/AudioSession.h>
#endif
