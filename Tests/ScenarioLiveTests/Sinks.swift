import AudioSessionPlayback
import AudioSessions
import TestSupport

/// The `node.name` of each sink of the test kit's cards.
enum Sinks {
    static let analog = "alsa_output.pci-virtual_0.analog-stereo"
    /// The sink of a card that has one for headphones alone.
    static let headphones = "alsa_output.pci-virtual_0.HiFi__Headphones__sink"
    static let hdmi = "alsa_output.pci-virtual_0.hdmi-stereo"
    static let usb = "alsa_output.usb-Virtual_USB_Headset_0-00.analog-stereo"
    static let bluetooth = "bluez_output.02_00_00_00_00_01.1"
}

extension [AudioPlayer.Event] {
    var routeChanges: [RouteChange] {
        compactMap { if case .routeChanged(let change) = $0 { change } else { nil } }
    }

    /// The changes without those of a microphone alone, which a session manager may move at another
    /// time.
    var outputChanges: [RouteChange] { routeChanges.filter { $0.previous.outputs != $0.current.outputs } }

    var losses: [PortDescription] {
        compactMap { if case .becameNoisy(let port, _) = $0 { port } else { nil } }
    }

    var states: [AudioPlayer.State] {
        compactMap { if case .stateChanged(let state, _) = $0 { state } else { nil } }
    }

    var failures: [AudioSessionError] {
        compactMap { if case .failed(let error, _) = $0 { error } else { nil } }
    }
}

extension [AudioSession.Event] {
    var routeChanges: [RouteChange] {
        compactMap { if case .routeChanged(let change) = $0 { change } else { nil } }
    }

    /// The gains of the session, in order.
    var gains: [Float] { compactMap { if case .ducking(let gain, _, _) = $0 { gain } else { nil } } }
}

extension RouteChange {
    /// The change of the route, in short.
    var summary: String {
        func names(_ route: RouteDescription) -> String { route.outputs.map(\.type.rawValue).joined(separator: "+") }
        return "\(reason): \(names(previous)) -> \(names(current))"
    }
}

extension [AudioSessionManager.Event] {
    var routeChanges: [RouteChange] {
        compactMap { if case .routeChanged(let change) = $0 { change } else { nil } }
    }

    var losses: [PortDescription] {
        compactMap { if case .becameNoisy(let port, _) = $0 { port } else { nil } }
    }
}

extension RouteDescription {
    func isOn(_ type: PortType) -> Bool { outputs.map(\.type) == [type] }
}
