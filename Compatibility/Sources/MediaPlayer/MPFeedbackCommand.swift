import AVFAudio
import Foundation

// The commands that the desktop never gives. Programs disable them, or add handlers to all
// commands.

/// A command to give an opinion on the item, or to mark a position in it, which the desktop never
/// gives.
// Unchecked, because the compiler wants what the superclass says repeated; and so below.
public final class MPFeedbackCommand: MPRemoteCommand, @unchecked Sendable {
    private let appearance = Locked(Appearance())

    private struct Appearance {
        var isActive = false
        var title = ""
        var shortTitle = ""
    }

    /// Whether the user has given this feedback on the item. It has no effect.
    public var isActive: Bool {
        get { appearance.withLock(\.isActive) }
        set { appearance.withLock { $0.isActive = newValue } }
    }
    /// The text of a button. It has no effect.
    public var localizedTitle: String {
        get { appearance.withLock(\.title) }
        set { appearance.withLock { $0.title = newValue } }
    }
    /// The text of a small button. It has no effect.
    public var localizedShortTitle: String {
        get { appearance.withLock(\.shortTitle) }
        set { appearance.withLock { $0.shortTitle = newValue } }
    }
}

/// Feedback of the user, which the desktop never gives.
public final class MPFeedbackCommandEvent: MPRemoteCommandEvent {
    /// Whether the user withdraws the feedback, which is always `false`.
    public var isNegative: Bool { false }
}

/// A command to rate the item, which the desktop never gives.
public final class MPRatingCommand: MPRemoteCommand, @unchecked Sendable {
    private let limits = Locked(Limits())

    private struct Limits {
        var minimum: Float = 0
        var maximum: Float = 1
    }

    /// The lowest rating. It has no effect.
    public var minimumRating: Float {
        get { limits.withLock(\.minimum) }
        set { limits.withLock { $0.minimum = newValue } }
    }
    /// The highest rating. It has no effect.
    public var maximumRating: Float {
        get { limits.withLock(\.maximum) }
        set { limits.withLock { $0.maximum = newValue } }
    }
}

/// A rating of the item, which the desktop never gives.
public final class MPRatingCommandEvent: MPRemoteCommandEvent {
    /// The rating, which is always 0.
    public var rating: Float { 0 }
}

/// The items that are played again.
public enum MPRepeatType: Int, Sendable {
    case off = 0
    case one = 1
    case all = 2
}

/// A command to change what is repeated, which the desktop never gives.
public final class MPChangeRepeatModeCommand: MPRemoteCommand, @unchecked Sendable {
    private let type = Locked(MPRepeatType.off)

    /// What is repeated now. It has no effect.
    public var currentRepeatType: MPRepeatType {
        get { type.withLock(\.self) }
        set { type.withLock { $0 = newValue } }
    }
}

/// A change of what is repeated, which the desktop never requests.
public final class MPChangeRepeatModeCommandEvent: MPRemoteCommandEvent {
    /// What is repeated, which is always nothing.
    public var repeatType: MPRepeatType { .off }
    /// Whether the change lasts after the item, which is always `false`.
    public var preservesRepeatMode: Bool { false }
}

/// What is played in random order.
public enum MPShuffleType: Int, Sendable {
    case off = 0
    case items = 1
    case collections = 2
}

/// A command to change what is played in random order, which the desktop never gives.
public final class MPChangeShuffleModeCommand: MPRemoteCommand, @unchecked Sendable {
    private let type = Locked(MPShuffleType.off)

    /// What is played in random order now. It has no effect.
    public var currentShuffleType: MPShuffleType {
        get { type.withLock(\.self) }
        set { type.withLock { $0 = newValue } }
    }
}

/// A change of what is played in random order, which the desktop never requests.
public final class MPChangeShuffleModeCommandEvent: MPRemoteCommandEvent {
    /// What is played in random order, which is always nothing.
    public var shuffleType: MPShuffleType { .off }
    /// Whether the change lasts after the item, which is always `false`.
    public var preservesShuffleMode: Bool { false }
}
