import AVFAudio
import AudioSessions
import Foundation
import Testing

@testable import AudioSessionTestKit

extension AVFAudioLiveTests {
    /// A PipeWire that stands still, as after SIGSTOP.
    @Suite struct DeadlineTests {
        @Test func aCallBlocksForASecondAtMost() async throws {
            let pipeWire = try await PrivatePipeWire()
            let remote = pipeWire.remote
            AVAudioSession.share(
                AVAudioSession { waits in
                    try await AudioSessionManager.connect(
                        AVAudioSession.configuration(remote: remote, waitsForPipeWire: waits))
                })
            defer { AVAudioSession.share(nil) }
            let session = AVAudioSession.sharedInstance()
            try session.setCategory(.playback)
            try session.setActive(true)
            await pipeWire.suspendDaemon()
            for call in [
                { try session.setCategory(.playback, options: .mixWithOthers) },
                { try session.setActive(false, options: .notifyOthersOnDeactivation) },
                { try session.setActive(true) },
            ] {
                let begin = ContinuousClock.now
                let error = #expect(throws: NSError.self) { try call() }
                #expect(error?.code == AVAudioSession.ErrorCode.mediaServicesFailed.rawValue)
                // A busy computer is late, but the library's default is 5 s.
                #expect((.seconds(1) ..< .seconds(5)).contains(ContinuousClock.now - begin))
            }
            await pipeWire.resumeDaemon()
            try session.setActive(true)
            try session.setActive(false)
            await pipeWire.stop()
        }
    }
}
