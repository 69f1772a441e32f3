/// Decides what a session's events mean to the program that the session hosts, or to streams of
/// this process that are attached to it.
///
/// The program is silent while the session is interrupted, after the loss of the output to which
/// its streams play, and after an activation that was refused. Unlike an interruption, a loss has
/// no end of its own. Its silence ends when the output is in use again, or when the user
/// intervenes. The program of attached streams ends it too, because it receives the session's
/// events and decides when it plays: by each activation and deactivation of the session, whatever
/// state it has.
package struct HostedProgramStateMachine: Sendable {
    /// The time after which a route change is over. Until then, a card may stop and start its
    /// streams. A volume that changes this close to a route change may be that of another output.
    package static let settling = Duration.seconds(1)
    /// The limit for the session to report a removed output.
    package static let suspicionLimit = Duration.milliseconds(500)

    package enum Event: Sendable, Hashable {
        case activated, deactivated, interrupted
        /// The program activated its session, which may have been active already, or deactivated
        /// it, whatever state it had. That ends a loss of attached streams. Unlike ``activated``
        /// and ``deactivated``, it follows all earlier events of the output.
        case lossDismissed(at: MonotonicTime)
        case interruptionEnded(shouldResume: Bool)
        /// The session holds no claim after an interruption, because it is active, was deactivated,
        /// or has not been activated again in time.
        case claimEnded
        /// An activation was refused, and the program runs all the same. It may be reported again
        /// until the session is active.
        case refused
        /// The session's gain in thousandths.
        case ducked(UInt16)
        /// The streams of the program; `nil` if they are unknown.
        case streamsChanged(HostedStreams?, at: MonotonicTime)
        /// The answer to ``Action/awaitStreams``.
        case streamsSettled
        /// The gate triggers of the streams. The program has no gate, so it is muted instead.
        case gateTriggersChanged(Set<ObjectID>)
        /// PipeWire removed an object. If it was a gate trigger, the session reports
        /// ``outputEndangered(at:)`` soon, unless the streams have just left that output.
        case objectRemoved(ObjectID, at: MonotonicTime)
        /// The answer to ``Action/awaitSession``.
        case suspicionEnded
        /// The output in use may be lost. Either ``outputKept`` or ``outputLost(_:at:)`` follows.
        case outputEndangered(at: MonotonicTime)
        case outputKept
        /// The output with this ``PortDescription/outputID`` was in use and is lost. Some losses
        /// are reported only by the route change.
        case outputLost(String, at: MonotonicTime)
        case routeChanged(RouteChange)
        /// The identifiers of the route's outputs, as the answer to ``Action/readRoute``.
        case routeRead([String])
        /// Volume or mute of the output changed, by the user or by a route change.
        case volumeChanged(at: MonotonicTime)
        /// PipeWire was lost. Until the reset, the route is the last one before that.
        case mediaServicesLost
        case mediaServicesReset(at: MonotonicTime)
        /// Events of the session were dropped. Its present state shows their result.
        case eventsDropped(isServiceLost: Bool, at: MonotonicTime)
        /// The user changed volume or mute of a stream of the program, played a player, or started
        /// a stream again.
        case overruled(at: MonotonicTime)
    }

    package enum Action: Sendable, Hashable {
        /// Pause the program's players, and mute the streams of all its other processes. Undo both
        /// at the end of this process, except for players that were paused for a loss.
        case silence
        /// Do the same with all streams, and undo none of it at the end of this process. This
        /// replaces ``silence``, and is replaced by it.
        case silenceForLoss
        /// Unmute the streams. Resume the players that were paused for this session, or leave them
        /// paused.
        case unsilence(resumes: Bool)
        case duck(UInt16)
        /// Report ``Event/routeRead(_:)`` after ``settling``.
        case readRoute
        /// Report ``Event/streamsSettled`` after ``settling``, counted from the last such action.
        case awaitStreams
        /// Report ``Event/suspicionEnded`` after ``suspicionLimit``, counted from the last such
        /// action.
        case awaitSession
    }

    private enum SessionState: Sendable {
        /// The session was never active, or its program deactivated it. The next activation ends
        /// the silence of a loss.
        case inactive
        case active, interrupted
        /// The session's interruption has ended, and it may resume while it holds its claim. Its
        /// program is heard already.
        case claiming
        /// The session is inactive because its interruption has ended, or because it was refused.
        case waiting
    }

    private enum Refusal: Sendable {
        case none, silences
        /// The user lets the program play until the session is active again.
        case overruled
    }

    private enum Silence: Sendable {
        case none, plain, forLoss
    }

    private enum Danger: Sendable {
        case none
        /// A gate trigger was removed. The session has not reported it yet.
        case suspected
        case reported
    }

    /// The loss of an output.
    package struct Loss: Sendable, Hashable {
        package var output: String
        package var time: MonotonicTime
    }

    /// Whether the streams are those of this process, attached to the session.
    private let isAttached: Bool
    /// Whether the loss of the output in use silences the program.
    package var pausesAtLoss = true
    private var session = SessionState.inactive
    private var refusal = Refusal.none
    /// The loss that silences the program; `nil` without one.
    package private(set) var loss: Loss?
    private var danger = Danger.none
    /// Whether all streams are muted because their output may be lost.
    package var isEndangered: Bool { danger != .none }
    /// Whether all streams are muted in a way that the end of this process undoes.
    package var mutesAll: Bool { isEndangered || isAttached && silence != .none }
    /// The nodes of the output in use.
    package private(set) var gateTriggers: Set<ObjectID> = []
    /// The program's streams. Any stream may play while they are unknown.
    private var streams: HostedStreams?
    /// The streams that determine the session's route: those that are audible or have just stopped,
    /// or those that were audible last. A stream that paused earlier may be linked to another
    /// output.
    private var routed: Set<ObjectID> = []
    /// The last time until which a stream was known to be audible.
    private var stoppedAt = MonotonicTime(nanoseconds: 0)
    /// Whether the program played when its silence began, and may play again at the end of it.
    private var isResuming = false
    /// The time of the last loss or route change.
    private var lastMove = MonotonicTime(nanoseconds: 0)
    /// The time at which the user last ended the silence. An earlier loss may be reported later.
    private var overruledAt = MonotonicTime(nanoseconds: 0)
    /// Whether the output's volume has changed since ``lastMove``, perhaps by the user.
    private var hasVolumeChanged = false
    private var isServiceLost = false
    private var silence = Silence.none
    /// Whether players may resume at the end of the silence.
    private var mayResume = true
    private var gain = TokenTraits.fullGain

    package init(isAttached: Bool = false) { self.isAttached = isAttached }

    /// Returns the actions for an event.
    ///
    /// A mute always ends with its reason, because the program cannot end it. A paused player is
    /// resumed only if the session may resume, because the user can resume it.
    package mutating func receive(_ event: Event) -> [Action] {
        switch event {
        case .activated:
            if session == .inactive || isAttached { loss = nil }
            (session, refusal) = (.active, .none)
            return settle()
        case .lossDismissed(let time):
            guard isAttached, loss != nil else { return [] }
            (loss, overruledAt) = (nil, time)
            return settle()
        case .interrupted:
            session = .interrupted
            return duck(TokenTraits.fullGain) + settle()
        case .interruptionEnded(let shouldResume):
            session = shouldResume ? .claiming : .waiting
            mayResume = mayResume && shouldResume
            return settle()
        case .claimEnded:
            if session == .claiming { session = .waiting }
            return []
        case .deactivated:
            if session != .claiming, session != .waiting { session = .inactive }
            if isAttached, session == .inactive { (loss, danger) = (nil, .none) }
            return settle() + duck(TokenTraits.fullGain)
        case .refused:
            if session == .inactive { (session, loss) = (.waiting, nil) }
            if refusal == .none { refusal = .silences }
            return settle()
        case .ducked(let gain): return duck(gain)
        case .streamsChanged(let new, let time):
            if streams?.audible.isEmpty == false { stoppedAt = time }
            streams = new
            if isPlaying, silence == .none { isResuming = false }
            return followStreams()
        case .streamsSettled:
            // A headset may stop its streams seconds before its loss is certain.
            if isEndangered { return [.awaitStreams] }
            if let streams, !streams.audible.isEmpty { routed = streams.audible }
            return []
        case .gateTriggersChanged(let nodes):
            gateTriggers = nodes
            return []
        case .objectRemoved(let id, let time):
            guard gateTriggers.contains(id), !isEndangered, isSilencedByLoss(at: time) else { return [] }
            danger = .suspected
            return [.awaitSession]
        case .suspicionEnded:
            if danger == .suspected { danger = .none }
            return []
        case .outputEndangered(let time):
            danger = isSilencedByLoss(at: time) ? .reported : .none
            return []
        case .outputKept:
            // A suspicion concerns another danger, which the session does not know yet.
            if danger == .reported { danger = .none }
            return []
        case .outputLost(let output, let time):
            let former = loss
            let actions = lose(output, at: time)
            (lastMove, hasVolumeChanged, danger) = (time, false, .none)
            // An output that returns at once causes no route change.
            return loss == former ? [] : actions + [.readRoute]
        case .routeChanged(let change): return move(change)
        case .mediaServicesLost:
            (isServiceLost, hasVolumeChanged, danger) = (true, false, .none)
            return []
        case .mediaServicesReset(let time):
            (isServiceLost, lastMove) = (false, time)
            return loss == nil ? [] : [.readRoute]
        case .eventsDropped(let isLost, let time):
            if isLost { return receive(.mediaServicesLost) }
            if isServiceLost { return receive(.mediaServicesReset(at: time)) }
            // A restart may have been among them, and with it the return of the lost output.
            return loss == nil ? [] : [.readRoute]
        case .routeRead(let outputs):
            guard !isServiceLost else { return [] }
            if hasVolumeChanged { loss = nil }
            hasVolumeChanged = false
            return regain(among: outputs)
        case .volumeChanged(let time):
            guard loss != nil, !hasVolumeChanged, time.since(lastMove) >= Self.settling else { return [] }
            hasVolumeChanged = true
            return [.readRoute]
        case .overruled(let time):
            guard time.since(lastMove) >= Self.settling else { return [] }
            if refusal == .silences || loss != nil { mayResume = false }
            if refusal == .silences { refusal = .overruled }
            if loss != nil { (loss, overruledAt) = (nil, time) }
            return settle()
        }
    }

    /// The facts of the program's streams for the session. If none has been audible, all determine
    /// the route, because a stream that does not run stays linked to its output.
    package var facts: ParticipantFacts {
        var facts = ParticipantFacts()
        facts.streams = routed.isEmpty ? streams?.all ?? [] : routed
        facts.isRunning = silence == .none && streams?.audible.isEmpty == false
        facts.isStoppedByRouteLoss = loss != nil
        return facts
    }

    private mutating func settle() -> [Action] {
        let former = silence
        silence =
            if loss != nil {
                .forLoss
            } else if session == .interrupted || refusal == .silences {
                .plain
            } else {
                .none
            }
        guard silence != former else { return [] }
        if former == .none { isResuming = isPlaying }
        let action: Action
        switch silence {
        case .none:
            if !mayResume { isResuming = false }
            action = .unsilence(resumes: mayResume)
        case .plain:
            if former == .none { mayResume = true }
            action = .silence
        case .forLoss:
            // Nothing starts again by itself after a loss.
            mayResume = false
            action = .silenceForLoss
        }
        // The program of attached streams pauses its own players.
        return isAttached ? [] : [action]
    }

    private mutating func duck(_ gain: UInt16) -> [Action] {
        guard gain != self.gain else { return [] }
        self.gain = gain
        return [.duck(gain)]
    }

    // MARK: The output

    /// Keeps the streams that have just stopped beside those that play, because a card may stop its
    /// streams before it reports the loss of their output.
    private mutating func followStreams() -> [Action] {
        guard let streams else {
            routed = []
            return []
        }
        routed = routed.intersection(streams.all).union(streams.audible)
        return streams.audible.isEmpty || routed == streams.audible ? [] : [.awaitStreams]
    }

    private mutating func move(_ change: RouteChange) -> [Action] {
        (lastMove, hasVolumeChanged) = (change.time, false)
        guard loss == nil else { return regain(among: change.current.outputs.map(\.outputID)) }
        guard let lost = change.lostOutput else { return [] }
        return lose(lost, at: change.time)
    }

    private mutating func lose(_ output: String, at time: MonotonicTime) -> [Action] {
        guard isSilencedByLoss(at: time) else { return [] }
        loss = Loss(output: output, time: time)
        return settle()
    }

    /// Whether a loss of the output at this time silences the program, and no loss does so already.
    /// The program must play or be about to resume, because what its user plays later must be
    /// heard.
    private func isSilencedByLoss(at time: MonotonicTime) -> Bool {
        let isHosted = [.active, .interrupted, .claiming].contains(session) || refusal != .none
        guard pausesAtLoss, isHosted, loss == nil, time > overruledAt else { return false }
        // A card that loses its output may stop its streams first, and a headset seconds before its
        // loss is certain.
        return isEndangered || isPlaying || isResuming || time.since(stoppedAt) < Self.settling
    }

    private var isPlaying: Bool { streams.map { !$0.audible.isEmpty } ?? true }

    private mutating func regain(among outputs: [String]) -> [Action] {
        if let loss, outputs.contains(loss.output) { self.loss = nil }
        return settle()
    }
}
