/// What kind of connector, speaker, microphone or link a port is.
///
/// The cases are those of `AVAudioSession.Port`, with `network` and `unknown` added: sound that leaves the machine
/// by a network protocol other than AirPlay is common on Linux, and a port that the machine's data does not decide
/// is said to be unknown rather than guessed. Raw values are the names that the command line tool prints.
public enum PortType: String, Sendable, Hashable, CaseIterable {
    // Inputs
    /// A microphone of the machine itself.
    case builtInMic
    /// A microphone in a jack. As on iOS there is no other type for a plain external microphone.
    case headsetMic
    /// A jack for sound from another device, at line level.
    case lineIn
    // Outputs
    /// A speaker of the machine itself.
    case builtInSpeaker
    /// What a phone has for one's ear.
    case builtInReceiver
    /// Headphones, or the earpieces of a headset, in a jack.
    case headphones
    /// A jack for another device, such as an amplifier.
    case lineOut
    /// A screen. PipeWire does not tell HDMI from DisplayPort, so this is marked uncertain where it matters.
    case hdmi = "HDMI"
    /// A receiver of Apple's network protocol (RAOP).
    case airPlay
    /// Bluetooth that only plays, and sounds well.
    case bluetoothA2DP
    /// Bluetooth LE Audio.
    case bluetoothLE
    // Either direction
    /// A Bluetooth headset as in a call: a microphone, and the sound of a telephone.
    case bluetoothHFP
    /// Something on USB; ``PortDescription/hint`` may say what.
    case usbAudio
    /// A car.
    case carAudio
    /// No hardware: a sink or a source that a program made.
    case virtual
    /// A card on the PCI bus of which no more is known.
    case pci = "PCI"
    /// An interface on FireWire.
    case fireWire
    /// A screen on DisplayPort, where that is known.
    case displayPort
    /// An interface on Thunderbolt.
    case thunderbolt
    /// Audio Video Bridging, on a network made for it.
    case avb = "AVB"
    /// A network audio protocol other than AirPlay (RTP, ROC, VBAN, a PulseAudio tunnel …). Not on Apple's list.
    case network
    /// Nothing in the machine's data tells what this is. Not on Apple's list.
    case unknown

    /// Whether the port is a part of the machine itself and so cannot be unplugged.
    public var isBuiltIn: Bool {
        self == .builtInMic || self == .builtInSpeaker || self == .builtInReceiver
    }
}
