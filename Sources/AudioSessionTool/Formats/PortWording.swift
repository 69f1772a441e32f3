import AudioSessions

extension PortDescription {
    /// The port's name and type, such as "Headphones (headphones)".
    var text: String { "\(name) (\(type.word)\(isUncertain ? ", uncertain" : ""))" }

    /// The port as a line of a list, with its uid, which never changes.
    var line: String { "\(type.sign) \(text)  \(uid)" }
}

extension PortType {
    var sign: String {
        switch self {
        case .builtInMic, .headsetMic: "🎤"
        case .builtInSpeaker: "🔊"
        case .builtInReceiver: "📞"
        case .headphones: "🎧"
        case .lineIn, .lineOut: "🔉"
        case .hdmi, .displayPort: "📺"
        case .airPlay: "📡"
        case .bluetoothA2DP, .bluetoothHFP, .bluetoothLE: "🔵"
        case .usbAudio: "🔌"
        case .carAudio: "🚗"
        case .virtual: "🔁"
        case .network: "🌐"
        case .pci, .fireWire, .thunderbolt, .avb: "🎹"
        case .unknown: "❔"
        }
    }

    /// The type's name for users, as it appears in the middle of a sentence.
    var word: String {
        switch self {
        case .builtInMic: "built-in microphone"
        case .headsetMic: "microphone"
        case .lineIn: "line in"
        case .builtInSpeaker: "built-in speaker"
        case .builtInReceiver: "earpiece"
        case .headphones: "headphones"
        case .lineOut: "line out"
        case .hdmi: "HDMI"
        case .airPlay: "AirPlay"
        case .bluetoothA2DP: "Bluetooth"
        case .bluetoothLE: "Bluetooth LE"
        case .bluetoothHFP: "Bluetooth headset"
        case .usbAudio: "USB audio"
        case .carAudio: "car audio"
        case .virtual: "virtual"
        case .pci: "PCI card"
        case .fireWire: "FireWire"
        case .displayPort: "DisplayPort"
        case .thunderbolt: "Thunderbolt"
        case .avb: "AVB"
        case .network: "network"
        case .unknown: "unknown"
        }
    }

    var wayToCome: String {
        switch connection {
        case .cable: "plugged in"
        case .air: "connected"
        case .none: "appeared"
        }
    }

    var wayToGo: String {
        switch connection {
        case .cable: "unplugged"
        case .air: "disconnected"
        case .none: "removed"
        }
    }

    private enum Attachment { case cable, air, none }

    private var connection: Attachment {
        switch self {
        case .headphones, .headsetMic, .lineIn, .lineOut, .hdmi, .displayPort, .usbAudio, .fireWire, .thunderbolt:
            .cable
        case .bluetoothA2DP, .bluetoothHFP, .bluetoothLE, .airPlay, .network, .avb, .carAudio: .air
        case .builtInMic, .builtInSpeaker, .builtInReceiver, .virtual, .pci, .unknown: .none
        }
    }
}
