import AudioSessionCore
import Testing

@Suite struct ConfigurationChangeTests {
    typealias Configuration = AudioSessionConfiguration

    @Test func settingACategoryResetsModeAndOptions() {
        var configuration = Configuration(
            .playback, mode: .spokenAudio, options: .mixWithOthers, priority: .alarm, group: "clock")
        configuration.setCategory(.playback)
        #expect(configuration == Configuration(.playback, priority: .alarm, group: "clock"))
        #expect(!configuration.isMixable)
    }

    @Test func settingACategoryResetsThePolicy() {
        var configuration = Configuration(.playback, policy: .longFormAudio)
        configuration.setCategory(.playAndRecord, options: .defaultToSpeaker)
        #expect(configuration.routeSharingPolicy == .default)
        #expect(configuration.isLegal)
    }

    @Test func modeAndOptionsAreSetWithoutEachOther() {
        var configuration = Configuration(.playback, options: .duckOthers)
        configuration.mode = .voicePrompt
        #expect(configuration.options == .duckOthers)
        configuration.options = []
        #expect(configuration.mode == .voicePrompt)
    }

    @Test func settingTheSameValuesChangesNothing() throws {
        var configuration = Configuration(.playback, options: .mixWithOthers)
        #expect(try configuration.replace(with: configuration) == false)
        #expect(try configuration.replace(with: Configuration(.playback)) == true)
        #expect(configuration == Configuration(.playback))
    }

    @Test func aRefusedChangeKeepsTheOldConfiguration() {
        let old = Configuration(.playback, mode: .spokenAudio, options: .mixWithOthers)
        var configuration = old
        let error = #expect(throws: AudioSessionError.self) {
            try configuration.replace(with: Configuration(.playback, mode: .voiceChat))
        }
        #expect(error?.violations.isEmpty == false)
        #expect(configuration == old)
    }

    @Test func unknownBitsAreNoOptionsForDeactivation() throws {
        try DeactivationOptions.notifyOthersOnDeactivation.validate()
        let wrong = try #require(throws: AudioSessionError.self) { try DeactivationOptions(rawValue: 3).validate() }
        #expect(wrong.code == .badParam)
        #expect(wrong.fix?.contains("notifyOthersOnDeactivation") == true)
    }
}

@Suite struct ConfigurationRequirementTests {
    typealias Configuration = AudioSessionConfiguration

    @Test(arguments: Configuration.Category.allCases)
    func aDirectionNeedsACategoryThatHasIt(category: Configuration.Category) throws {
        let configuration = Configuration(category)
        #expect(
            succeeds { () throws(AudioSessionError) in
                try configuration.require(.input, for: "A preferred input")
            } == category.allowsRecording)
        #expect(
            succeeds { () throws(AudioSessionError) in
                try configuration.require(.output, for: "A preferred output")
            } == category.allowsPlayback)
        #expect(
            succeeds { () throws(AudioSessionError) in
                try configuration.validate(PortOverride.speaker)
            } == (category == .playAndRecord))
        try configuration.validate(PortOverride.none)
    }

    /// Checks that it does, or throws the right code.
    private func succeeds(_ body: () throws(AudioSessionError) -> Void) -> Bool {
        do { try body() } catch {
            #expect(error.code == .incompatibleCategory)
            #expect(error.rule?.isEmpty == false && error.fix?.isEmpty == false)
            return false
        }
        return true
    }
}
