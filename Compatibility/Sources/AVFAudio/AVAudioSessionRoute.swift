import AudioSessions
public import Foundation

/// The inputs and outputs of the program at one moment.
public final class AVAudioSessionRouteDescription: NSObject, Sendable {
    public let inputs: [AVAudioSessionPortDescription]
    public let outputs: [AVAudioSessionPortDescription]

    init(_ route: RouteDescription, of session: AVAudioSession) {
        inputs = route.inputs.map { AVAudioSessionPortDescription($0, of: session) }
        outputs = route.outputs.map { AVAudioSessionPortDescription($0, of: session) }
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioSessionRouteDescription else { return false }
        return inputs == other.inputs && outputs == other.outputs
    }
    public override var hash: Int { (inputs + outputs).map(\.uid).hashValue }
    public override var description: String { "inputs \(inputs), outputs \(outputs)" }
}

/// One input or output, such as a speaker, a jack, a headset or a screen.
public final class AVAudioSessionPortDescription: NSObject, Sendable {
    let port: PortDescription
    private let session: AVAudioSession

    init(_ port: PortDescription, of session: AVAudioSession) {
        self.port = port
        self.session = session
    }

    public var portType: AVAudioSession.Port { AVAudioSession.Port(port.type) }
    /// A human-readable name of the port.
    public var portName: String { port.name }
    /// An identifier that is stable across unplugging, re-plugging and reboots.
    public var uid: String { port.uid }

    /// The channels of the port; `nil` if they are not known.
    public var channels: [AVAudioSessionChannelDescription]? {
        guard !port.channels.isEmpty else { return nil }
        return port.channels.enumerated().map { AVAudioSessionChannelDescription($1, number: $0 + 1, of: port.uid) }
    }

    /// The data sources of the port; `nil` if there is only one.
    public var dataSources: [AVAudioSessionDataSourceDescription]? {
        guard let sources = found?.sources, !sources.isEmpty else { return nil }
        return sources.map(AVAudioSessionDataSourceDescription.init)
    }
    /// The active data source of the port.
    public var selectedDataSource: AVAudioSessionDataSourceDescription? {
        found?.selected.map(AVAudioSessionDataSourceDescription.init)
    }

    /// Selects a data source if the port is in use.
    ///
    /// - Parameter dataSource: the data source; `nil` leaves the choice to the system.
    /// - Throws: `resourceNotAvailable`, also for a port that is not in use;
    ///   `incompatibleCategory`.
    public func setPreferredDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        switch port.direction {
        case .input: try session.setInputDataSource(dataSource)
        case .output: try session.setOutputDataSource(dataSource)
        }
    }

    /// This property is always `false`.
    public var hasHardwareVoiceCallProcessing: Bool { false }
    /// This property is always `false`.
    public var isSpatialAudioEnabled: Bool { false }

    private var found: (sources: [DataSource], selected: DataSource?)? {
        let port = port
        return try? session.perform { await $0.manager.dataSources(of: port) }
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioSessionPortDescription else { return false }
        return port.uid == other.port.uid && port.type == other.port.type && port.direction == other.port.direction
    }
    public override var hash: Int { port.uid.hashValue }
    public override var description: String { "\(portType.rawValue) '\(portName)' (\(uid))" }
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
