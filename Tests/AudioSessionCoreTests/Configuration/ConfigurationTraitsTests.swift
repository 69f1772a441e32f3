import AudioSessionCore
import Testing

/// The part of a configuration that a token publishes.
@Suite struct ConfigurationTraitsTests {
    typealias Configuration = AudioSessionConfiguration

    @Test(arguments: [
        (Configuration(.playback), TokenTraits()),
        (Configuration(.ambient), TokenTraits(isMixable: true, leavesWithNotice: true, followsSilentMode: true)),
        (Configuration(.soloAmbient), TokenTraits(followsSilentMode: true)),
        (Configuration(.playback, mode: .spokenAudio), TokenTraits(isSpokenAudio: true)),
        (
            Configuration(.playback, mode: .voicePrompt, options: .duckOthers),
            TokenTraits(duckedGain: 200, leavesWithNotice: true)
        ),
        (
            Configuration(.playback, options: .interruptSpokenAudioAndMixWithOthers),
            TokenTraits(interruptsSpokenAudio: true)
        ),
        (
            Configuration(.playAndRecord, mode: .voiceChat, group: "calls"),
            TokenTraits(priority: .communication, group: "calls", capturesAudio: true, leavesWithNotice: true)
        ),
        (
            Configuration(.playback, priority: .alarm), TokenTraits(priority: .alarm, leavesWithNotice: true)
        ),
        (Configuration(.record), TokenTraits(capturesAudio: true, leavesWithNotice: true)),
    ])
    func traits(configuration: Configuration, expected: TokenTraits) {
        #expect(TokenTraits(configuration) == expected)
    }

    @Test(arguments: Configuration.Priority.allCases) func priorities(priority: Configuration.Priority) {
        #expect("\(TokenPriority(priority))" == priority.rawValue)
    }

    /// The longest legal group fits into a token uncut.
    @Test func theLongestGroupFits() {
        let name = String(repeating: "ä", count: Configuration.largestGroup / 2)
        #expect(Configuration(.playback, group: name).isLegal)
        #expect(TokenTraits(Configuration(.playback, group: name)).group == name)
    }
}
