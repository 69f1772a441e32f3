@_spi(Compatibility) import AudioSessionPlayback
@_spi(Compatibility) import AudioSessions
import Dispatch
import Foundation
import Glibc
import Testing

@testable import AVFAudio
@testable import AudioSessionTestKit

extension AVFAudioTests {
    /// Players and recorders without sound.
    @Suite struct PlayerTests {
        @Test func aPositionOfAnySizeIsLimitedToTheDuration() async throws {
            try await Machine.with { _ in
                let player = try AVAudioPlayer(data: silence(frames: 4_800))
                for time in [1e300, 1e18, .greatestFiniteMagnitude] {
                    player.currentTime = time
                    #expect(player.currentTime == player.duration)
                }
                for time in [-1e300, .nan, .infinity] {
                    player.currentTime = time
                    #expect(player.currentTime == 0)
                }
            }
        }

        @Test func theFormatIsThatOfTheSound() async throws {
            try await Machine.with { _ in
                let format = try AVAudioPlayer(data: silence(frames: 100)).format
                #expect(format.isStandard && format.sampleRate == 48_000 && format.channelCount == 1)
                #expect(AVAudioPlayer().format.channelCount == 2, "that of a player without a sound has no meaning")
            }
        }

        @Test func onlyTheUserMayReadTheDataWhichHasNoName() throws {
            let data = silence(frames: 100)
            let source = try SoundSource(data)
            var status = stat()
            #expect(stat(source.path, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
            #expect(status.st_nlink == 0, "a process that ends leaves no file behind")
            #expect(FileManager.default.contents(atPath: source.path) == data)
            withExtendedLifetime(source) {}
        }

        @Test func untitledDataHasTheNameOfTheProgram() async throws {
            try await Machine.with { _ in
                let player = try AVAudioPlayer(data: silence(frames: 100))
                #expect(player.loaded?.player.configuration.nameOfUntitledFiles == "Program")
            }
        }

        // MARK: Repetitions

        private func playing(repetitions: Int) -> Repetitions {
            var state = Repetitions()
            state.limit = repetitions
            state.follow(.playing)
            return state
        }

        @Test func repetitionsEndAfterTheirNumber() {
            var state = playing(repetitions: 2)
            for _ in 1...2 {
                state.follow(.finished)
                #expect(state.isOn)
                let end = state.finish()
                #expect(end == .repeats)
                #expect(state.isOn, "it plays between two repetitions")
                state.follow(.playing)
            }
            state.follow(.finished)
            let end = state.finish()
            #expect(end == .ends(isSuccess: true))
            #expect(!state.isOn)
        }

        @Test func aPauseBetweenRepetitionsIsKept() {
            var state = playing(repetitions: -1)
            state.follow(.finished)
            let end = state.finish()
            #expect(end == .repeats)
            state.pause()
            #expect(!state.isOn)
            state.follow(.playing)
            #expect(state.isOn)
        }

        @Test func aPauseBeforeTheEndIsKept() {
            var state = playing(repetitions: 1)
            state.pause()
            state.follow(.finished)
            let first = state.finish()
            #expect(first == .waits)
            state.follow(.playing)
            let second = state.finish()
            #expect(second == .ends(isSuccess: true))
        }

        @Test func aStopBeginsTheRepetitionsAgain() {
            var state = playing(repetitions: 1)
            let first = state.finish()
            #expect(first == .repeats)
            state.stop()
            #expect(!state.isOn)
            state.follow(.playing)
            let second = state.finish()
            #expect(second == .repeats)
        }

        @Test func anInterruptionEndsTheRepetitionsAndASeekDoesNot() {
            var state = playing(repetitions: -1)
            state.follow(.finished)
            state.follow(.paused(reason: .user))
            #expect(state.isOn)
            state.follow(.paused(reason: .interrupted))
            #expect(!state.isOn)
        }

        @Test func onlyAPlayerBetweenRepetitionsIsPausedThere() {
            var state = playing(repetitions: -1)
            let whilePlaying = state.pauseBetween()
            #expect(!whilePlaying && state.isOn)
            state.follow(.finished)
            let end = state.finish()
            #expect(end == .repeats)
            let between = state.pauseBetween()
            #expect(between && !state.isOn)
            let again = state.pauseBetween()
            #expect(!again)
        }

        @Test func aRepetitionDoesNotActivateTheSession() async throws {
            try await Machine.with { _ in
                let player = try AVAudioPlayer(data: silence(frames: 4_800))
                player.receive(.stateChanged(.playing, at: Self.time))
                let (_, session) = try AVAudioSession.sharedInstance().backendWhenKnown()
                await player.playAgain()
                #expect(session.state == .inactive)
            }
        }

        /// As after a jack that was pulled when the next repetition already waited for the player.
        @Test func aRepetitionThatIsNotWantedAnyMoreDoesNotPlay() async throws {
            try await Machine.with { machine in
                let session = try await machine.another("Music")
                try await session.activate()
                let player = AudioPlayer(session: session)
                let plays = try await player.playInActiveSession { false }
                #expect(!plays && session.state == .active)
                await player.close()
            }
        }

        @Test func aPulledJackEndsTheRepetitions() async throws {
            try await Machine.with { machine in
                try AVAudioSession.sharedInstance().setActive(true)
                let player = try AVAudioPlayer(data: silence(frames: 4_800))
                let delegate = PlayerDelegate()
                player.delegate = delegate
                try await Self.betweenRepetitions(of: player) { machine.pullHeadphones() }
                await MainActor.run {}
                #expect(delegate.received.events == [], "playing has not failed, because there is no stream here")
            }
        }

