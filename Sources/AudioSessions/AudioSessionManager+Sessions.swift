import AudioSessionCore
import PipeWireGraph

/// What sessions ask of their manager.
extension AudioSessionManager {
    var liveSessions: some Sequence<AudioSession> { board.sessions.values.lazy.compactMap { $0.session } }

    func tellSessions(_ input: SessionInput) {
        for session in liveSessions { session.assumeIsolated { $0.receive(input) } }
    }

    /// Lets all that follows a route, or an input, know.
    func tellFollowers(_ input: RouteInput) {
        followers.values.tell(input)
        inputFollowers.values.tell(input)
    }

    func tellParticipants(_ input: ParticipantInput) {
        for session in liveSessions {
            session.assumeIsolated { session in
                for participant in session.liveParticipants { participant.receive(input) }
            }
        }
    }

    func open(_ session: AudioSession, _ traits: TokenTraits) {
        attendBoard()
        board.sessions[session.token] = BoardPart.WeakSession(session: session)
        tell(.opened(session.token, traits))
    }

    func close(_ session: TokenSession) {
        board.sessions[session] = nil
        setSounding(false, session)
        steer(CardWishes(), of: session)
        tell(.closed(session))
    }

    func request(_ request: BoardRequest, of session: TokenSession) async -> BoardFailure? {
        board.lastRequest += 1
        let id = BoardRequestID(board.lastRequest)
        return await withCheckedContinuation { continuation in
            board.waiting[id] = continuation
            tell(.requested(request, session, id))
        }
    }

    /// How many calls wait for PipeWire.
    package var waitingCallCount: Int { board.waiting.count + askers.count }

    /// Whether this program is in the background, where it may not interrupt others unless it is what plays now.
    /// Nobody else can know that here, so nothing is assumed: a program that says nothing is in the foreground.
    public func setInBackground(_ isInBackground: Bool) { tell(.background(isInBackground)) }

    func status(of session: TokenSession) -> BoardStatus? { board.machine.status(of: session) }

    // MARK: Sound of others

    /// Whether a stream runs of another program that has no session, as far as the registry shows. What those with
    /// a session are to be heard for, the board tells.
    var areOthersStreaming: Bool { machine.registry.graph.runningNodes.contains { foreignStream($0) != nil } }

    /// The processes whose streams these are.
    package var foreignProcesses: Set<StreamProcess> {
        attendBoard()
        let graph = machine.registry.graph
        return Set(
            graph.runningNodes.compactMap { id in
                foreignStream(id).flatMap { node in node.process(node.clientID.flatMap { graph.clients[$0] }) }
            })
    }

    private func foreignStream(_ id: ObjectID) -> Node? {
        guard let node = streamOfOthers(id) else { return nil }
        guard let process = process(of: node) else { return node }
        return hasSession(process) || departureEnd(of: node) != nil ? nil : node
    }

    /// A playback stream of another process. Another connection of this process is no other program.
    private func streamOfOthers(_ id: ObjectID) -> Node? {
        let graph = machine.registry.graph
        let own = graphConnection?.identity.client
        guard let node = graph.nodes[id], node.mediaClass == .playbackStream, node.clientID != own else { return nil }
        let ownProcess = own.flatMap { graph.clients[$0]?.processID }
        let isOwn = ownProcess != nil && process(of: node) == ownProcess.map { .id($0) }
        return isOwn ? nil : node
    }

    private func process(of node: Node) -> TokenOwner.Process? {
        node.clientID.flatMap { machine.registry.graph.clients[$0]?.processID }.map { .id($0) }
    }

    /// Until when the stream does not count as other audio: a program stops its streams shortly after its session.
    private func departureEnd(of node: Node) -> MonotonicTime? {
        process(of: node).flatMap { board.machine.departureEnd(of: $0, now: environment.now()) }
    }

    private func hasSession(_ process: TokenOwner.Process) -> Bool {
        let arbitration = board.machine.arbitration
        return arbitration.stack.contains { $0.key.owner == process }
            || arbitration.released.keys.contains { $0.owner == process }
    }

    /// Not before everything is known: half of it would be told as news.
    func updateStreaming() {
        guard machine.isKnown else { return }
        let streams = machine.registry.graph.runningNodes.lazy.compactMap { self.streamOfOthers($0) }
        let departure = streams.compactMap { self.departureEnd(of: $0) }.min()
        if let departure, departure != board.awaitedDeparture {
            if board.departureTimer == nil { board.departureTimer = timer { $0.updateStreaming() } }
            board.departureTimer?.arm(after: max(.zero, departure.since(environment.now())))
        }
        board.awaitedDeparture = departure
        let areStreaming = areOthersStreaming
        guard areStreaming != board.areOthersStreaming else { return }
        board.areOthersStreaming = areStreaming
        tellSessions(.othersStreaming(areStreaming))
    }
}
