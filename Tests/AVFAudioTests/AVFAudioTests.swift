import Testing

/// One after the other: there is one shared session, and everybody hears what is posted.
@Suite(.serialized, .timeLimit(.minutes(2))) struct AVFAudioTests {}