        @Test func anInterruptionBetweenRepetitionsIsReported() async throws {
            try await Machine.with { machine in
                try AVAudioSession.sharedInstance().setActive(true)
                let film = try await machine.another("Film")
                let player = try AVAudioPlayer(data: silence(frames: 4_800))
                let delegate = PlayerDelegate()
                player.delegate = delegate
                try await Self.betweenRepetitions(of: player) { try await film.activate() }
                try await delegate.received.wait(for: "the interruption") { $0 == ["began"] }
                try await film.deactivate()
                try await delegate.received.wait(for: "its end") { $0 == ["began", "ended 1"] }
            }
        }

        private static let time = MonotonicTime(nanoseconds: 0)

        /// Does something after one repetition, and returns when the next one would have begun.
        private static func betweenRepetitions(
            of player: AVAudioPlayer, _ body: () async throws -> Void
        ) async throws {
            player.numberOfLoops = -1
            let gate = DispatchSemaphore(value: 0)
            // The next repetition begins on this thread.
            BlockingCalls.begin { Self.wait(for: gate) }
            player.receive(.stateChanged(.playing, at: time))
            player.receive(.finished(at: time))
            do {
                defer { gate.signal() }
                try await body()
            }
            try BlockingCalls.wait {}
        }

        private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

        @Test func anEmptySoundIsNotRepeated() async throws {
            try await Machine.with { _ in
                let player = try AVAudioPlayer(data: silence(frames: 0))
                let delegate = PlayerDelegate()
                player.delegate = delegate
                player.numberOfLoops = -1
                player.receive(.stateChanged(.playing, at: Self.time))
                player.receive(.finished(at: Self.time))
                try await delegate.received.wait(for: "the end") { $0 == ["finished true"] }
            }
        }

        @Test func aFailedDecodingIsNotRepeated() {
            var state = playing(repetitions: -1)
            state.hasFailed = true
            let end = state.finish()
            #expect(end == .ends(isSuccess: false))
            #expect(!state.isOn && !state.hasFailed)
        }

        // MARK: Recorders

        @Test func aRecorderWithoutAStreamDoesNotRecord() async throws {
            try await Machine.with { _ in
                try AVAudioSession.sharedInstance().setCategory(.record)
                let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".wav")
                let recorder = try AVAudioRecorder(
                    url: file, settings: [AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1])
                #expect(!recorder.record(), "the fake computer has no streams")
                #expect(!recorder.isRecording && AVAudioSession.sharedInstance().isInputAvailable)
                #expect(!FileManager.default.fileExists(atPath: file.path))
            }
        }

        /// As on iOS, creating the recorder fails, because `record` cannot give a reason.
        @Test func aFormatThatNoFileHasIsRefusedAtOnce() async throws {
            try await Machine.with { _ in
                let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".wav")
                for settings in [[AVSampleRateKey: 0], [AVNumberOfChannelsKey: 0], [AVNumberOfChannelsKey: 99]] {
                    let error = #expect(throws: NSError.self) { try AVAudioRecorder(url: file, settings: settings) }
                    #expect(error?.code == Int("fmt?".fourCharacterCode))
                    #expect(error?.localizedDescription.contains("channels") == true)
                }
            }
        }

        private final class FakeRecorder: AVAudioRecorder, @unchecked Sendable {
            override func record() -> Bool { true }
        }

        @Test func theLimitOfARecordingDoesNotApplyToALaterOne() throws {
            let recorder = FakeRecorder()
            #expect(recorder.record(forDuration: 1e6))
            let first = try #require(recorder.scheduledStop)
            #expect(recorder.record(forDuration: 1e6))
            let second = try #require(recorder.scheduledStop)
            #expect(first.isCancelled && !second.isCancelled)
            recorder.receive(.stateChanged(.stopped, at: MonotonicTime(nanoseconds: 0)))
            #expect(second.isCancelled && recorder.scheduledStop == nil)
        }

        /// An interrupted recording was stopped during the call, so that it could not continue.
        @Test func theLimitOfARecordingCountsNoPause() throws {
            let recorder = FakeRecorder()
            recorder.receive(.stateChanged(.recording, at: Self.time))
            #expect(recorder.record(forDuration: 1e6))
            let first = try #require(recorder.scheduledStop)
            recorder.receive(.stateChanged(.paused(reason: .interrupted), at: Self.time))
            #expect(first.isCancelled && recorder.scheduledStop == nil)
            recorder.receive(.stateChanged(.recording, at: Self.time))
            let second = try #require(recorder.scheduledStop)
            #expect(!second.isCancelled)
            recorder.stop()
            #expect(second.isCancelled && recorder.scheduledStop == nil)
        }
    }
}

/// A silent WAV file: 16 bits, 48 kHz, one channel.
func silence(frames: Int) -> Data {
    let size = 2 * frames
    func number(_ value: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var bytes = Array("RIFF".utf8) + number(36 + size, 4) + Array("WAVEfmt ".utf8)
    for (value, count) in [(16, 4), (1, 2), (1, 2), (48_000, 4), (96_000, 4), (2, 2), (16, 2)] {
        bytes += number(value, count)
    }
    bytes += Array("data".utf8) + number(size, 4) + [UInt8](repeating: 0, count: size)
    return Data(bytes)
}
