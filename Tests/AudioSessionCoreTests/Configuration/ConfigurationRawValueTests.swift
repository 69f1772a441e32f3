import AudioSessionCore
import Testing

/// Names and numbers are a contract with programs that use Apple's, so each is repeated here.
@Suite struct ConfigurationRawValueTests {
    typealias Configuration = AudioSessionConfiguration

    @Test(arguments: [
        (Configuration.Category.ambient, "AVAudioSessionCategoryAmbient"),
        (.soloAmbient, "AVAudioSessionCategorySoloAmbient"), (.playback, "AVAudioSessionCategoryPlayback"),
        (.record, "AVAudioSessionCategoryRecord"), (.playAndRecord, "AVAudioSessionCategoryPlayAndRecord"),
        (.multiRoute, "AVAudioSessionCategoryMultiRoute"),
    ])
    func categories(category: Configuration.Category, rawValue: String) {
        #expect(category.rawValue == rawValue)
        #expect(Configuration.Category(rawValue: rawValue) == category)
    }

    @Test(arguments: [
        (Configuration.Mode.default, "AVAudioSessionModeDefault"), (.voiceChat, "AVAudioSessionModeVoiceChat"),
        (.gameChat, "AVAudioSessionModeGameChat"), (.videoRecording, "AVAudioSessionModeVideoRecording"),
        (.measurement, "AVAudioSessionModeMeasurement"), (.moviePlayback, "AVAudioSessionModeMoviePlayback"),
        (.videoChat, "AVAudioSessionModeVideoChat"), (.spokenAudio, "AVAudioSessionModeSpokenAudio"),
        (.voicePrompt, "AVAudioSessionModeVoicePrompt"),
    ])
    func modes(mode: Configuration.Mode, rawValue: String) {
        #expect(mode.rawValue == rawValue)
        #expect(Configuration.Mode(rawValue: rawValue) == mode)
    }

    @Test(
        arguments: [
            (Configuration.CategoryOptions.mixWithOthers, 0x1), (.duckOthers, 0x2), (.allowBluetoothHFP, 0x4),
            (.defaultToSpeaker, 0x8), (.interruptSpokenAudioAndMixWithOthers, 0x11), (.allowBluetoothA2DP, 0x20),
            (.allowAirPlay, 0x40),
        ] as [(Configuration.CategoryOptions, UInt)])
    func options(option: Configuration.CategoryOptions, rawValue: UInt) {
        #expect(option.rawValue == rawValue)
    }

    @Test(
        arguments: [
            (Configuration.RouteSharingPolicy.default, 0), (.longFormAudio, 1), (.independent, 2),
            (.longFormVideo, 3),
        ] as [(Configuration.RouteSharingPolicy, UInt)])
    func policies(policy: Configuration.RouteSharingPolicy, rawValue: UInt) {
        #expect(policy.rawValue == rawValue)
    }

    @Test func theseTablesAreComplete() {
        #expect(Configuration.Category.allCases.count == 6)
        #expect(Configuration.Mode.allCases.count == 9)
        #expect(Configuration.RouteSharingPolicy.allCases.count == 4)
        let all = Configuration.CategoryOptions.legal(with: .playAndRecord)
        #expect(all.rawValue == 0x7f, "every option but those of Apple's hardware")
    }

    @Test func interruptionsAndActivation() {
        #expect(InterruptionReason.default.rawValue == 0)
        #expect(InterruptionOptions.shouldResume.rawValue == 1)
        #expect(SilenceSecondaryAudioHintType.begin.rawValue == 1)
        #expect(SilenceSecondaryAudioHintType.end.rawValue == 0)
        #expect(DeactivationOptions.notifyOthersOnDeactivation.rawValue == 1)
        #expect(PortOverride.none.rawValue == 0)
        #expect(PortOverride.speaker.rawValue == 1_936_747_378)
    }

    @Test func prioritiesAreInOrder() {
        let order: [Configuration.Priority] = [.media, .alarm, .ringtone, .communication, .emergency]
        #expect(Configuration.Priority.allCases.sorted() == order)
    }
}
