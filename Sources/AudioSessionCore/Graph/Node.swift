/// A PipeWire node that plays, records or carries audio.
package struct Node: Sendable, Hashable {
    package var id: ObjectID
    package var properties: Properties { didSet { read() } }
    // Asked for of every port at each event that concerns routes, and so read but once.
    package private(set) var mediaClass: MediaClass?
    package private(set) var deviceID: ObjectID?
    /// Ties the node to the ``DeviceRoute`` whose `device` has the same number.
    package private(set) var profileDevice: Int?
    /// 0: it does not say.
    private(set) var channelCount = 0
    /// See ``Properties/areOfDummy``.
    private(set) var isDummy = false
    /// See ``Properties/areOfTwin``.
    private(set) var isTwin = false
    /// See ``Properties/areOfSetMember``.
    private(set) var isSetMember = false
    private(set) var linkGroup: String?

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
        linkGroup = properties[.nodeLinkGroup]
    }

    package var name: String? { properties[.nodeName] }
    package var clientID: ObjectID? { properties.objectID(.clientID) }
    package var isPort: Bool { !isSetMember && mediaClass?.isPort ?? false }
}

/// The values of `media.class` that name audio nodes. Programs are never linked to nodes of the internal classes, but filters
/// lead to them.
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

    /// Whether a node of this class can be an end point of sound.
    package var isPort: Bool { !directions.isEmpty }

    /// The directions that a node of this class can be a port for, seen from a program.
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

    /// Whether that is one of them.
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

    /// Whether it is the half of a filter that carries on what its other half takes.
    func isHalf(_ direction: PortDirection) -> Bool {
        switch self {
        case .playbackStream, .internalPlaybackStream: direction == .output
        case .captureStream, .internalCaptureStream: direction == .input
        default: false
        }
    }
}
