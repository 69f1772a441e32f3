extension AudioSessionConfiguration {
    /// Whose way a session's sound goes. Raw values are Apple's.
    public enum RouteSharingPolicy: UInt, Sendable, Hashable, CaseIterable {
        /// The session's own: its preferences, then the machine's.
        case `default` = 0
        /// That of all players of long-form sound together: the user's default output.
        case longFormAudio = 1
        /// For the system to report; no session may set it.
        case independent = 2
        /// As ``longFormAudio``, for films.
        case longFormVideo = 3
    }
}

extension AudioSessionConfiguration.RouteSharingPolicy {
    /// The older name of ``longFormAudio``.
    @available(*, deprecated, renamed: "longFormAudio")
    public static var longForm: Self { .longFormAudio }

    /// The name of the case, such as `longFormAudio`.
    public var name: String { "\(self)" }

    /// Whether sound goes where all long-form sound goes, whatever the session prefers.
    public var isLongForm: Bool { self == .longFormAudio || self == .longFormVideo }
}
