/// Which way sound goes through a port, seen from the program.
public enum PortDirection: String, Sendable, Hashable, CaseIterable {
    /// `input` is to record from, `output` to play to.
    case input, output
}

/// One end point of sound: a speaker, a jack, a headset, a screen.
///
/// A value: it never changes after it was made. Counterpart of `AVAudioSessionPortDescription`, with what Linux adds.
public struct PortDescription: Sendable, Hashable, Identifiable {
    /// What kind of port it is.
    public let type: PortType
    /// A name for people, in the user's language where the system has one.
    public let name: String
    /// Names the port across unplugging, re-plugging and reboots.
    public let uid: String
    /// Which way sound goes through it. A headset is two ports.
    public let direction: PortDirection
    /// Whether the machine's data does not decide the type; `typeReason` says what it went by.
    public let isUncertain: Bool
    /// Why the port has its type, in one sentence for people.
    public let typeReason: String
    /// What hangs on a port whose type only names its bus, where that is known: headphones on USB, for example.
    public let hint: PortType?
    /// Whether a filter (equaliser, echo canceller, convolver) stands between the program and the port.
    public let isThroughFilter: Bool
    /// Channel names in PipeWire's terms (`FL`, `FR` …), in order; empty where unknown.
    public let channels: [String]
    /// `node.name` of the PipeWire node that the program's stream is linked to.
    public let nodeName: String?
    /// `device.name` of the PipeWire device (the card), where there is one.
    public let deviceName: String?
    /// Name of the card's route (jack, mixer path), where there is one.
    public let routeName: String?

    public var id: String { uid }

    /// For tests: what a program is told comes from PipeWire.
    public init(
        type: PortType, name: String, uid: String, direction: PortDirection, isUncertain: Bool = false,
        typeReason: String = "", hint: PortType? = nil, isThroughFilter: Bool = false, channels: [String] = [],
        nodeName: String? = nil, deviceName: String? = nil, routeName: String? = nil
    ) {
        self.type = type
        self.name = name
        self.uid = uid
        self.direction = direction
        self.isUncertain = isUncertain
        self.typeReason = typeReason
        self.hint = hint
        self.isThroughFilter = isThroughFilter
        self.channels = channels
        self.nodeName = nodeName
        self.deviceName = deviceName
        self.routeName = routeName
    }
}
