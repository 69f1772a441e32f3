/// The beginning or the end of an interruption. Raw values are Apple's.
public enum InterruptionType: UInt, Sendable, Hashable, CaseIterable {
    /// No other session interrupts this one any more.
    case ended = 0
    /// Another session interrupted this one.
    case began = 1
}

/// The reason of an interruption. Raw values are Apple's.
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
public enum ResumeAdviceReason: String, Sendable, Hashable, CaseIterable {
    /// The output whose loss stopped the session is available again.
    case routeRestored
}

/// The recommendation of whether to resume. Raw values are Apple's.
public enum ResumptionRecommendation: UInt, Sendable, Hashable, CaseIterable {
    /// The program should not resume by itself.
    case shouldNotResume = 0
    /// The program may resume playing.
    case shouldResume = 1
}

/// The cause of a deactivation. Raw values are Apple's.
public enum DeactivationSource: UInt, Sendable, Hashable, CaseIterable {
    /// The program deactivated the session.
    case app = 1
    /// An interruption, or the loss of PipeWire, deactivated the session.
    case system = 2
}

/// The beginning or the end of other primary audio. Raw values are Apple's.
public enum SilenceSecondaryAudioHintType: UInt, Sendable, Hashable, CaseIterable {
    /// No other program plays primary audio any more.
    case end = 0
    /// Another program plays primary audio. Secondary sound, such as a game's music, should be
    /// silent.
    case begin = 1
}
