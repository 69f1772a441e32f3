/// A PipeWire node that plays, records or carries audio.
package struct Node: Sendable, Hashable {
    package var id: ObjectID
    package var properties: Properties { didSet { read() } }
    // It is parsed once, because each change of routes reads it for every port.
    package private(set) var mediaClass: MediaClass?
    package private(set) var deviceID: ObjectID?
    /// The number that ties the node to the ``DeviceRoute`` with the same `device`.
    package private(set) var profileDevice: Int?
    /// The number of channels; 0 if it is unknown.
    private(set) var channelCount = 0
    /// Whether this is PipeWire's dummy output; see ``Properties/areOfDummy``.
    private(set) var isDummy = false
    /// Whether this is SteamOS's loopback before a card's node; see ``Properties/areOfTwin``.
    private(set) var isTwin = false
    /// Whether this is a member of a Bluetooth LE set; see ``Properties/areOfSetMember``.
    private(set) var isSetMember = false
    /// The Bluetooth LE set, if this is the node of the set or of one of its members.
    private(set) var bluetoothSet: String?
    private(set) var linkGroup: String?
    /// Whether this is a device of a program, such as a null sink: neither that of a card or of the
    /// network, nor a filter. Its links may lead to the hardware.
    private(set) var isVirtualDevice = false

    package init(id: ObjectID, properties: Properties) {
        self.id = id
        self.properties = properties
        read()
    }

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

    package var name: String? { properties[.nodeName] }
    package var clientID: ObjectID? { properties.objectID(.clientID) }
    package var isPort: Bool { !isSetMember && mediaClass?.isPort ?? false }

    /// Whether this is a sink through which WirePlumber 0.5 plays the streams of one role.
    ///
    /// Such a sink does not linger. PipeWire lets the creator of a node that lingers choose its
    /// `client.id`, so any client can create one for another client.
    var isRoleTarget: Bool {
        mediaClass == .sink && properties.flag(.roleTarget) && !properties.flag(.objectLinger)
    }
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
    func isPort(_ direction: PortDirection) -> Bool { directions.contains(direction) }

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
