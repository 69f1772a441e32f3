// Format identifiers are in AVFAudio, whose settings need them.
@_exported public import AVFAudio
