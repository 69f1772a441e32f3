/// The declaration of what a session's sound is for. Arbitration and routing follow from it.
///
///     let prompts = AudioSession.Configuration(
///         .playback, mode: .voicePrompt, options: .duckOthers)
///
/// A value may hold illegal combinations. ``validate()`` detects them, and sessions refuse them.
///
/// The values have the names and numbers of `AVAudioSession`. Values that only make sense on
/// Apple's devices are unavailable, and the compiler states the reason.
public struct AudioSessionConfiguration: Sendable, Hashable {
    /// The kind of sound. It is set by ``setCategory(_:mode:policy:options:)``, because it
    /// determines the legal values of the others.
    public private(set) var category: Category
    /// The special purpose within the category.
    public var mode: Mode
    /// The options that were set. ``effectiveOptions`` has those in force.
    public var options: CategoryOptions
    /// The rule by which the session shares its route with others.
    public var routeSharingPolicy: RouteSharingPolicy
    /// The declared priority. ``effectivePriority`` is the one in force. Apple has no counterpart.
    public var priority: Priority
    /// The name of the session's group, 1 to 64 bytes of UTF-8. `nil` is the group that the
    /// environment variable `AUDIOSESSION_GROUP` names, or else the group of this process. Sessions
    /// of one group never act on one another. Apple has no counterpart.
    public var group: String?

    // MARK: Policies

    /// Whether the loss of the output in use (headphones pulled) pauses the session's players and
    /// outputs.
    ///
    /// If not, they continue on the next output, which may be a loudspeaker. Sessions that mix, and
    /// those of priority `communication` such as calls, continue in either case. The default is
    /// `true`.
    public var pausesOnRouteLoss = true
    /// Whether the session's players, outputs and inputs resume by themselves when the session is
    /// advised to.
    ///
    /// The advice comes with the end of an interruption, or with the return of the lost output if
    /// ``resumesOnReplug`` is set. The default is `true`.
    public var resumesAfterInterruption = true
    /// Whether the session receives `resumeAdvice` when the output whose loss stopped it becomes
    /// available again within ``replugTimeout``.
    ///
    /// The default is `false`. The page `Sessions` of `AudioSessions` says when there is no advice.
    public var resumesOnReplug = false
    /// The time after a loss within which the return of the output is advised, including the
    /// computer's sleep. Negative values are illegal.
    public var replugTimeout = Self.defaultReplugTimeout
    /// The effect of the session on programs without sessions, which `UnmanagedAudio` applies.
    ///
    /// A change takes effect at the next activation. `nil` means `duck` for sessions that duck
    /// others, `leave` for others that mix, and `pause` for the rest.
    public var unmanagedAudioPolicy: UnmanagedAudioPolicy?

    /// The default of ``replugTimeout``: five minutes.
    public static let defaultReplugTimeout = Duration.seconds(300)

    /// Makes a configuration. The defaults are those of a session that was never configured: it
    /// plays, interrupts other sound, and follows silent mode.
    ///
    /// Each parameter sets the property of its name.
    public init(
        _ category: Category = .soloAmbient, mode: Mode = .default, policy: RouteSharingPolicy = .default,
        options: CategoryOptions = [], priority: Priority = .media, group: String? = nil
    ) {
        self.category = category
        self.mode = mode
        self.options = options
        self.routeSharingPolicy = policy
        self.priority = priority
        self.group = group
    }

    /// Sets the category, mode, policy and options. **A parameter that is left out is reset to its
    /// default.**
    ///
    /// Priority and group stay, because they describe the program.
    /// - Parameters:
    ///   - category: The kind of sound.
    ///   - mode: The special purpose within the category.
    ///   - policy: The rule by which the session shares its route.
    ///   - options: The options for mixing and for the permitted ports.
    public mutating func setCategory(
        _ category: Category, mode: Mode = .default, policy: RouteSharingPolicy = .default,
        options: CategoryOptions = []
    ) {
        self.category = category
        self.mode = mode
        self.options = options
        routeSharingPolicy = policy
    }

    /// Returns this configuration with the policies of another one.
    package func withPolicies(of other: Self) -> Self {
        var configuration = self
        configuration.pausesOnRouteLoss = other.pausesOnRouteLoss
        configuration.resumesAfterInterruption = other.resumesAfterInterruption
        configuration.resumesOnReplug = other.resumesOnReplug
        configuration.replugTimeout = other.replugTimeout
        configuration.unmanagedAudioPolicy = other.unmanagedAudioPolicy
        return configuration
    }

    /// The time limit for advice after a loss; `nil` if the session is not advised.
    package var adviceTimeout: Duration? { resumesOnReplug ? replugTimeout : nil }

    /// Replaces this configuration with another one, if that is legal.
    ///
    /// - Returns: Whether the configuration has changed.
    /// - Throws: `badParam` if the new configuration is illegal.
    package mutating func replace(with new: Self) throws(AudioSessionError) -> Bool {
        guard new != self else { return false }
        try new.validate()
        self = new
        return true
    }
}
