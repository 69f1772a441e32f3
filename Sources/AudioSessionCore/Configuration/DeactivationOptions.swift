/// Options of a deactivation. Raw values are Apple's bits.
public struct DeactivationOptions: OptionSet, Sendable, Hashable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Advises the sessions that this one interrupted to resume. It is on by default.
    ///
    /// Leave it out when the sound ends permanently and other programs should stay silent.
    /// Counterpart of `AVAudioSession.SetActiveOptions.notifyOthersOnDeactivation`.
    public static let notifyOthersOnDeactivation = Self(rawValue: 1 << 0)

    /// Checks for bits that are no option of a deactivation.
    /// - Throws: `badParam` if there are any.
    public func validate() throws(AudioSessionError) {
        let unknown = subtracting(.notifyOthersOnDeactivation)
        guard !unknown.isEmpty else { return }
        throw AudioSessionError(
            .badParam, rule: "The bits 0x\(String(unknown.rawValue, radix: 16)) are no option of deactivate.",
            fix: "Pass notifyOthersOnDeactivation or no options.")
    }
}

/// An override of a session's output. Raw values are Apple's. Counterpart of
/// `AVAudioSession.PortOverride`.
@nonexhaustive
public enum PortOverride: UInt, Sendable, Hashable, CaseIterable {
    /// No override: the preferred output is used, or the default.
    case none = 0
    /// The built-in speaker, whatever is connected: `spkr`.
    case speaker = 0x7370_6B72
}
