import AudioSessionCore
import Testing

@Suite struct ConfigurationFactsTests {
    typealias Configuration = AudioSessionConfiguration

    @Test func aNewSessionDoesNotMix() {
        let fresh = Configuration()
        #expect(fresh == Configuration(.soloAmbient, mode: .default, policy: .default, options: [], priority: .media))
        #expect(fresh.isLegal && !fresh.isMixable && fresh.isSilencedBySilentMode)
    }

    @Test(arguments: [
        (Configuration.Category.ambient, true, false, true, false), (.soloAmbient, true, false, true, false),
        (.playback, true, false, false, false), (.record, false, true, false, true),
        (.playAndRecord, true, true, false, true), (.multiRoute, true, true, false, false),
    ])
    func categoriesHaveTheirDirectionsAndSilentMode(
        category: Configuration.Category, plays: Bool, records: Bool, isSilenced: Bool, captures: Bool
    ) {
        let configuration = Configuration(category)
        #expect(configuration.allowsPlayback == plays)
        #expect(configuration.allowsRecording == records)
        #expect(configuration.isSilencedBySilentMode == isSilenced)
        #expect(configuration.capturesAudio == captures)
    }

    @Test func mixingIsSetOrImplied() {
        #expect(Configuration(.ambient).isMixable)
        for category in Configuration.Category.allCases where category != .ambient {
            #expect(!Configuration(category).isMixable)
        }
        for option: Configuration.CategoryOptions in [
            .mixWithOthers, .duckOthers, .interruptSpokenAudioAndMixWithOthers,
        ] {
            #expect(Configuration(.playback, options: option).isMixable)
        }
        #expect(!Configuration(.playAndRecord, options: [.defaultToSpeaker, .allowAirPlay]).isMixable)
    }

    @Test func duckingAndInterruptingSpokenAudioAreIndependent() {
        let ducking = Configuration(.playback, options: .duckOthers)
        let prompting = Configuration(.playback, options: .interruptSpokenAudioAndMixWithOthers)
        #expect(ducking.ducksOthers && !ducking.interruptsSpokenAudio)
        #expect(prompting.interruptsSpokenAudio && !prompting.ducksOthers)
        let mixing = Configuration(.playback, options: .mixWithOthers)
        #expect(!mixing.ducksOthers && !mixing.interruptsSpokenAudio)
        #expect(Configuration(.playback, mode: .spokenAudio).isSpokenAudio && !mixing.isSpokenAudio)
    }

    @Test(arguments: Configuration.Mode.allCases)
    func aCallHasThePriorityOfCommunication(mode: Configuration.Mode) {
        let isCall = [.voiceChat, .videoChat, .gameChat].contains(mode)
        let session = Configuration(.playAndRecord, mode: mode)
        #expect(session.isCall == isCall)
        #expect(session.effectivePriority == (isCall ? .communication : .media))
        #expect(Configuration(.playAndRecord, mode: mode, priority: .emergency).effectivePriority == .emergency)
        #expect(session.priority == .media, "what was declared is not touched")
    }

    @Test func onlyMusicLeavesWithoutNotify() {
        for mode: Configuration.Mode in [.default, .moviePlayback, .spokenAudio] {
            #expect(!Configuration(.playback, mode: mode).notifiesOthersWhenLost)
        }
        #expect(!Configuration(.soloAmbient).notifiesOthersWhenLost)
        #expect(Configuration(.playback, mode: .voicePrompt).notifiesOthersWhenLost)
        #expect(Configuration(.playback, mode: .measurement).notifiesOthersWhenLost)
        #expect(Configuration(.playback, priority: .alarm).notifiesOthersWhenLost)
        for category: Configuration.Category in [.ambient, .record, .playAndRecord, .multiRoute] {
            #expect(Configuration(category).notifiesOthersWhenLost)
        }
    }

    @Test func musicPausesWhenItsOutputIsLostAndCallsDoNot() {
        #expect(Configuration(.playback).pausesWhenOutputDisappears)
        #expect(Configuration(.playAndRecord).pausesWhenOutputDisappears)
        #expect(!Configuration(.playback, options: .mixWithOthers).pausesWhenOutputDisappears)
        #expect(!Configuration(.ambient).pausesWhenOutputDisappears)
        #expect(!Configuration(.record).pausesWhenOutputDisappears)
        #expect(!Configuration(.playAndRecord, mode: .voiceChat).pausesWhenOutputDisappears)
        #expect(!Configuration(.playback, priority: .communication).pausesWhenOutputDisappears)
    }

    @Test func nowPlayingIsPrimaryMedia() {
        #expect(Configuration(.playback).canBeNowPlaying)
        #expect(!Configuration(.playback, options: .mixWithOthers).canBeNowPlaying)
        #expect(!Configuration(.playback, priority: .alarm).canBeNowPlaying)
        #expect(!Configuration(.playAndRecord, mode: .voiceChat).canBeNowPlaying)
    }

    @Test func optionsDecideWhichRoutesMayBeUsed() {
        let playback = Configuration(.playback)
        #expect(playback.allowsBluetoothA2DP && playback.allowsAirPlay && !playback.allowsBluetoothHFP)
        let both = Configuration(.playAndRecord)
        #expect(!both.allowsBluetoothA2DP && !both.allowsAirPlay && !both.allowsBluetoothHFP)
        let all = Configuration(.playAndRecord, options: [.allowBluetoothHFP, .allowBluetoothA2DP, .allowAirPlay])
        #expect(all.allowsBluetoothA2DP && all.allowsAirPlay && all.allowsBluetoothHFP)
        #expect(both.prefersReceiver && !playback.prefersReceiver)
        #expect(!Configuration(.playAndRecord, options: .defaultToSpeaker).prefersReceiver)
        #expect(!Configuration(.playAndRecord, mode: .videoChat).prefersReceiver)
        #expect(Configuration(.playAndRecord, mode: .voiceChat).prefersReceiver)
    }
}
