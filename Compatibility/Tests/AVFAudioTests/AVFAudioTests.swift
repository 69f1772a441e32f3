import CompatibilityTestSupport
import Testing

/// One after the other, because there is one shared session, and each observer receives each notification.
@Suite(.holding(.sharedAudioSession), .blocking, .serialized, .timeLimit(.minutes(10))) struct AVFAudioTests {}
