/// The priority that a session declared.
package enum TokenPriority: UInt8, Sendable, Hashable, Comparable, CaseIterable {
    case media, alarm, ringtone, communication, emergency

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The traits of a session's configuration that arbitration reads.
package struct TokenTraits: Sendable, Hashable {
    package var priority: TokenPriority
    /// The group that the session named. Without one its group is its process.
    package var group: String?
    package var isMixable: Bool
    /// The gain to which the session ducks others while it is active, in thousandths; `nil` if it
    /// does not duck.
    package var duckedGain: UInt16?
    package var interruptsSpokenAudio: Bool
    package var isSpokenAudio: Bool
    package var capturesAudio: Bool
    /// Whether sessions of this kind leave with notice, if it is unknown how they left.
    package var leavesWithNotice: Bool
    /// Whether silent mode silences the session. Other sessions only report it.
    package var followsSilentMode: Bool

    /// Makes traits. A session that ducks or prompts is mixable, whatever is given. A group's name
    /// is shortened to what a token can carry.
    package init(
        priority: TokenPriority = .media, group: String? = nil, isMixable: Bool = false, duckedGain: UInt16? = nil,
        interruptsSpokenAudio: Bool = false, isSpokenAudio: Bool = false, capturesAudio: Bool = false,
        leavesWithNotice: Bool = false, followsSilentMode: Bool = false
    ) {
        self.priority = priority
        self.group = group?.shortenedToGroup
        self.isMixable = isMixable || duckedGain != nil || interruptsSpokenAudio
        self.duckedGain = duckedGain.map { min($0, Self.fullGain) }
        self.interruptsSpokenAudio = interruptsSpokenAudio
        self.isSpokenAudio = isSpokenAudio
        self.capturesAudio = capturesAudio
        self.leavesWithNotice = leavesWithNotice
        self.followsSilentMode = followsSilentMode
    }

    package static let fullGain: UInt16 = 1000
    /// The default gain of ducking, -14 dB.
    package static let defaultDuckedGain: UInt16 = 200

    /// Whether a newer session of these traits interrupts an older one of another group.
    package func interrupts(_ older: TokenTraits) -> Bool {
        guard older.priority <= priority else { return false }
        if interruptsSpokenAudio && older.isSpokenAudio { return true }
        guard !isMixable else { return false }
        return !older.isMixable || (priority >= .communication && older.priority < priority)
    }

    /// Whether a standing session of these traits refuses a newcomer of another group.
    package func forbids(_ newcomer: TokenTraits) -> Bool {
        guard newcomer.priority < priority else { return false }
        return (!isMixable && !newcomer.isMixable) || (capturesAudio && newcomer.capturesAudio)
    }

    /// Whether the session ducks others to less than full gain. A token may claim that it ducks to
    /// full gain.
    var ducksOthers: Bool { duckedGain.map { $0 < Self.fullGain } ?? false }

    /// Whether an active session of these traits ducks one of another group, older or newer.
    package func ducks(_ other: TokenTraits) -> Bool {
        duckedGain != nil && other.duckedGain == nil && other.priority <= priority
    }

    /// Whether the session is of the kind that can be *now playing*.
    package var isPlayer: Bool { priority == .media && !isMixable }
}
