extension AudioSessionConfiguration {
    /// How important a session is. Nothing of higher priority is ever interrupted or lowered by something lower.
    ///
    /// On Apple's devices only the system's own programs have more than ``media``; here a program declares it.
    public enum Priority: String, Sendable, Hashable, CaseIterable {
        /// Music, films, games: what a session has unless it says otherwise.
        case media
        /// A clock or a timer that rings.
        case alarm
        /// A call that has not been answered.
        case ringtone
        /// A call. Category playAndRecord has it with modes voiceChat, videoChat and gameChat.
        case communication
        /// A warning of danger: nothing interrupts or lowers it.
        case emergency
    }
}

extension AudioSessionConfiguration.Priority: Comparable {
    private var rank: Int {
        switch self {
        case .media: 0
        case .alarm: 1
        case .ringtone: 2
        case .communication: 3
        case .emergency: 4
        }
    }

    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}
