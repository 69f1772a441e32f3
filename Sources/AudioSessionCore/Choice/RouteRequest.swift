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

    /// Whether Bluetooth devices need an option. Categories that only play may always use them.
    var isChoosyAboutBluetooth: Bool {
        configuration.allowsRecording && !configuration.allowsBluetoothHFP && !configuration.allowsBluetoothA2DP
    }
}

extension PortType {
    var isBluetooth: Bool { [.bluetoothA2DP, .bluetoothHFP, .bluetoothLE].contains(self) }
    /// Whether a device with such a port has two modes, for music and for calls.
    var hasModes: Bool { isBluetooth || self == .carAudio }
}
