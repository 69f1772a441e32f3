/// What decides about a session's route, besides the machine.
struct RouteRequest: Sendable {
    var preferences: RoutePreferences
    var configuration: AudioSessionConfiguration
    /// Ends of cards that somebody has switched away from what the session wanted.
    var switched: Set<CardEnd> = []
    /// The card whose profile is another one than the session chose, by `device.name`.
    var reprofiled: String?

    func allows(_ direction: PortDirection) -> Bool {
        direction == .output ? configuration.allowsPlayback : configuration.allowsRecording
    }

    /// Whether Bluetooth is only used if the options say so: categories that only play always use it.
    var isChoosyAboutBluetooth: Bool {
        configuration.allowsRecording && !configuration.allowsBluetoothHFP && !configuration.allowsBluetoothA2DP
    }
}

extension PortType {
    var isBluetooth: Bool { [.bluetoothA2DP, .bluetoothHFP, .bluetoothLE].contains(self) }
}
