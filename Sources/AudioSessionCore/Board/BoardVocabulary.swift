/// What happened, for ``BoardStateMachine``.
package enum BoardInput: Sendable, Hashable {
    /// - Parameters:
    ///   - cookie: of this run of the daemon (`core.info`).
    ///   - owner: this process, as the daemon vouches for it.
    case connected(cookie: UInt32, owner: TokenOwner)
    case disconnected
    case appeared(TokenIdentity, Properties)
    case vanished(ObjectID)
    /// The daemon has told everything that came before a token of ours, and the token itself: the `done` of a sync
    /// that was sent after its creation. Or the end of a ``BoardAction/barrier(_:)``.
    case echoed(TokenName)
    /// The daemon did not make a token of ours.
    case failed(TokenName)
    case opened(SessionUUID, TokenTraits)
    case closed(SessionUUID)
    case requested(BoardRequest, SessionUUID, BoardRequestID)
    /// Whether the program declares itself to be in the background.
    case background(Bool)
    /// Whether the session is silent because the port that it played to went.
    case stoppedByRouteLoss(Bool, SessionUUID)
    /// Whether the machine is in silent mode. Off until it is told, after each connection anew.
    case silentMode(Bool)
    case deadline
}

package enum BoardRequest: Sendable, Hashable {
    case activate
    case deactivate(notify: Bool)
    case configure(TokenTraits)
}

/// The caller's own number for a request, which is answered once.
package struct BoardRequestID: Sendable, Hashable {
    package let rawValue: UInt64

    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// What is to be done, in this order.
package enum BoardAction: Sendable, Hashable {
    /// Export a device of these contents' properties, then sync. To write those takes long: sessions are told first.
    indirect case create(TokenContents)
    case destroy(TokenName)
    /// Start a barrier: ``BoardInput/echoed(_:)`` with this name follows when PipeWire has processed all earlier messages.
    case barrier(TokenName)
    /// Send ``BoardInput/deadline`` then; `nil` if there is no need to any more.
    case wake(at: MonotonicTime?)
    case tell(BoardEvent, SessionUUID)
    case answer(BoardRequestID, BoardFailure?)
}

/// What a session is told.
package enum BoardEvent: Sendable, Hashable {
    case activated
    case deactivated
    /// - Parameter by: the oldest of those that stand.
    case began(by: AudioSessionCause)
    /// - Parameter withNotice: whether all who blocked it left with notice. What stopped it may still stand.
    case ended(shouldResume: Bool, withNotice: Bool)
    /// The session did not follow the advice in time, and has lost its place.
    case claimLapsed
    /// Somebody destroyed the session's token again and again. It is inactive.
    case placeLost
    /// - Parameter gain: in thousandths; full if nobody ducks any more, 0 by nobody in silent mode.
    case ducking(gain: UInt16, by: [AudioSessionCause])
    case others(OtherSessions)
}

/// Whether sessions of other programs are active. (Whether they play, only their streams tell.)
package struct OtherSessions: Sendable, Hashable {
    package var isAnyActive: Bool
    /// One that does not mix.
    package var isPrimaryActive: Bool

    package init(isAnyActive: Bool = false, isPrimaryActive: Bool = false) {
        self.isAnyActive = isAnyActive
        self.isPrimaryActive = isPrimaryActive
    }
}

package enum BoardFailure: Error, Sendable, Hashable {
    case insufficientPriority(by: AudioSessionCause)
    case cannotInterruptOthers
    /// There is no PipeWire, or it went before it answered.
    case mediaServicesFailed
    /// PipeWire did not answer in time. The session is what it was before; after a deactivation it is inactive.
    case timedOut(after: Duration)
    /// PipeWire made no token, or somebody destroyed it at once.
    case tokenNotMade
    /// The process, or all together, have as many tokens as count.
    case tooManyTokens
    /// Too many requests wait for an answer.
    case tooManyRequests
    /// The session was closed, or never opened, for want of room.
    case noSuchSession
}
