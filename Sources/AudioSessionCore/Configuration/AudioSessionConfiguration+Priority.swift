extension AudioSessionConfiguration {
    /// The importance of a session. A session never interrupts or ducks one of higher priority.
    ///
    /// On Apple's devices only the system's own programs have more than ``media``. Here a program
    /// declares it.
    @nonexhaustive
    public enum Priority: String, Sendable, Hashable, CaseIterable {
        /// Music, films and games. The default priority.
        case media
        /// A clock or a timer that rings.
        case alarm
        /// A call that has not been answered.
        case ringtone
        /// A call. It is implied by category playAndRecord with modes voiceChat, videoChat and
        /// gameChat.
        case communication
        /// A warning of danger, which no session interrupts or ducks.
        case emergency
    }
}

extension AudioSessionConfiguration.Priority: Comparable {
    public static func < (left: Self, right: Self) -> Bool { TokenPriority(left) < TokenPriority(right) }
}
