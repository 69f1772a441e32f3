/// Where a session's sound goes and comes from, and why.
public struct RouteChoice: Sendable, Hashable {
    /// `nil` for a category that does not play.
    public let output: PortChoice?
    /// `nil` for a category that does not record.
    public let input: PortChoice?

    /// For tests: what a program is told comes from PipeWire.
    public init(output: PortChoice? = nil, input: PortChoice? = nil) {
        self.output = output
        self.input = input
    }

    /// That of one direction.
    public subscript(direction: PortDirection) -> PortChoice? { direction == .output ? output : input }
}

/// A port that was chosen for a session in one direction, and why.
public struct PortChoice: Sendable, Hashable {
    /// What was decisive. More may be added, so a `switch` needs a `default`.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// Nobody asked for anything: the machine's default.
        case systemDefault
        /// The program preferred the port.
        case preferred
        /// The program preferred a port that is not there: the machine's default, until it is back.
        case preferredMissing
        /// The program wanted another port of the same card, and somebody has switched that card since: the card plays
        /// to, or records from, one port at a time, for all programs.
        case cardSwitched
        /// The program overrides the output with the built-in speaker, to which the built-in microphone belongs.
        case override
        /// Option `defaultToSpeaker`: the speaker instead of the receiver.
        case defaultToSpeaker
        /// The program selected a data source of the port that it uses anyway.
        case dataSource
        /// The other direction goes through this headset, whose two directions belong together.
        case headset
        /// The machine's default is a Bluetooth device, which the session's options do not allow.
        case bluetoothNotAllowed
    }

    /// `nil` if there is none at all.
    public let port: PortDescription?
    /// What was decisive.
    public let reason: Reason
    /// Of `preferredMissing` and `cardSwitched`: what the program wanted.
    public let wanted: PortDescription?

    /// For tests: what a program is told comes from PipeWire.
    public init(port: PortDescription?, reason: Reason, wanted: PortDescription? = nil) {
        self.port = port
        self.reason = reason
        self.wanted = wanted
    }
}

extension PortChoice: CustomStringConvertible {
    /// The reason as a sentence for people; its words may change.
    public var description: String {
        let name = port?.name ?? "no port"
        let wish = wanted?.name ?? "another port"
        return switch reason {
        case .systemDefault: "\(name), because it is the machine's default."
        case .preferred: "\(name), because the program prefers it."
        case .preferredMissing: "\(name), because \(wish), which the program prefers, is not there."
        case .cardSwitched: "\(name), because somebody switched the card from \(wish) to it."
        case .override: "\(name), because the program overrides the output with the speaker."
        case .defaultToSpeaker: "\(name), because of option defaultToSpeaker."
        case .dataSource: "\(name), because the program selected this data source."
        case .headset: "\(name), because the other direction goes through the same headset."
        case .bluetoothNotAllowed: "\(name), because the session's options do not allow Bluetooth."
        }
    }
}

/// One of several microphones, or outputs, that a port can switch between: front and back, for example.
///
/// On Linux these are routes of one card which serve the same node and are of the same type. Each is listed as a port
/// of its own as well. Counterpart of `AVAudioSessionDataSourceDescription`.
public struct DataSource: Sendable, Hashable, Identifiable {
    /// Where on the machine it points, by its name.
    public enum Orientation: String, Sendable, Hashable, CaseIterable {
        /// The side of the machine, seen by whoever uses it.
        case top, bottom, front, back, left, right
    }

    /// Names it within its port: the name of the card's route.
    public let id: String
    /// A name for people.
    public let name: String
    /// `nil` where its name does not say.
    public let orientation: Orientation?
    /// As which it is among the available inputs or outputs.
    public let port: PortDescription

    /// For tests: what a program is told comes from PipeWire.
    public init(id: String, name: String, orientation: Orientation? = nil, port: PortDescription) {
        self.id = id
        self.name = name
        self.orientation = orientation
        self.port = port
    }
}
