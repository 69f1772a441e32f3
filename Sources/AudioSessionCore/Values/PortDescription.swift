/// The direction of sound through a port, as the program sees it.
@frozen
public enum PortDirection: String, Sendable, Hashable, CaseIterable {
    /// Programs record from an `input`, and play to an `output`.
    case input, output
}

/// An audio port of a route, such as a speaker, a jack, a headset or a screen.
///
/// It is an immutable value. Counterpart of `AVAudioSessionPortDescription`, with additions for
/// Linux.
public struct PortDescription: Sendable, Hashable, Identifiable {
    // Shared storage, because lists of ports are rebuilt on each event that concerns any of them.
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

    /// The kind of port.
    public var type: PortType { facts.value.type }
    /// The port's name for the user, in the user's language where the system has one.
    public var name: String { facts.value.name }
    /// The identifier of the port, stable across re-plugging and reboots.
    public var uid: String { facts.value.uid }
    /// The direction of the port. A headset has two ports.
    public var direction: PortDirection { facts.value.direction }
    /// Whether the type is a guess, because the computer's data does not determine it; `typeReason`
    /// has its basis.
    public var isUncertain: Bool { facts.value.isUncertain }
    /// The reason for the type, as a sentence for the user.
    public var typeReason: String { facts.value.typeReason }
    /// The probable device at a port whose type only names its bus, such as headphones on USB;
    /// `nil` if unknown.
    public var hint: PortType? { facts.value.hint }
    /// Whether a filter (equalizer, echo canceller, convolver) is between the program and the port,
    /// or a null sink whose sound another program plays to it.
    public var isThroughFilter: Bool { facts.value.isThroughFilter }
    /// The names of the channels in order, in PipeWire's terms (`FL`, `FR` …); empty if unknown.
    public var channels: [String] { facts.value.channels }
    /// The `node.name` of the PipeWire node to which the program's stream is linked; `nil` without
    /// one, as while ``needsProfileChange`` is true.
    public var nodeName: String? { facts.value.nodeName }
    /// The `device.name` of the PipeWire device (the card); `nil` without one.
    public var deviceName: String? { facts.value.deviceName }
    /// The name of the card's route (jack, mixer path); `nil` without one.
    public var routeName: String? { facts.value.routeName }

    /// Whether the card must switch to another profile before the port can be used, such as from
    /// analog to HDMI.
    ///
    /// A session that prefers the port switches the profile while it is active, for all programs.
    public var needsProfileChange: Bool { facts.value.needsProfileChange }

    public var id: String { uid }

    package init(
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

extension PortDescription {
    /// The identifier by which a lost output is recognized when it returns.
    ///
    /// The modes of a headset, for music and for calls, are two ports. It can be lost in one and
    /// return in the other, so the identifier is that of its device. The two devices of an LE Audio
    /// set share its ``uid``.
    package var outputID: String {
        type.hasModes && type != .bluetoothLE ? deviceName ?? uid : uid
    }
}

extension PortDescription: CustomReflectable {
    /// The mirror for debug output, which shows the properties and not the storage.
    public var customMirror: Mirror {
        Mirror(self, children: Mirror(reflecting: facts.value).children, displayStyle: .struct)
    }
}
