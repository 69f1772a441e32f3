/// Which way sound goes through a port, seen from the program.
public enum PortDirection: String, Sendable, Hashable, CaseIterable {
    /// `input` is to record from, `output` to play to.
    case input, output
}

/// One end point of sound: a speaker, a jack, a headset, a screen.
///
/// A value: it never changes after it was made. Counterpart of `AVAudioSessionPortDescription`, with what Linux adds.
public struct PortDescription: Sendable, Hashable, Identifiable {
    // Lists of ports are made at each event that concerns any of them.
    private let facts: Shared<Facts>

    private struct Facts: Sendable, Hashable {
        let type: PortType
        let name: String
        let uid: String
        let direction: PortDirection
        let isUncertain: Bool
        let typeReason: String
        let hint: PortType?
        let isThroughFilter: Bool
        let channels: [String]
        let nodeName: String?
        let deviceName: String?
        let routeName: String?
        let needsProfileChange: Bool
    }

    /// What kind of port it is.
    public var type: PortType { facts.value.type }
    /// A name for people, in the user's language where the system has one.
    public var name: String { facts.value.name }
    /// Names the port across unplugging, re-plugging and reboots.
    public var uid: String { facts.value.uid }
    /// Which way sound goes through it. A headset is two ports.
    public var direction: PortDirection { facts.value.direction }
    /// Whether the machine's data does not decide the type; `typeReason` says what it went by.
    public var isUncertain: Bool { facts.value.isUncertain }
    /// Why the port has its type, in one sentence for people.
    public var typeReason: String { facts.value.typeReason }
    /// What hangs on a port whose type only names its bus, where that is known: headphones on USB, for example.
    public var hint: PortType? { facts.value.hint }
    /// Whether a filter (equaliser, echo canceller, convolver) stands between the program and the port.
    public var isThroughFilter: Bool { facts.value.isThroughFilter }
    /// Channel names in PipeWire's terms (`FL`, `FR` …), in order; empty where unknown.
    public var channels: [String] { facts.value.channels }
    /// `node.name` of the PipeWire node that the program's stream is linked to.
    public var nodeName: String? { facts.value.nodeName }
    /// `device.name` of the PipeWire device (the card), where there is one.
    public var deviceName: String? { facts.value.deviceName }
    /// Name of the card's route (jack, mixer path), where there is one.
    public var routeName: String? { facts.value.routeName }

    /// Whether another profile of its card has to be chosen before the port can be used: HDMI of a card that has either HDMI or
    /// analog outputs, for example. A session that prefers it chooses the profile while it is active, for all programs.
    public var needsProfileChange: Bool { facts.value.needsProfileChange }

    public var id: String { uid }

    /// For tests: what a program is told comes from PipeWire.
    public init(
        type: PortType, name: String, uid: String, direction: PortDirection, isUncertain: Bool = false,
        typeReason: String = "", hint: PortType? = nil, isThroughFilter: Bool = false, channels: [String] = [],
        nodeName: String? = nil, deviceName: String? = nil, routeName: String? = nil, needsProfileChange: Bool = false
    ) {
        facts = Shared(
            Facts(
                type: type, name: name, uid: uid, direction: direction, isUncertain: isUncertain,
                typeReason: typeReason, hint: hint, isThroughFilter: isThroughFilter, channels: channels,
                nodeName: nodeName, deviceName: deviceName, routeName: routeName,
                needsProfileChange: needsProfileChange))
    }
}

extension PortDescription: CustomReflectable {
    /// What is printed shows the port, not how it is kept.
    public var customMirror: Mirror {
        Mirror(self, children: Mirror(reflecting: facts.value).children, displayStyle: .struct)
    }
}
