import AudioSessionCore
import PipeWireGraph

/// What sessions ask of their manager.
extension AudioSessionManager {
    var liveSessions: some Sequence<AudioSession> { board.sessions.values.lazy.compactMap { $0.session } }

    /// Delivers an input to every session.
    func tellSessions(_ input: SessionInput) { for id in board.sessions.keys { tell(id, input) } }

    /// Delivers an input to a session, whose driver executes what follows before this returns.
    func tell(_ id: SessionUUID, _ input: SessionInput) {
        board.sessions[id]?.session?.assumeIsolated { $0.receive(input) }
    }

    /// Lets all that follows a route, or an input, know.
    func tellFollowers(_ input: RouteInput) {
        followers.values.tell(input)
        inputFollowers.values.tell(input)
    }

    /// What a session's state machine reads while it receives an input.
    struct Surroundings: SessionSurroundings {
        fileprivate let isConnected: Bool
        fileprivate let board: BoardStateMachine
        fileprivate let session: SessionUUID
        let lastGraph: AudioGraph
        let now: MonotonicTime

        var graph: AudioGraph? { isConnected ? lastGraph : nil }
        var status: SessionStatus? { board.status(of: session) }
        var others: OtherSessions { board.otherSessions(for: session) }
    }

    func surroundings(of session: SessionUUID) -> Surroundings {
        Surroundings(
            isConnected: machine.isKnown, board: board.machine, session: session, lastGraph: graph,
            now: environment.now())
    }

    /// Executes what a session asks for.
    /// - Returns: what the session receives in answer.
    func perform(_ request: SessionRequest, for session: AudioSession) -> [SessionInput] {
        let id = session.token
        switch request {
        case .open(let traits, let targets): return open(session, traits, targets)
        case .close: close(id)
        case .setSounding(let isSounding): setSounding(isSounding, id)
        case .setStoppedByRouteLoss(let isStopped): tell(.stoppedByRouteLoss(isStopped, id))
        case .steerCards(let wishes): steer(wishes, of: id)
        case .setStreams(let streams, let sources):
            guard let follower = board.sessions[id]?.follower else { return [] }
            board.sessions[id]?.streams = streams
            setStreams(streams, recordingFrom: sources, of: follower)
        case .setTargets(let targets, let reason):
            guard let follower = board.sessions[id]?.follower else { return [] }
            if let reason { expect(reason, to: session.routeChoice, of: follower) }
            if reason == .categoryChange {
                changeCategory(targets, of: follower)
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
        attendBoard()
        let id = session.token
        board.sessions[id] = BoardPart.SessionEntry(session: session, follower: nextFollower(.session))
        tell(.opened(id, traits))
        if let follower = board.sessions[id]?.follower { follow(session, as: follower, targets) }
        let route = adopt(targets, of: id).map { SessionInput.route(.adopted($0)) }
        return [route, .othersStreaming(board.areOthersStreaming)].compactMap(\.self)
    }

    private func close(_ id: SessionUUID) {
        let follower = board.sessions.removeValue(forKey: id)?.follower
        setSounding(false, id)
        steer(CardWishes(), of: id)
        tell(.closed(id))
        if let follower { unfollow(follower) }
    }

    /// Sets a session's targets without a notification.
    /// - Returns: the route that follows from them; `nil` while there is none.
    private func adopt(_ targets: RouteTargets, of id: SessionUUID) -> RouteDescription? {
        guard machine.isKnown, let follower = board.sessions[id]?.follower else { return nil }
        adopt(targets, of: follower)
        return route(of: follower)
    }

    func request(_ request: BoardRequest, of session: SessionUUID) async -> BoardFailure? {
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

    func status(of session: SessionUUID) -> SessionStatus? { board.machine.status(of: session) }

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
            arm(.departure, at: departure)
        }
        board.awaitedDeparture = departure
        let areStreaming = areOthersStreaming
        guard areStreaming != board.areOthersStreaming else { return }
        board.areOthersStreaming = areStreaming
        tellSessions(.othersStreaming(areStreaming))
    }
}
