/// An input of ``SessionStateMachine``.
///
/// Cases that are rare and large are indirect, so that the frequent ones are cheap to copy.
package enum SessionInput: Sendable, Hashable {
    case lifecycle(Lifecycle)
    indirect case configuration(ConfigurationChange)
    /// An event of arbitration about the session.
    case arbitration(ArbitrationEvent)
    /// Other programs' sessions have changed, as far as an inactive session is concerned.
    case othersChanged(OtherSessions)
    /// Streams of programs without sessions started or stopped playing.
    case othersStreaming(Bool)
    case participant(ParticipantID, ParticipantChange)
    case route(SessionRouteInput)
    case sound(SoundChange)
    /// The computer slept for so long.
    case slept(Duration)
    /// Mutes, silent mode or the graph may have changed, and with them the silence reasons.
    case surroundingsChanged
    case services(ServiceChange)

    package enum Lifecycle: Sendable, Hashable {
        /// The first call that needs PipeWire was made.
        case opened
        /// The manager's limit of sessions is reached. The next call opens the session again.
        case refused
        /// The program activates the session, which may be active already.
        case activating
        /// The last loss of the output did not stop sound of the program's own.
        case lossIgnored
        /// The program deactivates the session.
        case deactivating(notify: Bool)
        /// The program closed the session, or its last reference was released.
        case closed
        /// The manager was closed, and all its sessions are silent.
        case managerClosed
    }

    package enum ServiceChange: Sendable, Hashable {
        case lost
        /// The connection to PipeWire is back.
        case back
        /// The manager follows the session's route again: this current route, or `nil` if the
        /// session has none.
        case reset(RouteDescription?)
    }

    package enum SoundChange: Sendable, Hashable {
        /// The program set new preferred numbers.
        indirect case preferred(SoundPreferences)
        case read(SoundScope)
    }

    package enum ConfigurationChange: Sendable, Hashable {
        /// A place with this configuration was requested of PipeWire.
        case requested(AudioSessionConfiguration)
        /// PipeWire granted a place with this configuration.
        case granted(AudioSessionConfiguration)
        /// PipeWire refused the request for a configuration. The last one that was granted stays.
        case denied
        /// The program set the policies of this configuration, which need no answer of PipeWire's.
        case policies(AudioSessionConfiguration)
    }

    package enum ParticipantChange: Sendable, Hashable {
        case joined(ParticipantFacts)
        case left
        /// The participant started or stopped, or a lost output stopped it.
        case changed(ParticipantFacts)
        /// The participant's streams use another node.
        case moved(ParticipantFacts)
        /// The participant's input was muted or unmuted.
        case muted(ParticipantFacts)
        /// The participant is about to stop because the output with this
        /// ``PortDescription/outputID`` is lost.
        case losesOutput(String, at: MonotonicTime)
    }
}

extension SessionInput.ParticipantChange {
    /// The participant's facts after the change; `nil` if they have not changed.
    var facts: ParticipantFacts? {
        switch self {
        case .joined(let facts), .changed(let facts), .moved(let facts), .muted(let facts): facts
        case .left, .losesOutput: nil
        }
    }
}

/// An input about a session's route or its program's preferences.
package enum SessionRouteInput: Sendable, Hashable {
    /// The output in use is lost.
    case lost(PortDescription, at: MonotonicTime)
    case changed(RouteChange)
    /// The output that might have been lost is still in use.
    case kept
    /// The route was read, without a notification of listeners.
    case adopted(RouteDescription)
    /// Ports, cards or defaults have changed.
    case choicesChanged
    /// A route change is about to be notified, and its listeners can read the choice of ports and
    /// the numbers. Streams and cards follow after `choicesChanged`.
    case aboutToChange
    /// The default input has changed.
    case defaultInputChanged
    case prefer(PortDescription?, PortDirection)
    case override(PortOverride)
    case select(DataSource?, PortDirection)
}

/// The identity of a participant of a session.
package typealias ParticipantID = ObjectIdentifier

