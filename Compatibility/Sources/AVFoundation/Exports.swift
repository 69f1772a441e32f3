// On iOS too, the audio part of AVFoundation is AVFAudio. Nothing else of it is here.
@_exported public import AVFAudio
