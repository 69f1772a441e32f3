#include <AudioToolbox/AudioSession.h>

#define NAME(name, characters) const CFStringRef name = CFSTR(characters)

NAME(kAudioSession_RouteChangeKey_Reason, "OutputDeviceDidChange_Reason");
NAME(kAudioSession_AudioRouteChangeKey_PreviousRouteDescription, "ActiveAudioRouteDidChange_OldDetailedRoute");
NAME(kAudioSession_AudioRouteChangeKey_CurrentRouteDescription, "ActiveAudioRouteDidChange_NewDetailedRoute");

NAME(kAudioSession_AudioRouteKey_Inputs, "RouteDetailedDescription_Inputs");
NAME(kAudioSession_AudioRouteKey_Outputs, "RouteDetailedDescription_Outputs");
NAME(kAudioSession_AudioRouteKey_Type, "RouteDetailedDescription_PortType");

NAME(kAudioSessionInputRoute_LineIn, "LineIn");
NAME(kAudioSessionInputRoute_BuiltInMic, "MicrophoneBuiltIn");
NAME(kAudioSessionInputRoute_HeadsetMic, "MicrophoneWired");
NAME(kAudioSessionInputRoute_BluetoothHFP, "MicrophoneBluetooth");
NAME(kAudioSessionInputRoute_USBAudio, "USBInput");

NAME(kAudioSessionOutputRoute_LineOut, "LineOut");
NAME(kAudioSessionOutputRoute_Headphones, "Headphones");
NAME(kAudioSessionOutputRoute_BluetoothHFP, "BluetoothHFPOutput");
NAME(kAudioSessionOutputRoute_BluetoothA2DP, "BluetoothA2DPOutput");
NAME(kAudioSessionOutputRoute_BuiltInReceiver, "Receiver");
NAME(kAudioSessionOutputRoute_BuiltInSpeaker, "Speaker");
NAME(kAudioSessionOutputRoute_USBAudio, "USBOutput");
NAME(kAudioSessionOutputRoute_HDMI, "HDMIOutput");
NAME(kAudioSessionOutputRoute_AirPlay, "AirPlay");

NAME(kAudioSession_InputSourceKey_ID, "input source ID");
NAME(kAudioSession_InputSourceKey_Description, "input source name");
NAME(kAudioSession_OutputDestinationKey_ID, "output destination ID");
NAME(kAudioSession_OutputDestinationKey_Description, "output destination name");
