import AVFAudio
import AudioSessions
import Testing

@testable import AudioSessionTestKit

extension AVFAudioTests {
    /// Combinations beyond Apple's tables that programs set.
    @Suite struct SpeechTests {
        /// The lines with which Apple's sample for live speech recognition begins.
        @Test func speechRecognitionDucksMusic() async throws {
            try await Laptop.with { laptop in
                let music = try await laptop.another("Music")
                try await music.activate()
                let audioSession = AVAudioSession.sharedInstance()
                try audioSession.setCategory(.record, mode: .measurement, options: .duckOthers)
                try audioSession.setActive(true, options: .notifyOthersOnDeactivation)
                #expect(music.state == .active && music.gain < 1)
                #expect(audioSession.currentRoute.inputs.count == 1 && audioSession.currentRoute.outputs.isEmpty)
                try audioSession.setActive(false)
                #expect(music.gain == 1)
            }
        }

        @Test func programsSetModesBeyondTheTables() async throws {
            try await Laptop.with { _ in
                let session = AVAudioSession.sharedInstance()
                try session.setCategory(.record, mode: .spokenAudio, options: .duckOthers)
                try session.setCategory(.ambient, mode: .moviePlayback, options: [.mixWithOthers])
                try session.setCategory(.playAndRecord, mode: .moviePlayback, options: [.defaultToSpeaker])
                try session.setCategory(.playback, mode: .default, options: [.allowAirPlay, .allowBluetoothA2DP])
                #expect(throws: NSError.self) { try session.setCategory(.record, options: .mixWithOthers) }
                #expect(session.category == .playback)
            }
        }
    }
}
