@_spi(Compatibility) import AudioSessionPlayback
import AudioSessions
import Foundation
import Glibc
import Testing

@testable import AVFAudio
@testable import AudioSessionTestKit

extension AVFAudioTests {
    /// Players and recorders without sound.
    @Suite struct PlayerTests {
        @Test func aPositionOfAnySizeIsLimitedToTheDuration() async throws {
            try await Laptop.with { _ in
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
            try await Laptop.with { _ in
                let format = try AVAudioPlayer(data: silence(frames: 100)).format
                #expect(format.isStandard && format.sampleRate == 48_000 && format.channelCount == 1)
                #expect(AVAudioPlayer().format.channelCount == 2, "that of a player without a sound has no meaning")
            }
        }

        /// Most sounds of programs for iOS are of these formats.
        @Test func appleFormatsAreRead() async throws {
            try await Laptop.with { _ in
                for data in [Self.aiff(frames: 4_800), Self.caf(frames: 4_800)] {
                    let player = try AVAudioPlayer(data: data)
                    #expect(player.format.sampleRate == 48_000 && player.format.channelCount == 1)
                    #expect(abs(player.duration - 0.1) < 1e-9)
                }
            }
        }

        /// A silent AIFF file: 16 bits, 48 kHz, one channel.
        private static func aiff(frames: Int) -> Data {
            var format = number(1, 2) + number(frames, 4) + number(16, 2)
            // The rate as a floating point number of 80 bits.
            format += number(0x400E, 2) + number(0xBB80, 2) + number(0, 6)
            var form = Array("AIFF".utf8) + chunk("COMM", format, 4)
            form += chunk("SSND", number(0, 8 + 2 * frames), 4)
            return Data(chunk("FORM", form, 4))
        }

        /// A silent CAF file: 16 bits, 48 kHz, one channel.
        private static func caf(frames: Int) -> Data {
            var format = number(Int(Double(48_000).bitPattern), 8) + Array("lpcm".utf8)
            for value in [0, 2, 1, 1, 16] { format += number(value, 4) }
            var file = Array("caff".utf8) + number(1, 2) + number(0, 2)
            file += chunk("desc", format, 8) + chunk("data", number(0, 4 + 2 * frames), 8)
            return Data(file)
        }

        /// A part of a file: its name, its size in a number of bytes, and its contents.
        private static func chunk(_ name: String, _ contents: [UInt8], _ bytes: Int) -> [UInt8] {
            Array(name.utf8) + number(contents.count, bytes) + contents
        }

        /// The bytes of a number, of which the first is the most significant.
        private static func number(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
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
            try await Laptop.with { _ in
                let player = try AVAudioPlayer(data: silence(frames: 100))
                #expect(player.loaded?.player.configuration.nameOfUntitledFiles == "Program")
            }
        }

        @Test(arguments: [false, true]) func theDelegateReceivesWhetherAllWasDecoded(hasFailed: Bool) async throws {
            try await Laptop.with { _ in
                let player = try AVAudioPlayer(data: silence(frames: 4_800))
                let delegate = PlayerDelegate()
                player.delegate = delegate
                player.state.withLock { $0.hasFailed = hasFailed }
                player.receive(.finished(at: Self.time))
                player.receive(.finished(at: Self.time))
                let expected = ["finished \(!hasFailed)", "finished true"]
                try await delegate.received.wait(for: "both ends") { $0 == expected }
            }
        }

        @Test func aPlayerReportsWhetherItPlays() async throws {
            try await Laptop.with { _ in
                let playback = AVAudioSession.playback
                var player: AVAudioPlayer? = try AVAudioPlayer(data: silence(frames: 4_800))
                player?.receive(.stateChanged(.stopped, at: Self.time))
                #expect(playback.status == .unknown, "it has not played yet")
                let states: [(AudioPlayer.State, ProgramPlayback.Status)] = [
                    (.playing, .playing), (.paused(reason: .user), .paused), (.playing, .playing),
                    (.finished, .ended), (.playing, .playing),
                ]
                for (state, status) in states {
                    player?.receive(.stateChanged(state, at: Self.time))
                    #expect(playback.status == status)
                }
                player = nil
                #expect(playback.status == .ended)
            }
        }

        private static let time = MonotonicTime(nanoseconds: 0)

        // MARK: Recorders

        @Test func aRecorderWithoutAStreamDoesNotRecord() async throws {
            try await Laptop.with { _ in
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
            try await Laptop.with { _ in
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
