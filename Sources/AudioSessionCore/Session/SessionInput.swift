/// What happened to a session, for ``SessionStateMachine``.
package enum SessionInput: Sendable, Hashable {
    case lifecycle(Lifecycle)
    case configuration(ConfigurationChange)
    /// What arbitration notifies the session of.
    case arbitration(BoardEvent)
    /// Other programs' sessions are others than before, as far as an inactive session is concerned.
    case othersChanged(OtherSessions)
    /// Whether streams of programs without sessions play.
    case othersStreaming(Bool)
    case participant(ParticipantID, ParticipantChange)
    case route(SessionRouteInput)
    case sound(SoundChange)
    /// Whether to advise at the return of an output, from the next loss on.
    case resumesOnReplug(within: Duration?)
    /// The computer slept for so long.
    case slept(Duration)
    /// Mutes, silent mode or PipeWire's graph may be others, and with them why the session is silent.
    case surroundingsChanged
    case services(ServiceChange)

    package enum Lifecycle: Sendable, Hashable {
        /// The first call that needs PipeWire was made.
        case opened
        /// There was no room for the session. The next call opens it again.
        case refused
        /// The program deactivates the session.
        case deactivating(notify: Bool)
        /// The program closed the session, or its last reference went.
        case closed
        /// The manager was closed, and no session of it is heard any more.
        case managerClosed
    }

    package enum ServiceChange: Sendable, Hashable {
        case lost
        /// PipeWire is back.
        case back
        /// The manager follows the session's route again: the route as it is now; `nil` if the session has none.
        case reset(RouteDescription?)
    }

    package enum SoundChange: Sendable, Hashable {
        /// The program prefers other numbers.
        case preferred(SoundPreferences)
        case read(SoundScope)
    }

    package enum ConfigurationChange: Sendable, Hashable {
        /// PipeWire is asked for a place with this configuration.
        case requested(AudioSessionConfiguration)
        /// PipeWire granted what was requested in place of this configuration.
        case granted(old: AudioSessionConfiguration)
        /// PipeWire refused the second configuration, and the first is in force again.
        case denied(old: AudioSessionConfiguration, new: AudioSessionConfiguration)
    }

    package enum ParticipantChange: Sendable, Hashable {
        case joined(ParticipantFacts)
        case left
        /// It began or ceased to play or record, or to be stopped by the loss of its output.
        case changed(ParticipantFacts)
        /// It plays to, or records from, something else.
        case moved(ParticipantFacts)
        /// Its input was muted or unmuted.
        case muted(ParticipantFacts)
        /// It is about to stop because this output is lost.
        case losesOutput(uid: String, at: MonotonicTime)
    }
}

extension SessionInput.ParticipantChange {
    /// What is known of the participant after it; `nil` if that is as before.
    var facts: ParticipantFacts? {
        switch self {
        case .joined(let facts), .changed(let facts), .moved(let facts), .muted(let facts): facts
        case .left, .losesOutput: nil
        }
    }
}

/// What happened to a session's route, or to what its program prefers.
package enum SessionRouteInput: Sendable, Hashable {
    /// The output in use is lost.
    case lost(PortDescription, at: MonotonicTime)
    case changed(RouteChange)
    /// The output that was in doubt is still in use.
    case kept
    /// The route was read, and no listener is to be notified.
    case adopted(RouteDescription)
    /// Ports, cards or defaults are others than before.
    case choicesChanged
    /// A route change is about to be notified. Streams and cards follow after `choicesChanged`.
    case aboutToChange
    /// The computer's default input is another.
    case defaultInputChanged
    case prefer(PortDescription?, PortDirection)
    case override(PortOverride)
    case select(DataSource?, PortDirection)
}

/// Identifies a participant of a session.
package typealias ParticipantID = ObjectIdentifier

/// What a session knows of a part of the program that plays or records for it.
package struct ParticipantFacts: Sendable, Hashable {
    /// Whether it plays or records.
    package var isRunning = false
    /// Whether it plays. Recorders do not.
    package var isHeard = true
    /// Whether it is silent because its output was lost.
    package var isStoppedByRouteLoss = false
    /// Whether it records silence because its input is muted.
    package var isInputMuted = false
    /// The nodes of its running streams that play.
    package var streams: Set<ObjectID> = []
    /// What it records from.
    package var source: ObjectID?
    /// What it plays or records, for people; `nil` while it does neither.
    package var title: String?

    package init() {}
}

/// What a session tells its participants.
package enum ParticipantInput: Sendable, Hashable {
    case activated
    /// Be silent from now on.
    case interrupted
    case interruptionEnded(shouldResume: Bool)
    /// Stop.
    case deactivated
    /// An output is lost while the session is interrupted.
    case outputLost(PortDescription)
    /// The output whose loss stopped the participant is in use again, and resuming was asked for.
    case outputRegained
    /// Lower the sound to this amplitude.
    case ducked(Float)
    /// The session's target may be another one, or a card is about to be switched for it.
    /// - Parameter reason: of the route change that follows; `nil`: the one that the routes show.
    case targetChanged(RouteChangeReason?)
    /// The session has another configuration.
    case reconfigured
    /// Running streams carry these properties from now on.
    case properties([StreamProperty])
}

/// A property of a stream.
package struct StreamProperty: Sendable, Hashable {
    package let key: String
    package let value: String

    package init(_ key: String, _ value: String) { (self.key, self.value) = (key, value) }
}

/// What a session's driver has to do, in this order.
package enum SessionAction: Sendable, Hashable {
    /// Tell every participant.
    case tell(ParticipantInput)
    /// Tell one participant.
    case tellOne(ParticipantID, ParticipantInput)
    /// Make the machine's state readable. Always before ``notify(_:)``.
    case publish
    /// Notify listeners.
    case notify(AudioSessionEvent)
    /// No event follows.
    case endEvents
    /// Read numbers of the sound anew.
    case readSound(SoundScope)
    /// Ask the manager, and receive what it answers.
    case ask(SessionRequest)

    static let updateSound = readSound(.all)
}

/// Which numbers of a session's sound may be others than before.
package enum SoundScope: Sendable, Hashable {
    case all
    /// The volume of a port in this direction.
    case volume(PortDirection)
}

/// What a session asks of its manager.
package enum SessionRequest: Sendable, Hashable {
    /// Make the session known to arbitration, and follow its route.
    case open(TokenTraits, RouteTargets)
    case close
    case setSounding(Bool)
    case setStoppedByRouteLoss(Bool)
    case setStreams(Set<ObjectID>, recordingFrom: Set<ObjectID>)
    /// Follow these targets.
    /// - Parameter reason: of the route change that follows; `nil`: the one that the routes show.
    case setTargets(RouteTargets, reason: RouteChangeReason?)
    /// Follow these targets, and answer with ``SessionRouteInput/adopted(_:)``.
    case adoptTargets(RouteTargets)
    /// Follow these targets after PipeWire is back, and answer with ``SessionInput/ServiceChange/reset(_:)``.
    case followAgain(RouteTargets)
    case steerCards(CardWishes)
}

/// What a session's state machine reads of the computer.
package protocol SessionSurroundings {
    /// `nil` while PipeWire is not connected.
    var graph: AudioGraph? { get }
    /// As last known, connected or not.
    var lastGraph: AudioGraph { get }
    /// `nil` while the session is not open.
    var status: SessionStatus? { get }
    /// Sessions of other programs, for an inactive session.
    var others: OtherSessions { get }
    var now: MonotonicTime { get }
}
