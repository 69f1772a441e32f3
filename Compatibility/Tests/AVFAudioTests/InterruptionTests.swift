import AudioSessionPlayback
import AudioSessions
import Dispatch
import Testing

@testable import AVFAudio
@testable import AudioSessionTestKit

extension AVFAudioTests {
    /// Interruptions that begin while the main thread is busy.
    @Suite struct InterruptionTests {
        @Test func anInterruptionThatTheProgramHasEndedIsNotReported() async throws {
            try await Laptop.with { laptop in
                let session = AVAudioSession.sharedInstance()
                try session.setCategory(.playback)
                let film = try await laptop.another("Film")
                let received = EventLog<UInt>()
                let token = Self.observe(session, received)
                for isActive in [true, false] {
                    try session.setActive(true)
                    let wasInterrupted = await Self.onMainThread {
                        let isFilmOn = Self.wait(for: { try await film.activate() }) && film.state == .active
                        return isFilmOn && (try? session.setActive(isActive)) != nil
                    }
                    #expect(wasInterrupted)
                    // Notifications arrive by the main queue, in order.
                    await MainActor.run {}
                    #expect(received.events == [])
                    try await film.deactivate([])
                }
                NotificationCenter.default.removeObserver(token)
            }
        }

        @Test func anInterruptionThatEndedBeforeAnActivationIsReported() async throws {
            try await Laptop.with { laptop in
                let session = AVAudioSession.sharedInstance()
                try session.setCategory(.playback)
                try session.setActive(true)
                let film = try await laptop.another("Film")
                let received = EventLog<UInt>()
                let token = Self.observe(session, received)
                let isActive = await Self.onMainThread {
                    let hasPlayed = Self.wait(for: {
                        try await film.activate()
                        try await film.deactivate()
                    })
                    return hasPlayed && (try? session.setActive(true)) != nil
                }
                #expect(isActive)
                await MainActor.run {}
                let types: [AVAudioSession.InterruptionType] = [.began, .ended]
                #expect(received.events == types.map(\.rawValue))
                NotificationCenter.default.removeObserver(token)
            }
        }

        @Test func aDelegateReceivesNoInterruptionThatTheProgramHasEnded() async throws {
            try await Laptop.with { _ in
                let session = AVAudioSession.sharedInstance()
                let player = try AVAudioPlayer(data: silence(frames: 4_800))
                let delegate = PlayerDelegate()
                player.delegate = delegate
                let isActive = await Self.onMainThread {
                    player.receive(.stateChanged(.paused(reason: .interrupted), at: MonotonicTime(nanoseconds: 0)))
                    return (try? session.setActive(true)) != nil
                }
                #expect(isActive)
                await MainActor.run {}
                #expect(delegate.received.events == [])
            }
        }

        private static func observe(_ session: AVAudioSession, _ received: EventLog<UInt>) -> any NSObjectProtocol {
            NotificationCenter.default.addObserver(
                forName: AVAudioSession.interruptionNotification, object: session, queue: nil
            ) { received.append($0.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt ?? .max) }
        }

        /// Does something on the main thread, which delivers nothing meanwhile.
        private static func onMainThread(_ body: @escaping @Sendable () -> Bool) async -> Bool {
            await withCheckedContinuation { answer in
                DispatchQueue.main.async { answer.resume(returning: body()) }
            }
        }

        /// Blocks until another thread has done the work.
        private static func wait(for work: @escaping @Sendable () async throws -> Void) -> Bool {
            let done = DispatchSemaphore(value: 0)
            Task.detached { if (try? await work()) != nil { done.signal() } }
            return done.wait(timeout: .now() + 20) == .success
        }
    }
}

/// Records the messages of a player.
final class PlayerDelegate: NSObject, AVAudioPlayerDelegate {
    let received = EventLog<String>()

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
        received.append("finished \(flag)")
    }
    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) { received.append("failed") }
    func audioPlayerBeginInterruption(_ player: AVAudioPlayer) { received.append("began") }
    func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int) {
        received.append("ended \(flags)")
    }
}
