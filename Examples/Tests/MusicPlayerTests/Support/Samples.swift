import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions

@testable import MusicPlayer

extension PortDescription {
    static let speakers = sample(.builtInSpeaker, "Speakers")
    static let headphones = sample(.headphones, "Headphones")
    static let buds = sample(.bluetoothA2DP, "Galaxy Buds")
    static let screen = sample(.hdmi, "DELL U2720Q", isUncertain: true)

    static func sample(
        _ type: PortType, _ name: String, isUncertain: Bool = false, hint: PortType? = nil
    ) -> PortDescription {
        .testValue(type, name: name, uid: "card/\(name)", isUncertain: isUncertain, hint: hint)
    }
}

extension AudioPlayer.Event {
    static func routeChanged(
        _ reason: RouteChangeReason, _ old: PortDescription?, _ new: PortDescription?
    ) -> AudioPlayer.Event {
        .routeChanged(
            .testValue(
                reason: reason, previous: .testValue(outputs: old.map { [$0] } ?? []),
                current: .testValue(outputs: new.map { [$0] } ?? [])))
    }

    static func stateChanged(_ state: AudioPlayer.State) -> Self { .stateChanged(state, at: .sample) }
    static func becameNoisy(_ port: PortDescription) -> Self { .becameNoisy(port, at: .sample) }
    static func positionChanged(_ position: Duration) -> Self { .positionChanged(position, at: .sample) }
}

extension PlayerModel {
    /// A model that plays the second of so many tracks.
    static func playing(trackCount: Int = 6, on output: PortDescription? = .headphones) -> PlayerModel {
        let names = ["Slow Tide", "Glass Stairs", "夜の海と灯台", "Night Train", "Bell 🔔", "Ve\u{301}rite\u{301}"]
        var model = PlayerModel()
        model.tracks = (0..<trackCount).map {
            Track(title: names[$0 % names.count], artist: "The Harbour", duration: .seconds(200 + $0))
        }
        model.current = trackCount > 1 ? 1 : nil
        model.state = .playing
        model.position = .seconds(50)
        model.volume = 0.8
        model.output = output
        model.last = Note(time: "21:07", text: "playing on Headphones")
        return model
    }
}

extension AudioSession.Peer {
    static func sample(_ name: String?, _ process: Int?) -> AudioSession.Peer {
        .testValue(
            session: AudioSession.ID("3b1c7a52-8f0e-4d6a-9b57-2f4f5d0c9e11")!, applicationName: name,
            processID: process)
    }
}

extension MonotonicTime {
    static let sample = MonotonicTime(nanoseconds: 0)
}
