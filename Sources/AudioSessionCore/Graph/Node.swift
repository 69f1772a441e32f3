/// A PipeWire node that plays, records or carries audio.
///
/// It is stored by reference, because each change of routes copies and compares the nodes of all
/// ports.
package struct Node: Sendable, Hashable {
    private var facts: Shared<Facts>

    package init(id: ObjectID, properties: Properties) { facts = Shared(Facts(id: id, properties: properties)) }

    package var name: String? { properties[.nodeName] }
    package var clientID: ObjectID? { properties.objectID(.clientID) }
    package var isPort: Bool { facts.value.isPort }
}

extension Node {
    // Most values are parsed once, because each change of routes reads them for every port.
    private struct Facts: Sendable, Hashable {
        var id: ObjectID
        var properties: Properties { didSet { read() } }
        private(set) var mediaClass: MediaClass?
        private(set) var deviceID: ObjectID?
        private(set) var profileDevice: Int?
        private(set) var channelCount = 0
        private(set) var isDummy = false
        private(set) var isTwin = false
        private(set) var isSetMember = false
        private(set) var bluetoothSet: String?
        private(set) var linkGroup: String?
        private(set) var isVirtualDevice = false

        init(id: ObjectID, properties: Properties) {
            self.id = id
            self.properties = properties
            read()
        }

        var isPort: Bool { !isSetMember && mediaClass?.isPort ?? false }

        private mutating func read() {
            mediaClass = properties[.mediaClass].flatMap(MediaClass.init)
            deviceID = properties.objectID(.deviceID)
            profileDevice = properties.integer(.cardProfileDevice)
            channelCount = properties.channelCount
            (isDummy, isTwin) = (properties.areOfDummy, properties.areOfTwin)
            isSetMember = properties.areOfSetMember
            bluetoothSet = properties[.bluezSet]
            linkGroup = properties[.nodeLinkGroup]
            isVirtualDevice =
                isPort && deviceID == nil && linkGroup == nil && !isDummy && !isTwin && !properties.areOfNetwork
        }
    }

    package var id: ObjectID {
        get { facts.value.id }
        set { facts.value.id = newValue }
    }

    package var properties: Properties {
        get { facts.value.properties }
        set { facts.value.properties = newValue }
    }

    package var mediaClass: MediaClass? { facts.value.mediaClass }
    package var deviceID: ObjectID? { facts.value.deviceID }
    /// The number that ties the node to the ``DeviceRoute`` with the same `device`.
    package var profileDevice: Int? { facts.value.profileDevice }
    /// The number of channels; 0 if it is unknown.
    var channelCount: Int { facts.value.channelCount }
    /// Whether this is PipeWire's dummy output; see ``Properties/areOfDummy``.
    var isDummy: Bool { facts.value.isDummy }
    /// Whether this is SteamOS's loopback before a card's node; see ``Properties/areOfTwin``.
    var isTwin: Bool { facts.value.isTwin }
    /// Whether this is a member of a Bluetooth LE set; see ``Properties/areOfSetMember``.
    var isSetMember: Bool { facts.value.isSetMember }
    /// The Bluetooth LE set, if this is the node of the set or of one of its members.
    var bluetoothSet: String? { facts.value.bluetoothSet }
    var linkGroup: String? { facts.value.linkGroup }
    /// Whether this is a device of a program, such as a null sink: neither that of a card or of the
    /// network, nor a filter. Its links may lead to the hardware.
    var isVirtualDevice: Bool { facts.value.isVirtualDevice }
}

/// The values of `media.class` of audio nodes. Programs are never linked to nodes of the internal
/// classes, but filters lead to them.
package enum MediaClass: String, CaseIterable, Sendable, Hashable {
    case sink = "Audio/Sink"
    case source = "Audio/Source"
    case virtualSource = "Audio/Source/Virtual"
    case duplex = "Audio/Duplex"
    case playbackStream = "Stream/Output/Audio"
    case captureStream = "Stream/Input/Audio"
    case internalSink = "Audio/Sink/Internal"
    case internalSource = "Audio/Source/Internal"
    case internalPlaybackStream = "Stream/Output/Audio/Internal"
    case internalCaptureStream = "Stream/Input/Audio/Internal"

    /// Whether a node of this class can be a port.
    package var isPort: Bool { !directions.isEmpty }

    /// The directions in which a node of this class can be a port, as a program sees it.
    package var directions: [PortDirection] {
        switch self {
        case .sink: [.output]
        case .source, .virtualSource: [.input]
        case .duplex: [.output, .input]
        case .playbackStream, .captureStream, .internalSink, .internalSource, .internalPlaybackStream,
            .internalCaptureStream:
            []
        }
    }

    /// Whether a node of this class can be a port in a direction.
    func isPort(_ direction: PortDirection) -> Bool {
        switch self {
        case .sink: direction == .output
        case .source, .virtualSource: direction == .input
        case .duplex: true
        case .playbackStream, .captureStream, .internalSink, .internalSource, .internalPlaybackStream,
            .internalCaptureStream:
            false
        }
    }

    /// Whether a filter can lead to nodes of this class.
    func canEnd(_ direction: PortDirection) -> Bool {
        isPort(direction) || self == (direction == .output ? .internalSink : .internalSource)
    }

    /// Whether a node of this class is the half of a filter that forwards the sound of its other
    /// half.
    func isHalf(_ direction: PortDirection) -> Bool {
        switch self {
        case .playbackStream, .internalPlaybackStream: direction == .output
        case .captureStream, .internalCaptureStream: direction == .input
        default: false
        }
    }
}
