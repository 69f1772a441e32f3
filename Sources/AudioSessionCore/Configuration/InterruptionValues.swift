/// The reason of an interruption. Raw values are Apple's.
@nonexhaustive
public enum InterruptionReason: UInt, Sendable, Hashable, CaseIterable {
    /// Another session was activated.
    case `default` = 0
}

extension InterruptionReason {
    @available(*, unavailable, message: "A stopped program keeps its place, and receives missed events later")
    public static var appWasSuspended: Self { .default }
    @available(*, unavailable, message: "A muted microphone interrupts nothing here")
    public static var builtInMicMuted: Self { .default }
    @available(*, unavailable, message: "A lost output is no interruption here; becameNoisy notifies of it")
    public static var routeDisconnected: Self { .default }
}

/// Options of the end of an interruption. Raw values are Apple's.
public struct InterruptionOptions: OptionSet, Sendable, Hashable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The session may resume, if it was playing before.
    public static let shouldResume = Self(rawValue: 1)
}

/// The reason of advice to resume without an interruption. Apple has no counterpart.
@nonexhaustive
public enum ResumeAdviceReason: String, Sendable, Hashable, CaseIterable {
    /// The output whose loss stopped the session is available again.
    case routeRestored
}

/// The beginning or the end of other primary audio. Raw values are Apple's.
@frozen
public enum SilenceSecondaryAudioHintType: UInt, Sendable, Hashable, CaseIterable {
    /// No other program plays primary audio any more.
    case end = 0
    /// Another program plays primary audio. Secondary sound, such as a game's music, should be
    /// silent.
    case begin = 1
}
