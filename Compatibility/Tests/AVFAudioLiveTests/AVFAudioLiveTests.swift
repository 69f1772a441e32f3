import CompatibilityTestSupport
import Testing

/// One after the other, because there is one shared session.
@Suite(.holding(.sharedAudioSession), .blocking, .serialized, .timeLimit(.minutes(10)))
struct AVFAudioLiveTests {}
