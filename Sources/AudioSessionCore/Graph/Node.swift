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
    }

    package var name: String? { properties[.nodeName] }
    package var clientID: ObjectID? { properties.objectID(.clientID) }
    package var isPort: Bool { mediaClass?.isPort ?? false }
}

/// The values of `media.class` that name audio nodes. Internal halves (`…/Internal`) and video are none of them.
package enum MediaClass: String, CaseIterable, Sendable, Hashable {
    case sink = "Audio/Sink"
    case source = "Audio/Source"
    case virtualSource = "Audio/Source/Virtual"
    case duplex = "Audio/Duplex"
    case playbackStream = "Stream/Output/Audio"
    case captureStream = "Stream/Input/Audio"

    /// Whether a node of this class can be an end point of sound.
    package var isPort: Bool { self != .playbackStream && self != .captureStream }

    /// The directions that a node of this class can be a port for, seen from a program.
    package var directions: [PortDirection] {
        switch self {
        case .sink: [.output]
        case .source, .virtualSource: [.input]
        case .duplex: [.output, .input]
        case .playbackStream, .captureStream: []
        }
    }

    /// Whether that is one of them.
    func isPort(_ direction: PortDirection) -> Bool {
        switch self {
        case .sink: direction == .output
        case .source, .virtualSource: direction == .input
        case .duplex: true
        case .playbackStream, .captureStream: false
        }
    }
}
