/// The ports that were chosen for a session, with the reasons.
public struct RouteChoice: Sendable, Hashable {
    /// The chosen output; `nil` for a category that does not play.
    public let output: PortChoice?
    /// The chosen input; `nil` for a category that does not record.
    public let input: PortChoice?

    package init(output: PortChoice? = nil, input: PortChoice? = nil) {
        self.output = output
        self.input = input
    }

    /// The choice of one direction.
    public subscript(direction: PortDirection) -> PortChoice? { direction == .output ? output : input }
}

/// The port that was chosen for a session in one direction, with the reason.
public struct PortChoice: Sendable, Hashable {
    /// The reason of a choice. More may be added, so a `switch` needs a `default`.
    @nonexhaustive
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The default port, because there is no preference.
        case systemDefault
        /// The program preferred the port.
        case preferred
        /// The default port, because the preferred port is unavailable. It is used when it returns.
        case preferredMissing
        /// The port of a card that was switched after the program chose another one. The card has
        /// one active port at a time, for all programs.
        case cardSwitched
        /// The program overrides the output with the built-in speaker, to which the built-in
        /// microphone belongs.
        case override
        /// The option `defaultToSpeaker` selects the speaker instead of the receiver.
        case defaultToSpeaker
        /// The program selected a data source of the port that it uses anyway.
        case dataSource
        /// The other direction uses this headset, whose two directions belong together.
        case headset
        /// The default is a Bluetooth device, which the session's options do not permit.
        case bluetoothNotAllowed
    }

    /// The chosen port; `nil` if none is available.
    public let port: PortDescription?
    /// The reason of the choice.
    public let reason: Reason
    /// The port that the program wanted, with `preferredMissing` and `cardSwitched`; otherwise
    /// `nil`.
    public let wanted: PortDescription?

    package init(port: PortDescription?, reason: Reason, wanted: PortDescription? = nil) {
        self.port = port
        self.reason = reason
        self.wanted = wanted
    }
}

extension PortChoice: CustomStringConvertible {
    /// The reason as a sentence for the user. Its wording may change.
    public var description: String {
        let name = port?.name ?? "no port"
        let preferred = wanted?.name ?? "another port"
        return switch reason {
        case .systemDefault: "\(name), because it is the default."
        case .preferred: "\(name), because the program prefers it."
        case .preferredMissing: "\(name), because \(preferred), which the program prefers, is not available."
        case .cardSwitched: "\(name), because the card was switched from \(preferred) to it."
        case .override: "\(name), because the program overrides the output with the speaker."
        case .defaultToSpeaker: "\(name), because of option defaultToSpeaker."
        case .dataSource: "\(name), because the program selected this data source."
        case .headset: "\(name), because the other direction goes through the same headset."
        case .bluetoothNotAllowed: "\(name), because the session's options do not allow Bluetooth."
        }
    }
}

/// A data source of a port: one of several microphones or outputs that it can switch between, such
/// as front and back.
///
/// On Linux, data sources are routes of one card with the same node and type. Each is also listed
/// as a port. Counterpart of `AVAudioSessionDataSourceDescription`.
public struct DataSource: Sendable, Hashable, Identifiable {
    /// The orientation of a data source, derived from its name.
    @nonexhaustive
    public enum Orientation: String, Sendable, Hashable, CaseIterable {
        /// The side of the computer, as its user sees it.
        case top, bottom, front, back, left, right
    }

    /// The identifier within the port: the name of the card's route.
    public let id: String
    /// The data source's name for the user.
    public let name: String
    /// The orientation; `nil` if the name does not contain it.
    public let orientation: Orientation?
    /// The port by which it is listed among the available inputs or outputs.
    public let port: PortDescription

    package init(id: String, name: String, orientation: Orientation? = nil, port: PortDescription) {
        self.id = id
        self.name = name
        self.orientation = orientation
        self.port = port
    }
}
