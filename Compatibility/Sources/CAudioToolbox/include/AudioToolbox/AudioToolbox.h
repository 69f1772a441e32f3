/* The audio session of the AudioToolbox framework, without its audio queues, files and units. */
#ifndef AUDIOSESSION_AUDIOTOOLBOX_H
#define AUDIOSESSION_AUDIOTOOLBOX_H
#include <AudioToolbox/AudioServices.h>
#include <AudioToolbox/AudioSession.h>
#endif
