import CompatibilityTestSupport
import Testing

/// The tests run one after the other, because there is one shared session, and each observer
/// receives each notification.
@Suite(.holding(.sharedAudioSession), .blocking, .serialized, .timeLimit(.minutes(10))) struct AVFAudioTests {}
