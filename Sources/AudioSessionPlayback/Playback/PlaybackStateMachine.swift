package import AudioSessionCore

/// The state machine of a player or an output, whose sound is heard while its session is active.
///
/// The decisions that both have in common are in extensions: about the session (`+Session`), the
/// output in use (`+Route`), and the stream (`+Stream`).
package protocol PlaybackStateMachine: StreamStateMachine
where Event: PlaybackReceiverEvent, Action: PlaybackAction, Action.Notice.State == State {
    associatedtype State: PlaybackState

    var state: State { get set }
    var steering: OutputSteering { get set }
    var pausesOnRouteLoss: Bool { get set }
    var resumesAfterInterruption: Bool { get set }
    /// The reason to play when the session becomes active again.
    var intent: PlaybackIntent { get set }
    /// The requests that wait for the session's activation. A pause, a stop and any change of the
    /// state cancel them.
    var activations: Set<PlayerActivation> { get set }

    /// Whether there is anything to play.
    var canPlay: Bool { get }
    /// Whether enough is decoded or rendered to begin.
    var isPrimed: Bool { get }
    /// The name of what would play now, for the user.
    var presentTitle: String? { get }
    /// The action that replaces the stream, or the released one, with another.
    var renewal: Action { get }

    mutating func play(_ actions: inout [Action])
    /// Moves from the end of everything to what plays next.
    mutating func leaveEnd(_ actions: inout [Action])
    /// Saves the position, because the stream is lost or about to be closed.
    mutating func suspend(_ counters: Counters, _ actions: inout [Action])
    mutating func closeOutput(_ actions: inout [Action])
    /// Counts the cycles of another stream.
    mutating func streamRenewed()
    /// Executes a pause that was held back while the output might have been lost.
    mutating func applyHeldPause(_ actions: inout [Action])
    /// Drops a pause that was held back.
    mutating func dropHeldPause()
    /// Drops a pause that was held back, if the session manager's removal of a sink is its reason.
    mutating func dropPauseForRemoval()
    /// Returns when to send ``StreamEvent/timer`` while no link is awaited.
    func nextWakeUp(_ counters: Counters) -> WakeUp?
}

extension PlaybackStateMachine {
    /// The facts that are reported to the session.
    package var facts: ParticipantFacts {
        var facts = ParticipantFacts()
        facts.isRunning = state == .playing
        facts.isStoppedByRouteLoss = state == .paused(reason: .routeLost)
        facts.streams = steering.applied.streams
        if facts.isRunning { facts.title = presentTitle }
        return facts
    }

    package mutating func leaveEnd(_ actions: inout [Action]) {}
    package mutating func suspend(_ counters: Counters, _ actions: inout [Action]) {}
    package mutating func streamRenewed() {}
    package mutating func applyHeldPause(_ actions: inout [Action]) {}
    package mutating func dropHeldPause() {}
    package mutating func dropPauseForRemoval() {}
}

/// The reason to play when the session becomes active again.
package enum PlaybackIntent: Sendable, Hashable {
    case none
    /// The sound was playing when it was interrupted.
    case resume
    /// The program or its user asked to play meanwhile.
    case play
}

/// The state of the stream of a player or an output, and the last requests to it.
package struct OutputSteering: Sendable {
    var stream: Stream?
    /// Whether listeners were notified that there is no output.
    var isUnserved = false
    /// The pending error that there is no output. It is held back while the output may be lost,
    /// because the loss explains it.
    var pendingError: AudioSessionError?
    var isEndangered = false
    /// When the output last began to be endangered.
    var endangeredAt = MonotonicTime(nanoseconds: 0)
    /// Whether the gate stays closed, from the loss that paused the sound until it plays again.
    /// Making the stream inactive takes a round trip, the gate does not.
    var isGateHeld = false
    /// Whether the route after a loss is not known yet. Until then the stream's node counts as the
    /// participant's.
    var awaitsRoute = false
    var applied = Applied()
    /// How many more streams may replace one that the session manager does not let run.
    ///
    /// WirePlumber 0.4.13 leaves one stream of some hundred without a link if they appear while it
    /// starts or takes a card.
    var relinksLeft = Limits.relinks
    /// The time of the event that is being received.
    var now = MonotonicTime(nanoseconds: 0)

    enum Limits {
        static let relinks = 3
        /// The time limit for a session manager to link a stream.
        static let link = Duration.seconds(3)
        /// The time within which a session manager pauses the players of a removed sink.
        static let removal = Duration.milliseconds(300)
    }

    struct Stream: Sendable {
        var node: ObjectID?
        var isRunning = false
        var hasRun = false
        /// Whether the stream was active with its gate open.
        var hasSounded = false
        var isDead = false
        /// Whether the running stream stopped by itself, because its sink was removed or the
        /// session manager moves it.
        var wasStopped = false
        /// Whether the stream stopped by itself while the output may be lost. It is made inactive,
        /// because the rest in its resampler could be heard on the next sink before the loss is
        /// decided.
        var hasFallen = false
        /// Whether the stream must be replaced. One that is made inactive while the session manager
        /// relinks it may never run again (seen with PipeWire 0.3.65).
        var needsRenewal = false
        /// Whether the session has chosen another output than the stream requests. It is then
        /// replaced even while it runs.
        var isOutdated = false
        /// The node of the stream that this one replaced. The route is still that node's until this
        /// stream runs.
        var formerNode: ObjectID?
        /// Whether the stream was released, so that only the ring exists until it plays again.
        var isReleased = false
    }

    /// The last requests, so that none is repeated.
    struct Applied: Sendable {
        var isActive = false
        /// Whether the gate is closed; `nil` if it may have closed by itself.
        var isGateClosed: Bool? = false
        var streams: Set<ObjectID> = []
        var isAwaited = false
        var isLinkAwaited = false
    }
}

