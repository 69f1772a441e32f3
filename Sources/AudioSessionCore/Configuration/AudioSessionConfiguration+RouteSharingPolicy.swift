extension AudioSessionConfiguration {
    /// The rule by which a session shares its route with others. Raw values are Apple's.
    @nonexhaustive
    public enum RouteSharingPolicy: UInt, Sendable, Hashable, CaseIterable {
        /// The session's own preferences are used, then the default ports.
        case `default` = 0
        /// The policy of long-form audio, such as music and podcasts. Such players share the user's
        /// default output; a preferred output has no effect.
        case longFormAudio = 1
        /// A policy that only the system may report. No session may set it.
        case independent = 2
        /// The same as ``longFormAudio``, for films.
        case longFormVideo = 3
    }
}

extension AudioSessionConfiguration.RouteSharingPolicy {
    /// The deprecated name of ``longFormAudio``.
    @available(*, deprecated, renamed: "longFormAudio")
    public static var longForm: Self { .longFormAudio }

    /// The name of the case, such as `longFormAudio`.
    public var name: String { "\(self)" }

    /// Whether the policy is one of the two for long-form sound.
    public var isLongForm: Bool { self == .longFormAudio || self == .longFormVideo }
}
