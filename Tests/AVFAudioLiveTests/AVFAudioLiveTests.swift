import TestSupport
import Testing

/// One after the other, because there is one shared session.
@Suite(.live, .holding(.sharedAudioSession), .blocking, .serialized, .timeLimit(.minutes(2)))
struct AVFAudioLiveTests {}
