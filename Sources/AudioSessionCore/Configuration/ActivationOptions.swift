/// How a session is activated. There is nothing to choose; the type is there for options to come.
public struct ActivationOptions: OptionSet, Sendable, Hashable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }
}

extension ActivationOptions {
    @available(*, unavailable, message: "Others are notified on deactivation: pass it there")
    public static var notifyOthersOnDeactivation: Self { [] }

    /// Fails if there are bits that mean nothing, such as an option for deactivation.
    public func validate() throws(AudioSessionError) {
        guard !isEmpty else { return }
        throw AudioSessionError(
            .badParam, rule: "There are no options for activating, and these are 0x\(String(rawValue, radix: 16)).",
            fix: "Pass none; notifyOthersOnDeactivation belongs to deactivating.")
    }
}

/// How a session is deactivated. Raw values are Apple's bits.
public struct DeactivationOptions: OptionSet, Sendable, Hashable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Tells those whom the session interrupted that they may resume. On by default; leave it out when the sound
    /// ends for good and others are not meant to follow.
    public static let notifyOthersOnDeactivation = Self(rawValue: 1 << 0)

    /// Fails if there are bits that mean nothing.
    public func validate() throws(AudioSessionError) {
        let unknown = subtracting(.notifyOthersOnDeactivation)
        guard !unknown.isEmpty else { return }
        throw AudioSessionError(
            .badParam, rule: "The bits 0x\(String(unknown.rawValue, radix: 16)) are no option for deactivating.",
            fix: "Pass notifyOthersOnDeactivation or none.")
    }
}

/// An output that a session insists on for a while. Raw values are Apple's.
public enum PortOverride: UInt, Sendable, Hashable, CaseIterable {
    /// No override: the preferred output, or the machine's.
    case none = 0
    /// The built-in speaker, whatever is connected: `spkr`.
    case speaker = 0x7370_6B72
}
