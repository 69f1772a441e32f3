import AudioSessionCore
import PipeWireGraph

/// The manager's work for its sessions.
extension AudioSessionManager {
    var liveSessions: some Sequence<AudioSession> { arbitration.sessions.values.lazy.compactMap { $0.session } }

    /// Delivers an input to every session.
    func sendToSessions(_ input: SessionInput) { for id in arbitration.sessions.keys { send(id, input) } }

    /// Delivers an input to a session, whose driver executes the resulting actions before this
    /// returns.
    func send(_ id: AudioSessionID, _ input: SessionInput) {
        arbitration.sessions[id]?.session?.assumeIsolated { $0.receive(input) }
    }

    /// The values that a session's state machine reads while it receives an input. Most inputs need
    /// few of them, so each is read on demand.
    struct Surroundings: SessionSurroundings {
        let manager: AudioSessionManager
        let session: AudioSessionID

        var graph: AudioGraph? { read { $0.model.isKnown ? $0.graph : nil } }
        var status: SessionStatus? { read { $0.arbitration.machine.status(of: session) } }
        var others: OtherSessions { read { $0.arbitration.machine.otherSessions(for: session) } }
        var now: MonotonicTime { read { $0.now } }

        private func read<Value: Sendable>(_ value: (isolated AudioSessionManager) -> Value) -> Value {
            manager.assumeIsolated(value)
        }
    }

    /// Executes a session's request.
    /// - Returns: The inputs that the session receives in answer.
    func perform(_ request: SessionRequest, for session: AudioSession) -> [SessionInput] {
        let id = session.id
        switch request {
        case .open(let traits, let targets): return open(session, traits, targets)
        case .close: close(id)
        case .setSounding(let isSounding): setSounding(isSounding, id)
        case .setStoppedByRouteLoss(let isStopped): send(.stoppedByRouteLoss(isStopped, id))
        case .steerCards(let requests): steer(requests, of: id)
        case .setStreams(let streams, let sources):
            guard let follower = arbitration.sessions[id]?.follower else { return [] }
            arbitration.sessions[id]?.streams = streams
            setStreams(streams, recordingFrom: sources, of: follower)
        case .setTargets(let targets, let reason):
            guard let follower = arbitration.sessions[id]?.follower else { return [] }
            if let reason { expect(reason, to: session.routeChoice, of: follower) }
            if reason == .categoryChange {
                perform(model.changeCategory(targets, of: follower, now: now))
            } else {
                setTargets(targets, of: follower)
            }
        case .adoptTargets(let targets):
            return adopt(targets, of: id).map { [.route(.adopted($0))] } ?? []
        case .followAgain(let targets): return [.services(.reset(adopt(targets, of: id)))]
        }
        return []
    }

    private func open(_ session: AudioSession, _ traits: TokenTraits, _ targets: RouteTargets) -> [SessionInput] {
        joinArbitration()
        let (id, follower) = (session.id, nextFollower(.session))
        arbitration.sessions[id] = ArbitrationDriver.SessionEntry(session: session, follower: follower)
        send(.opened(id, traits))
        follow(session, as: follower, targets)
        let adopted = model.route(of: follower).map { SessionInput.route(.adopted($0)) }
        return [
            adopted, .othersStreaming(otherStreams.arePlaying),
            isClosed ? .lifecycle(.managerClosed) : nil,
        ].compactMap(\.self)
    }

    private func close(_ id: AudioSessionID) {
        let follower = arbitration.sessions.removeValue(forKey: id)?.follower
        setSounding(false, id)
        steer(CardRequests(), of: id)
        send(.closed(id))
        if let follower { unfollow(follower) }
    }

    /// Sets a session's targets without a notification.
    /// - Returns: The resulting route; `nil` while there is none.
    private func adopt(_ targets: RouteTargets, of id: AudioSessionID) -> RouteDescription? {
        guard let follower = arbitration.sessions[id]?.follower else { return nil }
        model.adopt(targets, of: follower, now: now)
        return model.route(of: follower)
    }

    /// Receives a session's request. The waiter is resumed with the failure, or `nil`.
    func receive(
        _ request: ArbitrationRequest, of session: AudioSessionID,
        _ waiter: CheckedContinuation<ActivationFailure?, Never>
    ) {
        arbitration.lastRequest += 1
        let id = ArbitrationRequestID(arbitration.lastRequest)
        arbitration.waiting[id] = waiter
        send(.requested(request, session, id))
    }

    /// The number of calls that wait for PipeWire.
    package var waitingCallCount: Int { arbitration.waiting.count + questionWaiters.count }

    /// Declares whether this program is in the background. There, a session that does not mix may
    /// activate only if it is advised to resume, or if its group is now playing.
    ///
    /// A group is now playing from the activation of one of its sessions until a session of another
    /// group is activated. Only sessions that have priority `media` and do not mix count. Sessions
    /// that end by themselves, such as recordings
    /// (``AudioSessionConfiguration/notifiesOthersWhenLost``), leave music now playing: it may
    /// start again after them.
    ///
    /// The library cannot detect this, so a program that declares nothing counts as in the
    /// foreground.
    /// - Parameter isInBackground: Whether the program is in the background.
    public func setInBackground(_ isInBackground: Bool) { send(.background(isInBackground)) }

    // MARK: Other audio

    /// The programs that play, as far as the registry shows.
    package var playingPrograms: PlayingPrograms {
        joinArbitration()
        let processes = OtherStreams.processes(
            in: model.registry.graph, own: graphConnection?.identity.client, arbitration.machine,
            now: environment.now())
        return PlayingPrograms(processes: processes, participants: participants, hosts: programMarks.hosts)
    }

    /// Returns whether the process is the session manager's; `false` if that is not known.
    package nonisolated func isSessionManager(_ process: Int?) -> Bool {
        process != nil && process == snapshot.withLock(\.sessionManagerProcess)
    }

    /// The processes that have sessions, and this one.
    private var participants: Set<Int> {
        var processes: Set<Int> = []
        for case .id(let id) in arbitration.machine.arbitration.processes { processes.insert(id) }
        if let client = graphConnection?.identity.client, let own = model.registry.graph.clients[client]?.processID {
            processes.insert(own)
        }
        return processes
    }

    /// Determines again which other programs play, by all streams.
    func updateStreaming() {
        guard model.isKnown, !isLost else { return }
        otherStreams.update(model.registry.graph, own: graphConnection?.identity.client)
        updateOtherAudio()
    }

    /// Determines again which other programs play, by the streams that a change concerns.
    func updateStreaming(_ change: GraphChange) {
        guard model.isKnown, !isLost else { return }
        otherStreams.update(after: change, model.registry.graph, own: graphConnection?.identity.client)
        updateOtherAudio()
    }

    /// Evaluates other audio again. Waits until all objects are known, and after a loss until the
    /// reset, because a partial result would be sent as a change.
    func updateOtherAudio() {
        guard model.isKnown, !isLost else { return }
        let werePlaying = otherStreams.arePlaying
        let departure = otherStreams.evaluate(arbitration.machine, now: environment.now())
        if let departure, departure != arbitration.awaitedDeparture {
            arm(.departure, at: departure)
        }
        arbitration.awaitedDeparture = departure
        guard otherStreams.arePlaying != werePlaying else { return }
        sendToSessions(.othersStreaming(otherStreams.arePlaying))
    }
}
