import CAudioSession
import Testing

@testable import AudioSessionC

@Suite struct MisuseTests {}
