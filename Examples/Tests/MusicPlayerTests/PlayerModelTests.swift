import AudioSessionPlayback
import AudioSessions
import Testing

@testable import MusicPlayer

@Suite struct PlayerModelTests {
    private static let sentences: [(AudioPlayer.Event, String?)] = [
        (.becameNoisy(.headphones), "headphones unplugged: paused"),
        (.becameNoisy(.buds), "Bluetooth disconnected: paused"),
        (.becameNoisy(.sample(.usbAudio, "Jabra", hint: .headphones)), "headphones unplugged: paused"),
        (.routeChanged(.newDeviceAvailable, .speakers, .headphones), "headphones plugged in: playing there"),
        (.routeChanged(.newDeviceAvailable, nil, .buds), "Bluetooth connected: playing there"),
        (.routeChanged(.newDeviceAvailable, nil, .speakers), "speaker appeared: playing there"),
        (.routeChanged(.override, .headphones, .screen), "now on DELL U2720Q"),
        (.routeChanged(.oldDeviceUnavailable, .headphones, nil), "no output is left"),
        (.routeChanged(.routeConfigurationChange, .speakers, .speakers), nil),
        (.routeChanged(.noSuitableRouteForCategory, nil, nil), nil),
        (.stateChanged(.playing), "playing on Headphones"), (.stateChanged(.paused(reason: .user)), "paused"),
        (.stateChanged(.paused(reason: .mediaServicesLost)), "PipeWire was lost: paused"),
        // The earlier events have given the reason.
        (.stateChanged(.paused(reason: .routeLost)), nil), (.stateChanged(.paused(reason: .outputFailed)), nil),
        (.positionChanged(.seconds(75)), "went to 1:15"), (.positionChanged(.zero), nil),
        (.finished(at: .sample), "played to the end"), (.itemChanged(nil, at: .sample), nil),
    ]

    @Test(arguments: sentences)
    func eventsHaveTheirText(event: AudioPlayer.Event, words: String?) {
        #expect(PlayerModel.playing().sentence(for: event) == words)
    }

    @Test func interruptersAreNamed() {
        var model = PlayerModel.playing(on: .speakers)
        let call = AudioSession.Peer.sample("Phone\u{7}", 7)
        let began = AudioSession.Event.interruptionBegan(reason: .default, by: call, at: .sample)
        #expect(model.sentence(for: began) == "interrupted by Phone\u{FFFD}")
        model.state = .paused(reason: .interrupted)
        #expect(model.sentence(for: began) == "interrupted by Phone\u{FFFD}: paused")
        #expect(model.advice == "space plays anyway")
        model.remember(.session(began))
        let ended = AudioSession.Event.interruptionEnded(options: .shouldResume, at: .sample)
        #expect(model.sentence(for: ended) == "Phone\u{FFFD} is done")
        #expect(
            model.sentence(for: .interruptionEnded(options: [], at: .sample))
                == "Phone\u{FFFD} is done: staying paused")
        model.remember(.session(ended))
        #expect(model.sentence(for: .stateChanged(.playing)) == "Phone\u{FFFD} is done: playing on Speakers")
        model.remember(.player(.stateChanged(.playing)))
        #expect(model.sentence(for: .stateChanged(.playing)) == "playing on Speakers")
    }

    @Test func duckersAreNamed() {
        let model = PlayerModel.playing()
        let causes = [AudioSession.Peer.sample("Maps", 7), .sample(nil, 8), .sample(nil, nil)]
        #expect(
            model.sentence(for: .ducking(gain: 0.2, by: causes, at: .sample))
                == "ducked by Maps, process 8, another program")
        #expect(model.sentence(for: .ducking(gain: 1, by: [], at: .sample)) == "as loud as before")
        #expect(model.sentence(for: .ducking(gain: 0, by: [], at: .sample)) == "muted by silent mode")
        #expect(model.sentence(for: .stateChanged(AudioSession.State.active, at: .sample)) == nil)
    }

    /// A player that takes back was not resumed by the end of the interruption.
    @Test func takingBackIsNoResumption() {
        var model = PlayerModel.playing(on: .speakers)
        let first = AudioSession.Event.interruptionBegan(reason: .default, by: .sample("Phone", 7), at: .sample)
        model.remember(.session(first))
        model.remember(.session(.interruptionEnded(options: [], at: .sample)))
        model.remember(.session(first))
        #expect(model.sentence(for: .stateChanged(.playing)) == "playing on Speakers")
    }

    @Test func aLossIsReportedOnce() {
        var model = PlayerModel.playing(on: .speakers)
        let change = AudioPlayer.Event.routeChanged(.oldDeviceUnavailable, .headphones, .speakers)
        model.state = .paused(reason: .routeLost)
        #expect(model.sentence(for: change) == nil)
        #expect(model.plainLine(for: change) == "now on Speakers")
        model.state = .paused(reason: .user)
        #expect(model.sentence(for: change) == "headphones unplugged")
        let other = AudioPlayer.Event.routeChanged(.newDeviceAvailable, .speakers, .headphones)
        #expect(model.sentence(for: other) == "headphones plugged in")
    }

    @Test func withoutAScreenALineNamesTheTrack() {
        var model = PlayerModel.playing()
        let line = "▶ 02 The Harbour – Glass Stairs (3:21) on Headphones"
        #expect(model.plainLine(for: .stateChanged(.playing)) == line)
        #expect(model.plainLine(for: .becameNoisy(.headphones)) == "headphones unplugged: paused")
        #expect(model.plainLine(for: .finished(at: .sample)) == "played to the end")
        model.current = nil
        #expect(model.plainLine(for: .stateChanged(.playing)) == nil)
    }

    @Test func namesOfOtherProgramsAreEscaped() {
        let track = Track(title: "a\u{1B}[2J", artist: "b\nc", duration: .zero)
        #expect(track.name == "b\u{FFFD}c – a\u{FFFD}[2J")
        var model = PlayerModel.playing(on: .sample(.hdmi, "TV\u{7}"))
        #expect(model.outputName == "TV\u{FFFD}")
        #expect(model.sentence(for: .routeChanged(.override, .speakers, model.output)) == "now on TV\u{FFFD}")
        model.output = nil
        #expect(model.outputName == "no output")
    }

    @Test func everyTypeOfPortHasASymbolOfTwoCells() {
        for type in PortType.allCases {
            #expect(type.label.sign.cells == 2, "\(type)")
            #expect(!type.label.noun.isEmpty)
        }
    }
}
