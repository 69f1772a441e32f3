import AudioSessions

extension WindowState.Port {
    init(_ port: PortDescription) {
        // Headphones on USB are headphones.
        let look = (port.hint ?? port.type).look
        self.init(
            uid: port.uid, name: port.name, kind: look.kind + (port.isUncertain ? ", probably" : ""), icon: look.icon)
    }
}

extension PortType {
    /// Its name, and its icon in the desktop's theme.
    fileprivate var look: (kind: String, icon: String) {
        switch self {
        case .headphones: ("Headphones", "audio-headphones-symbolic")
        case .builtInSpeaker: ("Built-in Speaker", "audio-speakers-symbolic")
        case .builtInReceiver: ("Receiver", "phone-symbolic")
        case .lineOut: ("Line Out", "audio-speakers-symbolic")
        case .hdmi: ("HDMI", "video-display-symbolic")
        case .displayPort: ("DisplayPort", "video-display-symbolic")
        case .usbAudio: ("USB", "audio-card-symbolic")
        case .bluetoothA2DP, .bluetoothLE: ("Bluetooth", "audio-headphones-symbolic")
        case .bluetoothHFP: ("Bluetooth Headset", "audio-headset-symbolic")
        case .carAudio: ("Car", "audio-speakers-symbolic")
        case .airPlay: ("AirPlay", "network-wireless-symbolic")
        case .network, .avb: ("Network", "network-workgroup-symbolic")
        case .fireWire: ("FireWire", "audio-card-symbolic")
        case .thunderbolt: ("Thunderbolt", "audio-card-symbolic")
        case .pci: ("Sound Card", "audio-card-symbolic")
        case .virtual: ("Virtual Output", "applications-multimedia-symbolic")
        case .builtInMic, .headsetMic, .lineIn, .unknown: ("Output", "audio-card-symbolic")
        @unknown default: ("Output", "audio-card-symbolic")
        }
    }
}
