/// An input of ``ArbitrationStateMachine``.
package enum ArbitrationInput: Sendable, Hashable {
    /// The connection is established, and this client's identity is known.
    /// - Parameters:
    ///   - cookie: The cookie of the daemon's present run (`core.info`).
    ///   - owner: This process, as the daemon vouches for it.
    case connected(cookie: UInt32, owner: TokenOwner)
    case disconnected
    case appeared(TokenIdentity, Properties)
    case vanished(ObjectID)
    /// The daemon has sent this process's own token and all events before it, as the `done` of a
    /// sync shows. Or a ``ArbitrationAction/barrier(_:)`` with this name has ended.
    case echoed(TokenName)
    /// The daemon did not make a token of this process.
    case failed(TokenName)
    case opened(AudioSessionID, TokenTraits)
    case closed(AudioSessionID)
    case requested(ArbitrationRequest, AudioSessionID, ArbitrationRequestID)
    /// The program declared whether it is in the background.
    case background(Bool)
    /// The session is, or is not, silent because the output in use was lost.
    case stoppedByRouteLoss(Bool, AudioSessionID)
    /// Silent mode was turned on or off. It counts as off on each new connection until this
    /// arrives.
    case silentMode(Bool)
    case deadline
}

package enum ArbitrationRequest: Sendable, Hashable {
    case activate
    case deactivate(notify: Bool)
    /// The program set another configuration, which may have the same traits.
    case configure(TokenTraits)
    /// The program set the same configuration once more before the request for it was answered.
    case configureAgain(TokenTraits)

    var isDeactivation: Bool { if case .deactivate = self { true } else { false } }
    /// Whether the program set another configuration.
    var isConfiguration: Bool { if case .configure = self { true } else { false } }
}

/// The caller's own number of a request, which is answered once.
package struct ArbitrationRequestID: Sendable, Hashable {
    package let rawValue: UInt64

    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// An action of the manager. Actions are executed in order.
package enum ArbitrationAction: Sendable, Hashable {
    /// Export an object with these properties, then sync. Sessions are notified first, because
    /// formatting the properties takes long.
    indirect case create(TokenContents)
    case destroy(TokenName)
    /// Start a barrier: ``ArbitrationInput/echoed(_:)`` with this name follows when PipeWire has
    /// processed all earlier messages.
    case barrier(TokenName)
    /// Send ``ArbitrationInput/deadline`` at this time; `nil` disarms the timer.
    case wake(at: MonotonicTime?)
    case notify(ArbitrationEvent, AudioSessionID)
    case answer(ArbitrationRequestID, ActivationFailure?)
}

/// An event of arbitration for a session.
package enum ArbitrationEvent: Sendable, Hashable {
    case activated
    case deactivated
    /// An interruption of the session began.
    case began(by: AudioSessionPeer)
    /// The interruption of the session ended.
    case ended(shouldResume: Bool, withNotice: Bool)
    /// The session did not resume in time, and has lost its claim.
    case claimLapsed
    /// Another client destroyed the session's token repeatedly, or tokens of other programs left no
    /// room for it. The session is inactive.
    case placeLost
    /// The session's gain has changed.
    case ducking(gain: UInt16, by: [AudioSessionPeer])
    /// Other sessions than before interrupt or duck the session, without another effect.
    case causesChanged
    case others(OtherSessions)
}

/// The activity of other programs' sessions. Whether they play is only known from their streams.
package struct OtherSessions: Sendable, Hashable {
    package var isAnyActive: Bool
    /// Whether a session that does not mix is active.
    package var isPrimaryActive: Bool

    package init(isAnyActive: Bool = false, isPrimaryActive: Bool = false) {
        self.isAnyActive = isAnyActive
        self.isPrimaryActive = isPrimaryActive
    }
}

package enum ActivationFailure: Error, Sendable, Hashable {
    case insufficientPriority(by: AudioSessionPeer)
    case cannotInterruptOthers
    /// There is no connection to PipeWire, or it was lost before the answer.
    case mediaServicesFailed
    /// PipeWire did not answer in time. The session is unchanged; after a deactivation it is
    /// inactive.
    case timedOut(after: Duration)
    /// PipeWire did not make the token, or another client destroyed it at once.
    case tokenNotMade
    /// The process, or all processes together, have reached the limit of tokens.
    case tooManyTokens
    /// Too many requests wait for an answer.
    case tooManyRequests
    /// The session was closed, or could not be opened because of a limit.
    case noSuchSession
}
