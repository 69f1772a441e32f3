/// Whether an interruption begins or ends. Raw values are Apple's.
public enum InterruptionType: UInt, Sendable, Hashable, CaseIterable {
    /// Nobody is in the way any more.
    case ended = 0
    /// Another session took over.
    case began = 1
}

/// Why a session was interrupted. Raw values are Apple's.
public enum InterruptionReason: UInt, Sendable, Hashable, CaseIterable {
    /// Another session was activated.
    case `default` = 0
}

extension InterruptionReason {
    @available(*, unavailable, message: "Stopped programs keep their place; what they missed is told when they go on")
    public static var appWasSuspended: Self { .default }
    @available(*, unavailable, message: "A muted microphone interrupts nothing here")
    public static var builtInMicMuted: Self { .default }
    @available(*, unavailable, message: "Losing the output is no interruption here, but an event of its own")
    public static var routeDisconnected: Self { .default }
}

/// What comes with the end of an interruption. Raw values are Apple's.
public struct InterruptionOptions: OptionSet, Sendable, Hashable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Who played before may play again.
    public static let shouldResume = Self(rawValue: 1)
}

/// Why a session is advised to go on that was not interrupted. Apple has no counterpart.
public enum ResumeAdviceReason: String, Sendable, Hashable, CaseIterable {
    /// The output is back whose loss stopped it.
    case routeRestored
}

/// Whether to play again. Raw values are Apple's.
public enum ResumptionRecommendation: UInt, Sendable, Hashable, CaseIterable {
    /// It is not meant to play again by itself.
    case shouldNotResume = 0
    /// It may play again.
    case shouldResume = 1
}

/// Who made a session inactive. Raw values are Apple's.
public enum DeactivationSource: UInt, Sendable, Hashable, CaseIterable {
    /// The program itself.
    case app = 1
    /// An interruption, or the loss of PipeWire.
    case system = 2
}

/// Whether somebody else's primary audio begins or ends. Raw values are Apple's.
public enum SilenceSecondaryAudioHintType: UInt, Sendable, Hashable, CaseIterable {
    /// Nobody else plays such sound any more.
    case end = 0
    /// Somebody else plays it: secondary sound, such as a game's music, had better be silent.
    case begin = 1
}
