/// The kind of connector, speaker, microphone or connection of a port.
///
/// The cases are those of `AVAudioSession.Port`, with the additions `network` and `unknown`.
/// Network protocols other than AirPlay are common on Linux. A port whose type the data does not
/// determine is `unknown`, because the library does not guess. Raw values are the names that the
/// command line tool prints.
@nonexhaustive
public enum PortType: String, Sendable, Hashable, CaseIterable {
    // MARK: - Inputs
    /// A built-in microphone of the computer.
    case builtInMic
    /// A microphone in a jack. As on iOS, plain external microphones have no type of their own.
    case headsetMic
    /// A jack for sound from another device, at line level.
    case lineIn
    // MARK: - Outputs
    /// A built-in speaker of the computer.
    case builtInSpeaker
    /// The receiver that is held to the ear, on phones.
    case builtInReceiver
    /// Headphones, or the earpieces of a headset, in a jack.
    case headphones
    /// A jack for another device, such as an amplifier.
    case lineOut
    /// A screen. PipeWire does not distinguish HDMI from DisplayPort, so this is marked uncertain
    /// where it matters.
    case hdmi = "HDMI"
    /// A receiver of Apple's network protocol (RAOP).
    case airPlay
    /// A Bluetooth device that only plays, with good quality.
    case bluetoothA2DP
    /// A Bluetooth LE Audio device.
    case bluetoothLE
    // MARK: - Either direction
    /// A Bluetooth headset in its call profile, with a microphone and the quality of a telephone.
    case bluetoothHFP
    /// A USB device; ``PortDescription/hint`` may have its kind.
    case usbAudio
    /// The audio system of a car.
    case carAudio
    /// A sink or source that a program made, without hardware.
    case virtual
    /// A card on the PCI bus whose kind is unknown.
    case pci = "PCI"
    /// An interface on FireWire.
    case fireWire
    /// A screen on DisplayPort, where that is known.
    case displayPort
    /// An interface on Thunderbolt.
    case thunderbolt
    /// A device of Audio Video Bridging, on a network made for it.
    case avb = "AVB"
    /// A device of another network protocol than AirPlay (RTP, ROC, VBAN, a PulseAudio tunnel …).
    /// Apple has no counterpart.
    case network
    /// A port whose kind the computer's data does not reveal. Apple has no counterpart.
    case unknown

    /// Whether the port is built into the computer, so that it cannot be unplugged.
    public var isBuiltIn: Bool {
        self == .builtInMic || self == .builtInSpeaker || self == .builtInReceiver
    }
}
