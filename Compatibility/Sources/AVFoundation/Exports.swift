// As on iOS, AVFAudio is the audio part of AVFoundation. This module contains no other part.
@_exported public import AVFAudio
// As on iOS, programs that import only AVFoundation play system sounds.
@_exported public import AudioToolbox
