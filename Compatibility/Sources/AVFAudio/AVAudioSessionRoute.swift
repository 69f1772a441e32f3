import AudioSessions
public import Foundation

/// Where the program's sound goes and comes from at one moment.
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

/// One end point of sound: a speaker, a jack, a headset, a screen.
public final class AVAudioSessionPortDescription: NSObject, Sendable {
    let port: PortDescription
    private let session: AVAudioSession

    init(_ port: PortDescription, of session: AVAudioSession) {
        self.port = port
        self.session = session
    }

    public var portType: AVAudioSession.Port { AVAudioSession.Port(port.type) }
    /// A name for people.
    public var portName: String { port.name }
    /// Names the port across unplugging, re-plugging and reboots.
    public var uid: String { port.uid }

    /// `nil` where they are not known.
    public var channels: [AVAudioSessionChannelDescription]? {
        guard !port.channels.isEmpty else { return nil }
        return port.channels.enumerated().map { AVAudioSessionChannelDescription($1, number: $0 + 1, of: port.uid) }
    }

    /// What it can switch between; `nil` if there is only one.
    public var dataSources: [AVAudioSessionDataSourceDescription]? {
        guard let sources = found?.sources, !sources.isEmpty else { return nil }
        return sources.map(AVAudioSessionDataSourceDescription.init)
    }
    /// The one in use.
    public var selectedDataSource: AVAudioSessionDataSourceDescription? {
        found?.selected.map(AVAudioSessionDataSourceDescription.init)
    }

    /// Selects one, if the port is in use.
    /// - Throws: `resourceNotAvailable`, also for a port that is not in use; `incompatibleCategory`.
    public func setPreferredDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        switch port.direction {
        case .input: try session.setInputDataSource(dataSource)
        case .output: try session.setOutputDataSource(dataSource)
        }
    }

    /// Always `false`.
    public var hasHardwareVoiceCallProcessing: Bool { false }
    /// Always `false`.
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
    /// From 1 on.
    public let channelNumber: Int
    /// Core Audio's number for the channel's place; 0xFFFFFFFF where it has none.
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

/// One of several microphones or outputs that a port can switch between.
public final class AVAudioSessionDataSourceDescription: NSObject, Sendable {
    let source: DataSource

    init(_ source: DataSource) { self.source = source }

    /// A number made of the name of the card's route; the same each time.
    public var dataSourceID: NSNumber {
        NSNumber(value: source.id.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 })
    }
    /// A name for people.
    public var dataSourceName: String { source.name }
    /// Always `nil`.
    public var location: AVAudioSession.Location? { nil }
    /// `nil` where its name does not say.
    public var orientation: AVAudioSession.Orientation? {
        switch source.orientation {
        case .top: .top
        case .bottom: .bottom
        case .front: .front
        case .back: .back
        case .left: .left
        case .right: .right
        case nil: nil
        }
    }
    /// Always `nil`: none can be selected.
    public var supportedPolarPatterns: [AVAudioSession.PolarPattern]? { nil }
    /// Always `nil`.
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
            }
    }
}
