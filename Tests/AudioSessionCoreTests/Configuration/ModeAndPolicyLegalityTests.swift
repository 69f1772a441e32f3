import AudioSessionCore
import Testing

@Suite struct ModeAndPolicyLegalityTests {
    typealias Configuration = AudioSessionConfiguration

    static let modes: [(Configuration.Mode, [Configuration.Category])] = [
        (.default, [.ambient, .soloAmbient, .playback, .record, .playAndRecord, .multiRoute]),
        (.voiceChat, [.playAndRecord]),
        (.gameChat, [.playAndRecord]),
        (.videoRecording, [.record, .playAndRecord]),
        (.measurement, [.playback, .record, .playAndRecord]),
        (.moviePlayback, [.ambient, .soloAmbient, .playback, .playAndRecord, .multiRoute]),
        (.videoChat, [.playAndRecord]),
        (.spokenAudio, [.ambient, .soloAmbient, .playback, .record, .playAndRecord, .multiRoute]),
        (.voicePrompt, [.ambient, .soloAmbient, .playback, .playAndRecord, .multiRoute]),
    ]

    @Test(arguments: modes)
    func aModeIsLegalWithItsCategories(mode: Configuration.Mode, categories: [Configuration.Category]) {
        for category in Configuration.Category.allCases {
            let configuration = Configuration(category, mode: mode)
            let isLegal = categories.contains(category)
            #expect(configuration.isLegal == isLegal, "\(category.name)")
            #expect(category.legalModes.contains(mode) == isLegal)
            #expect(configuration.violations.map(\.subject) == (isLegal ? [] : [.mode(mode)]))
            for alternative in configuration.violations.flatMap(\.alternatives) {
                #expect(Configuration(alternative, mode: mode).isLegal)
            }
        }
    }

    @Test(
        arguments: [
            (Configuration.Mode.voiceChat, Configuration.CategoryOptions.allowBluetoothHFP),
            (.gameChat, .allowBluetoothHFP), (.videoChat, [.allowBluetoothHFP, .defaultToSpeaker]), (.default, []),
            (.spokenAudio, []),
        ] as [(Configuration.Mode, Configuration.CategoryOptions)])
    func aModeImpliesOptions(mode: Configuration.Mode, options: Configuration.CategoryOptions) {
        #expect(Configuration(.playAndRecord, mode: mode).effectiveOptions == options)
    }

    @Test(arguments: [Configuration.RouteSharingPolicy.longFormAudio, .longFormVideo])
    func longFormIsForPlaybackInThreeModes(policy: Configuration.RouteSharingPolicy) {
        for category in Configuration.Category.allCases {
            for mode in category.legalModes {
                let isLegal = category == .playback && [.default, .moviePlayback, .spokenAudio].contains(mode)
                #expect(Configuration(category, mode: mode, policy: policy).isLegal == isLegal)
            }
        }
    }

    @Test(arguments: Configuration.RouteSharingPolicy.allCases)
    func onlyTheDefaultPolicyTakesOptions(policy: Configuration.RouteSharingPolicy) {
        for option: Configuration.CategoryOptions in [.mixWithOthers, .duckOthers, .allowAirPlay] {
            let configuration = Configuration(.playback, policy: policy, options: option)
            #expect(configuration.isLegal == (policy == .default))
        }
    }

    @Test func theIndependentPolicyCannotBeSet() {
        let violations = Configuration(.playback, policy: .independent).violations
        #expect(violations.map(\.subject) == [.routeSharingPolicy(.independent)])
    }

    @Test func anIllegalPolicyNamesAllItsProblems() {
        let configuration = Configuration(
            .playAndRecord, mode: .voiceChat, policy: .longFormAudio, options: .defaultToSpeaker)
        #expect(configuration.violations.count == 3)
        #expect(configuration.violations.last?.rule.contains("defaultToSpeaker") == true)
    }

    @Test(arguments: [
        ("", false), ("a", true), (String(repeating: "a", count: 64), true),
        (String(repeating: "a", count: 65), false),
        (String(repeating: "ä", count: 32), true), (String(repeating: "ä", count: 33), false),
    ])
    func aGroupHasAShortName(name: String, isLegal: Bool) {
        let configuration = Configuration(.playback, group: name)
        #expect(configuration.violations.map(\.subject) == (isLegal ? [] : [.group]))
    }
}
