import CompatibilityTestSupport
import Testing

/// The tests run one after the other, because there is one shared session.
@Suite(.holding(.sharedAudioSession), .blocking, .serialized, .timeLimit(.minutes(10)))
struct AVFAudioLiveTests {}
