/// What kind of connector, speaker, microphone or link a port is.
///
/// The cases are those of `AVAudioSession.Port`, with `network` and `unknown` added: sound that leaves the machine
/// by a network protocol other than AirPlay is common on Linux, and a port that the machine's data does not decide
/// is said to be unknown rather than guessed. Raw values are the names that the command line tool prints.
public enum PortType: String, Sendable, Hashable, CaseIterable {
    // Inputs
    case builtInMic
    /// A microphone in a jack. As on iOS there is no other type for a plain external microphone.
    case headsetMic
    case lineIn
    // Outputs
    case builtInSpeaker
    case builtInReceiver
    case headphones
    case lineOut
    /// A screen. PipeWire does not tell HDMI from DisplayPort, so this is marked uncertain where it matters.
    case hdmi = "HDMI"
    case airPlay
    case bluetoothA2DP
    case bluetoothLE
    // Either direction
    case bluetoothHFP
    case usbAudio
    case carAudio
    case virtual
    case pci = "PCI"
    case fireWire
    case displayPort
    case thunderbolt
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
