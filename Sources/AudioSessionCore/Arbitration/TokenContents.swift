/// The payload of a token, which is its owner's own claim.
package struct TokenContents: Sendable, Hashable {
    package var name: TokenName
    package var state: State
    package var traits: TokenTraits
    /// The place of a token that is re-made; `nil` for one that requests a new place on top.
    package var place: TokenPlace?
    package var background: Background
    /// Whether an active session requests the place for another configuration.
    ///
    /// If the session was interrupted before the daemon received the request, it is refused,
    /// because a change must not end an interruption.
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

    /// The state of the session. Raw values are the words of the payload.
    package enum State: String, Sendable, Hashable, CaseIterable {
        case standing
        /// The token was re-made while the session was interrupted. Most interrupted sessions keep
        /// their token.
        case waiting
        /// The interruption has ended, and the session was notified.
        case advised
        case releasedWithNotice = "released-notify"
        case releasedSilently = "released-silent"

        package var isReleased: Bool { self == .releasedWithNotice || self == .releasedSilently }
    }

    /// Whether the program declared itself to be in the background.
    package enum Background: Sendable, Hashable {
        case no
        case yes
        /// In the background, and now playing. The last player that its owner knows has this
        /// serial.
        case nowPlaying(UInt64)
    }
}

/// The place of a token in the stack, in terms that outlive the daemon's run.
package struct TokenPlace: Sendable, Hashable {
    /// The run of the daemon that gave the serial.
    package var cookie: UInt32
    /// The number of runs before that one, as far as the owner knows. Serials start again with each
    /// run.
    package var epoch: UInt32
    package var serial: UInt64

    package init(cookie: UInt32, epoch: UInt32, serial: UInt64) {
        self.cookie = cookie
        self.epoch = epoch
        self.serial = serial
    }
}