// MARK: Names that players and outputs share

/// An event that players and outputs receive alike.
package enum PlaybackEvent: Sendable {
    // The manager
    /// The output in use may be gone.
    case routeEndangered
    /// The output in use was not lost after all.
    case routeKept
    /// The output in use is lost. The session's state and configuration decide what follows.
    case outputLost(PortDescription, at: MonotonicTime, in: AudioSessionState, pauses: Bool)
    case routeChanged(RouteChange)
    case sessionManagerChanged(isThere: Bool)
    case connectionLost
    /// The session may have other targets.
    case targetsChanged(RouteChangeReason?)
    /// Another output was chosen than the one that the stream requests.
    case outputChosen

    // The session
    case sessionActivated
    case sessionInterrupted
    case interruptionEnded(shouldResume: Bool)
    /// The session was activated for ``PlaybackAction/activate(_:)`` or for `play`, and has this
    /// state now.
    case activated(PlayerActivation, AudioSessionState, on: RouteDescription)
    /// The output whose loss stopped it is in use again, in this route.
    case outputRegained(RouteDescription)
    case sessionDeactivated
    /// The session's configuration has changed.
    case configurationChanged(allowsPlayback: Bool)
    /// A session that pauses at a loss has lost this output while it is interrupted, or holds a
    /// claim afterwards. The sound would go to `route`.
    case outputLostMeanwhile(PortDescription, from: RouteDescription)

    // The stream
    case streamPaused(ObjectID?)
    case streamRuns(ObjectID?)
    /// The session manager has linked a node, of this stream or another.
    case streamLinked(ObjectID)
    /// The daemon reported an error that the stream survives.
    case streamUnserved(AudioSessionError)
    /// The stream failed, or could not be made.
    case streamFailed(AudioSessionError)
}

/// An event of a state machine that also receives ``PlaybackEvent``.
package protocol PlaybackReceiverEvent: StreamEvent {
    /// Playing was requested while the session was in this state.
    static func play(in session: AudioSessionState) -> Self
    static func playback(_ event: PlaybackEvent) -> Self
}

/// An action that players and outputs execute alike.
package protocol PlaybackAction: StreamAction, Hashable {
    associatedtype Notice: PlaybackNotice

    /// Release the stream until it is renewed. The ring is kept.
    static var releaseStream: Self { get }
    static func setActive(_ isActive: Bool) -> Self
    static func setGate(closed: Bool) -> Self
    /// Send ``StreamEvent/timer`` at that time; `nil` disarms the timer.
    static func wake(after: WakeUp?) -> Self
    /// Activate the session, and send ``PlaybackEvent/activated(_:_:on:)`` if it was.
    static func activate(_ activation: PlayerActivation) -> Self
    static func notify(_ notice: Notice) -> Self
    static func send(_ message: ParticipantMessage) -> Self
    /// Whether the action makes the stream to which later actions apply.
    var makesStream: Bool { get }
}

/// An event for listeners.
package protocol PlaybackNotice: Sendable, Hashable {
    associatedtype State: PlaybackState

    static func stateChanged(_ state: State, at time: MonotonicTime) -> Self
    static func becameNoisy(_ port: PortDescription, at time: MonotonicTime) -> Self
    static func routeChanged(_ change: RouteChange) -> Self
    static func failed(_ error: AudioSessionError, at time: MonotonicTime) -> Self
}

package protocol PlaybackState: Sendable, Hashable {
    associatedtype PauseReason: PlaybackPauseReason

    static var playing: Self { get }
    static func paused(reason: PauseReason) -> Self
}

package protocol PlaybackPauseReason: Sendable, Hashable {
    static var routeLost: Self { get }
    static var interrupted: Self { get }
    static var sessionInactive: Self { get }
    static var mediaServicesLost: Self { get }
    static var outputFailed: Self { get }
}