/// The facts that a participant reports to its session.
package struct ParticipantFacts: Sendable, Hashable {
    /// Whether the participant plays or records.
    package var isRunning = false
    /// Whether the participant plays. Recorders do not.
    package var isHeard = true
    /// Whether the participant is silent because its output was lost.
    package var isStoppedByRouteLoss = false
    /// Whether the participant records silence because its input is muted.
    package var isInputMuted = false
    /// The nodes of its running streams that play. For a hosted program, those of its last streams
    /// that played.
    package var streams: Set<ObjectID> = []
    /// The node from which it records.
    package var source: ObjectID?
    /// The name of what it plays or records, for the user; `nil` while it does neither.
    package var title: String?

    package init() {}
}

/// An input that a session sends to its participants.
package enum ParticipantInput: Sendable, Hashable {
    case activated
    /// The program activates the session, which is active already, because it is about to play.
    case activatedAgain
    /// The session was interrupted; the participant is to be silent.
    case interrupted
    case interruptionEnded(shouldResume: Bool)
    /// The session was deactivated; the participant is to stop. If that is final, because session
    /// or manager were closed, its streams must be released before the call returns.
    case deactivated(isFinal: Bool)
    /// The connection to PipeWire is lost. The participant's streams must be released before the
    /// call returns.
    case connectionLost
    /// An output was lost while the session is interrupted, or holds a claim afterwards.
    case outputLost(PortDescription)
    /// The output whose loss stopped the participant is in use again, and resuming is enabled.
    case outputRegained
    /// The participant is to apply this gain, a linear amplitude.
    case ducked(Float)
    /// The session's target may have changed, or a card is about to be switched for it.
    /// - Parameter reason: The reason of the route change that follows; `nil` derives it from the
    ///   routes.
    case targetChanged(RouteChangeReason?)
    /// The session's configuration has changed.
    case reconfigured
    /// The running streams are to have these properties.
    case properties([StreamProperty])
}

/// A property of a stream.
package struct StreamProperty: Sendable, Hashable {
    package let key: String
    package let value: String

    package init(_ key: String, _ value: String) { (self.key, self.value) = (key, value) }
}

/// An action of a session's driver. Actions are executed in order.
package enum SessionAction: Sendable, Hashable {
    /// Send an input to every participant.
    case send(ParticipantInput)
    /// Send an input to one participant.
    case sendTo(ParticipantID, ParticipantInput)
    /// Publish the state machine's state to the snapshot. The action always precedes
    /// ``notify(_:)``.
    case publish
    /// Publish only what is known of other programs' audio. It changes for all sessions of a
    /// program at once, and a whole state machine is large.
    case publishOtherAudio
    /// Notify listeners of an event.
    case notify(AudioSessionEvent)
    /// End the event sequences.
    case endEvents
    /// Read numbers of the sound again.
    case readSound(SoundScope)
    /// Send a request to the manager, and receive its answers.
    case ask(SessionRequest)

    static let updateSound = readSound(.all)
}

/// The numbers of a session's sound that may have changed.
package enum SoundScope: Sendable, Hashable {
    case all
    /// The volume of a port in this direction.
    case volume(PortDirection)
}

/// A session's request to its manager.
package enum SessionRequest: Sendable, Hashable {
    /// Register the session for arbitration, and follow its route.
    case open(TokenTraits, RouteTargets)
    case close
    case setSounding(Bool)
    case setStoppedByRouteLoss(Bool)
    case setStreams(Set<ObjectID>, recordingFrom: Set<ObjectID>)
    /// Follow the route of these targets.
    /// - Parameter reason: The reason of the route change that follows; `nil` derives it from the
    ///   routes.
    case setTargets(RouteTargets, reason: RouteChangeReason?)
    /// Follow these targets, and answer with ``SessionRouteInput/adopted(_:)``.
    case adoptTargets(RouteTargets)
    /// Follow these targets on a new connection, and answer with
    /// ``SessionInput/ServiceChange/reset(_:)``.
    case followAgain(RouteTargets)
    case steerCards(CardRequests)
}

/// The values that a session's state machine reads while it receives an input.
package protocol SessionSurroundings {
    /// The graph; `nil` while PipeWire is not connected.
    var graph: AudioGraph? { get }
    /// The session's status; `nil` while the session is not open.
    var status: SessionStatus? { get }
    /// The sessions of other programs, for an inactive session.
    var others: OtherSessions { get }
    var now: MonotonicTime { get }
}
