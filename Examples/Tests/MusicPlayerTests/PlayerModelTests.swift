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
        (.stateChanged(.paused(reason: .mediaServicesLost)), "PipeWire went away: paused"),
        // The events before it have said why.
        (.stateChanged(.paused(reason: .routeLost)), nil), (.stateChanged(.paused(reason: .outputFailed)), nil),
        (.positionChanged(.seconds(75)), "went to 1:15"), (.positionChanged(.zero), nil),
        (.finished, "played to the end"), (.itemChanged(nil), nil),
    ]

    @Test(arguments: sentences)
    func eventsAreToldInWords(event: AudioPlayer.Event, words: String?) {
        #expect(PlayerModel.playing().sentence(for: event) == words)
    }

    @Test func aLossIsToldOnce() {
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

    @Test func withoutAScreenALineTellsWhatPlays() {
        var model = PlayerModel.playing()
        let line = "▶ 02 The Harbour – Glass Stairs (3:21) on Headphones"
        #expect(model.plainLine(for: .stateChanged(.playing)) == line)
        #expect(model.plainLine(for: .becameNoisy(.headphones)) == "headphones unplugged: paused")
        #expect(model.plainLine(for: .finished) == "played to the end")
        model.current = nil
        #expect(model.plainLine(for: .stateChanged(.playing)) == nil)
    }

    @Test func namesFromElsewhereAreMadeHarmless() {
        let track = Track(title: "a\u{1B}[2J", artist: "b\nc", duration: .zero)
        #expect(track.name == "b\u{FFFD}c – a\u{FFFD}[2J")
        var model = PlayerModel.playing(on: .sample(.hdmi, "TV\u{7}"))
        #expect(model.outputName == "TV\u{FFFD}")
        #expect(model.sentence(for: .routeChanged(.override, .speakers, model.output)) == "now on TV\u{FFFD}")
        model.output = nil
        #expect(model.outputName == "no output")
    }

    @Test func everyTypeOfPortHasASignOfTwoCells() {
        for type in PortType.allCases {
            #expect(type.label.sign.cells == 2, "\(type)")
            #expect(!type.label.noun.isEmpty)
        }
    }
}
