/// The input of a selection besides the graph: preferences, configuration and cards.
struct RouteRequest: Sendable {
    var preferences: RoutePreferences
    var configuration: AudioSessionConfiguration
    /// The nodes of cards that others have switched from the route that the session needs.
    var switched: Set<CardPort> = []
    /// The `device.name` of the card that has left the profile that the session chose.
    var reprofiled: String?

    func allows(_ direction: PortDirection) -> Bool {
        direction == .output ? configuration.allowsPlayback : configuration.allowsRecording
    }

    /// Whether a Bluetooth device may be used that the program did not prefer. Categories that only
    /// play may always use them.
    ///
    /// Recording from a headset ends its A2DP, so its microphone needs the option for hands-free
    /// devices.
    func allowsBluetooth(_ direction: PortDirection) -> Bool {
        guard configuration.allowsRecording, !configuration.allowsBluetoothHFP else { return true }
        return direction == .output && configuration.allowsBluetoothA2DP
    }
}

extension PortType {
    var isBluetooth: Bool { [.bluetoothA2DP, .bluetoothHFP, .bluetoothLE].contains(self) }
    /// Whether a device with such a port has two modes, for music and for calls.
    var hasModes: Bool { isBluetooth || self == .carAudio }
}
