/// What a token says of itself. Anybody can write anything there.
package struct TokenContents: Sendable, Hashable {
    package var name: TokenName
    package var state: State
    package var traits: TokenTraits
    /// Where it stood before it was re-made; `nil` for one that asks for a new place on top.
    package var place: TokenPlace?
    package var background: Background
    /// Asked by a session that was active and wants to be so with another configuration. If it was interrupted
    /// before the daemon heard of this, then this is no wish to take back, and is refused.
    package var isChange: Bool

    package init(
        name: TokenName, state: State = .standing, traits: TokenTraits, place: TokenPlace? = nil,
        background: Background = .no, isChange: Bool = false
    ) {
        self.name = name
        self.state = state
        self.traits = traits
        self.place = place
        self.background = background
        self.isChange = isChange
    }

    package enum State: Sendable, Hashable, CaseIterable {
        case standing
        /// Re-made while interrupted. (Most interrupted sessions keep the token that they had.)
        case waiting
        /// The interruption is over, and the session was told so.
        case advised
        case releasedWithNotice
        case releasedSilently

        package var isReleased: Bool { self == .releasedWithNotice || self == .releasedSilently }
    }

    /// Whether the program said that it is in the background.
    package enum Background: Sendable, Hashable {
        case no
        case yes
        /// In the background, and the last to have become a player: with the token of this serial.
        case nowPlaying(UInt64)
    }
}

/// The place of a token in the stack, in words that outlive the daemon that gave it.
package struct TokenPlace: Sendable, Hashable {
    /// Which run of the daemon gave the serial.
    package var cookie: UInt32
    /// How many runs came before that one, as far as anybody knows. Serials start anew with each.
    package var epoch: UInt32
    package var serial: UInt64

    package init(cookie: UInt32, epoch: UInt32, serial: UInt64) {
        self.cookie = cookie
        self.epoch = epoch
        self.serial = serial
    }
}
