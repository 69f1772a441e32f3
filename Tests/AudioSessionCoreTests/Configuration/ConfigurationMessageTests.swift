import AudioSessionCore
import Testing

/// The messages of illegal configurations name the option, the rule and all fixes.
@Suite struct ConfigurationMessageTests {
    typealias Configuration = AudioSessionConfiguration

    @Test(arguments: [
        (
            Configuration(.playback, options: .defaultToSpeaker),
            "Option defaultToSpeaker is only for category playAndRecord, and the category is playback.",
            "Leave it out, or use category playAndRecord."
        ),
        (
            Configuration(.soloAmbient, options: .mixWithOthers),
            "Option mixWithOthers is only for categories ambient, playback, playAndRecord and multiRoute, "
                + "and the category is soloAmbient.",
            "Leave it out, or use category ambient or playback."
        ),
        (
            Configuration(.playback, mode: .moviePlayback, options: .allowBluetoothHFP),
            "Option allowBluetoothHFP is only for categories record and playAndRecord, and the category is playback.",
            "Leave it out, or use category playAndRecord."
        ),
        (
            Configuration(.multiRoute, mode: .spokenAudio, options: .duckOthers),
            "Option duckOthers with category multiRoute is only for mode default, and the mode is spokenAudio.",
            "Leave it out, or use mode default."
        ),
        (
            Configuration(.record, mode: .voiceChat),
            "Mode voiceChat is only for category playAndRecord, and the category is record.",
            "Use mode default, or use category playAndRecord."
        ),
        (
            Configuration(.playAndRecord, options: .init(rawValue: 0x80)),
            "Option overrideMutedMicrophoneInterruption has no meaning here: a muted microphone interrupts nothing here.",
            "Leave it out."
        ),
        (
            Configuration(.playback, options: .init(rawValue: 0x10)), "The bits 0x10 are no option.",
            "Use interruptSpokenAudioAndMixWithOthers, which is 0x11."
        ),
        (
            Configuration(.ambient, policy: .longFormVideo),
            "Policy longFormVideo is only for category playback, and the category is ambient.",
            "Use policy default, or category playback."
        ),
        (
            Configuration(.playback, mode: .measurement, policy: .longFormAudio),
            "Policy longFormAudio is only for modes default, moviePlayback and spokenAudio, "
                + "and the mode is measurement.",
            "Use policy default, or one of these modes."
        ),
        (
            Configuration(.playback, policy: .longFormAudio, options: [.mixWithOthers, .duckOthers]),
            "Policy longFormAudio takes no options, and there are mixWithOthers, duckOthers.",
            "Use policy default, or no options."
        ),
        (
            Configuration(.playback, policy: .independent),
            "Only the system may set policy independent, and no session may.", "Use policy default."
        ),
        (
            Configuration(.playback, group: ""), "The name of a group has 1 to 64 bytes, and this one is empty.",
            "Use another name, or none for the group of this process."
        ),
    ])
    func aRefusalNamesRuleAndFix(configuration: Configuration, rule: String, fix: String) {
        #expect(configuration.violations.map(\.rule) == [rule])
        #expect(configuration.violations.map(\.fix) == [fix])
        #expect(configuration.violations.map(\.description) == ["\(rule) \(fix)"])
    }
}
