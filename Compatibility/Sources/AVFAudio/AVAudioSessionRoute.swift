import AudioSessions
public import Foundation

/// The inputs and outputs of the program at one moment.
///
/// Tests may subclass it.
// Unchecked, because the compiler checks only final classes. Its properties are Sendable constants.
open class AVAudioSessionRouteDescription: NSObject, @unchecked Sendable {
    private let ports: (inputs: [AVAudioSessionPortDescription], outputs: [AVAudioSessionPortDescription])

    /// Creates a route without ports, for a subclass.
    public override init() { ports = ([], []) }

    init(_ route: RouteDescription, of session: SessionImplementation) {
        ports = (
            route.inputs.map { AVAudioSessionPortDescription($0, of: session) },
            route.outputs.map { AVAudioSessionPortDescription($0, of: session) }
        )
    }

    /// The inputs in use.
    open var inputs: [AVAudioSessionPortDescription] { ports.inputs }
    /// The outputs in use.
    open var outputs: [AVAudioSessionPortDescription] { ports.outputs }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioSessionRouteDescription else { return false }
        return inputs == other.inputs && outputs == other.outputs
    }
    open override var hash: Int { (inputs + outputs).map(\.uid).hashValue }
    open override var description: String { "inputs \(inputs), outputs \(outputs)" }
}

/// One input or output, such as a speaker, a jack, a headset or a screen.
///
/// Tests may subclass it.
// Unchecked, because the compiler checks only final classes. Its properties are Sendable constants.
open class AVAudioSessionPortDescription: NSObject, @unchecked Sendable {
    /// The library's port; `nil` for one of a test's.
    let port: PortDescription?
    private let session: SessionImplementation?

    /// Creates a port of unknown type without a name, for a subclass.
    public override init() {
        port = nil
        session = nil
    }

    init(_ port: PortDescription, of session: SessionImplementation) {
        self.port = port
        self.session = session
    }

    /// The type of the port.
    open var portType: AVAudioSession.Port { port.map { AVAudioSession.Port($0.type) } ?? .unknown }
    /// A human-readable name of the port.
    open var portName: String { port?.name ?? "" }
    /// An identifier that is stable across unplugging, re-plugging and reboots.
    open var uid: String { port?.uid ?? "" }

    /// The channels of the port; `nil` if they are not known.
    open var channels: [AVAudioSessionChannelDescription]? {
        guard let port, !port.channels.isEmpty else { return nil }
        return port.channels.enumerated().map { AVAudioSessionChannelDescription($1, number: $0 + 1, of: port.uid) }
    }

    /// The data sources of the port; `nil` if there is only one.
    open var dataSources: [AVAudioSessionDataSourceDescription]? {
        guard let sources = found?.sources, !sources.isEmpty else { return nil }
        return sources.map(AVAudioSessionDataSourceDescription.init)
    }
    /// The active data source of the port.
    open var selectedDataSource: AVAudioSessionDataSourceDescription? {
        found?.selected.map(AVAudioSessionDataSourceDescription.init)
    }

    /// This property is always `nil`, because a data source is selected at once, and
    /// ``selectedDataSource`` has it.
    open var preferredDataSource: AVAudioSessionDataSourceDescription? { nil }

    /// Selects a data source if the port is in use.
    ///
    /// - Parameter dataSource: the data source; `nil` leaves the choice to the system.
    /// - Throws: `resourceNotAvailable`, also for a port that is not in use;
    ///   `incompatibleCategory`.
    open func setPreferredDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        guard let port, let session else {
            throw NSError(.resourceNotAvailable, "This port is none of the session's. Use one of its route.")
        }
        // Without a data source, the library cannot know which port is meant.
        if dataSource == nil { try session.checkInUse(port) }
        switch port.direction {
        case .input: try session.setInputDataSource(dataSource)
        case .output: try session.setOutputDataSource(dataSource)
        }
    }

    /// This property is always `false`.
    open var hasHardwareVoiceCallProcessing: Bool { false }
    /// This property is always `false`.
    open var isSpatialAudioEnabled: Bool { false }

    private var found: (sources: [DataSource], selected: DataSource?)? {
        guard let port, let session else { return nil }
        return try? session.perform { await $0.manager.dataSources(of: port) }
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioSessionPortDescription else { return false }
        return uid == other.uid && portType == other.portType && port?.direction == other.port?.direction
    }
    open override var hash: Int { uid.hashValue }
    open override var description: String { "\(portType.rawValue) '\(portName)' (\(uid))" }
}

/// One channel of a port.
public final class AVAudioSessionChannelDescription: NSObject, Sendable {
    public let channelName: String
    public let owningPortUID: String
    /// The number of the channel, starting at 1.
    public let channelNumber: Int
    /// Core Audio's number for the channel's position; 0xFFFFFFFF without one.
    public let channelLabel: UInt32

    init(_ name: String, number: Int, of port: String) {
        channelName = name
        owningPortUID = port
        channelNumber = number
        channelLabel = Self.labels[name] ?? .max
    }

    private static let labels: [String: UInt32] = [
        "FL": 1, "FR": 2, "FC": 3, "LFE": 4, "RL": 5, "RR": 6, "RC": 9, "SL": 10, "SR": 11, "MONO": 42,
    ]
}

/// One of several microphones or outputs between which a port can switch.
public final class AVAudioSessionDataSourceDescription: NSObject, Sendable {
    let source: DataSource

    init(_ source: DataSource) { self.source = source }

    /// A stable number that is derived from the name of the card's device route.
    public var dataSourceID: NSNumber {
        NSNumber(value: source.id.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 })
    }
    /// A human-readable name of the data source.
    public var dataSourceName: String { source.name }
    /// This property is always `nil`.
    public var location: AVAudioSession.Location? { nil }
    /// The orientation of the data source; `nil` if its name does not state it.
    public var orientation: AVAudioSession.Orientation? {
        switch source.orientation {
        case .top: .top
        case .bottom: .bottom
        case .front: .front
        case .back: .back
        case .left: .left
        case .right: .right
        case nil: nil
        @unknown default: nil
        }
    }
    /// Always `nil`, because no polar pattern can be selected.
    public var supportedPolarPatterns: [AVAudioSession.PolarPattern]? { nil }
    /// Always `nil`, because no polar pattern can be selected.
    public var selectedPolarPattern: AVAudioSession.PolarPattern? { nil }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? AVAudioSessionDataSourceDescription)?.source == source
    }
    public override var hash: Int { source.id.hashValue }
    public override var description: String { dataSourceName }
}

extension AVAudioSession.Port {
    init(_ type: PortType) {
        self =
            switch type {
            case .builtInMic: .builtInMic
            case .headsetMic: .headsetMic
            case .lineIn: .lineIn
            case .builtInSpeaker: .builtInSpeaker
            case .builtInReceiver: .builtInReceiver
            case .headphones: .headphones
            case .lineOut: .lineOut
            case .hdmi: .HDMI
            case .airPlay: .airPlay
            case .bluetoothA2DP: .bluetoothA2DP
            case .bluetoothLE: .bluetoothLE
            case .bluetoothHFP: .bluetoothHFP
            case .usbAudio: .usbAudio
            case .carAudio: .carAudio
            case .virtual: .virtual
            case .pci: .PCI
            case .fireWire: .fireWire
            case .displayPort: .displayPort
            case .thunderbolt: .thunderbolt
            case .avb: .AVB
            case .network: .network
            case .unknown: .unknown
            @unknown default: .unknown
            }
    }
}
