import AudioSessions

/// The symbol and the name of a type of port.
struct PortLabel: Sendable, Hashable {
    /// A symbol that terminals draw two cells wide, also without a variation selector. Others, such
    /// as 🖥 and 🎙, differ between terminals.
    var sign: String
    /// The name of the type, as part of a sentence.
    var noun: String
    var arrives = "plugged in"
    var leaves = "unplugged"

    /// The verbs for ports that are no plugs: they appear and are removed with a driver or program.
    fileprivate func fixed() -> PortLabel {
        PortLabel(sign: sign, noun: noun, arrives: "appeared", leaves: "went away")
    }

    fileprivate func wireless() -> PortLabel {
        PortLabel(sign: sign, noun: noun, arrives: "connected", leaves: "disconnected")
    }
}

extension PortDescription {
    /// The kind of device decides where it is known: headphones on USB are headphones.
    var label: PortLabel { (hint ?? type).label }
}

extension PortType {
    var label: PortLabel {
        switch self {
        case .headphones: PortLabel(sign: "🎧", noun: "headphones")
        case .builtInSpeaker: PortLabel(sign: "🔈", noun: "speaker").fixed()
        case .builtInReceiver: PortLabel(sign: "📞", noun: "receiver").fixed()
        case .lineOut: PortLabel(sign: "🔊", noun: "line out")
        case .hdmi: PortLabel(sign: "📺", noun: "HDMI")
        case .displayPort: PortLabel(sign: "📺", noun: "DisplayPort")
        case .builtInMic: PortLabel(sign: "🎤", noun: "microphone").fixed()
        case .headsetMic: PortLabel(sign: "🎤", noun: "headset microphone")
        case .lineIn: PortLabel(sign: "🎤", noun: "line in")
        case .usbAudio: PortLabel(sign: "🔌", noun: "USB")
        case .pci: PortLabel(sign: "🔉", noun: "sound card").fixed()
        case .fireWire: PortLabel(sign: "⚡", noun: "FireWire")
        case .thunderbolt: PortLabel(sign: "⚡", noun: "Thunderbolt")
        case .bluetoothA2DP, .bluetoothHFP, .bluetoothLE: PortLabel(sign: "📶", noun: "Bluetooth").wireless()
        case .carAudio: PortLabel(sign: "🚗", noun: "car").wireless()
        case .airPlay: PortLabel(sign: "📡", noun: "AirPlay").wireless()
        case .avb: PortLabel(sign: "🌐", noun: "AVB").wireless()
        case .network: PortLabel(sign: "🌐", noun: "network").wireless()
        case .virtual: PortLabel(sign: "🧩", noun: "virtual output").fixed()
        case .unknown: PortLabel(sign: "❔", noun: "output").fixed()
        @unknown default: PortLabel(sign: "❔", noun: "output").fixed()
        }
    }
}
