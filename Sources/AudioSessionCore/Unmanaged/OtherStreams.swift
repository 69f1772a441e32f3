/// The running playback streams of other processes, and whether any counts as other audio.
///
/// A stream counts if its process has no session, and had none within the last second, because
/// programs stop their streams shortly after their session. Sessions count by themselves. Almost
/// every event evaluates only one stream or one process.
package struct OtherStreams: Sendable {
    private enum Owner: Sendable, Hashable {
        case process(TokenOwner.Process)
        /// PipeWire does not know the process.
        case unknown
    }

    private enum Standing {
        case other, participant
        case departed(until: MonotonicTime)
    }

    private var running: [ObjectID: Owner] = [:]
    /// The number of running streams of each owner.
    private var counts: [Owner: Int] = [:]
    /// An owner whose streams counted at the last evaluation. It is checked first, because one that
    /// counts is enough.
    private var playing: Owner?

    package init() {}

    /// Whether any stream counted at the last evaluation.
    package var arePlaying: Bool { playing != nil }

    /// Reads all streams of a graph.
    /// - Parameter own: This process's client.
    package mutating func update(_ graph: AudioGraph, own: ObjectID?) {
        (running, counts) = ([:], [:])
        for id in graph.runningNodes { update(id, graph, own: own) }
    }

    /// Reads the streams that a change of the graph concerns.
    package mutating func update(after change: GraphChange, _ graph: AudioGraph, own: ObjectID?) {
        if let id = change.object { update(id, graph, own: own) }
        for id in change.heldStreams { update(id, graph, own: own) }
    }

    /// Reads one stream of a graph.
    package mutating func update(_ id: ObjectID, _ graph: AudioGraph, own: ObjectID?) {
        let owner = graph.runningNodes.contains(id) ? Self.owner(of: id, graph, own) : nil
        let former = running[id]
        guard owner != former else { return }
        running[id] = owner
        if let former { counts.add(-1, to: former) }
        if let owner { counts.add(1, to: owner) }
    }

    /// Determines whether any stream counts now.
    /// - Returns: When the next stream begins to count; `nil` if one counts already or none will.
    package mutating func evaluate(_ sessions: ArbitrationStateMachine, now: MonotonicTime) -> MonotonicTime? {
        if let playing, counts[playing] != nil, case .other = Self.standing(of: playing, sessions, now) {
            return nil
        }
        playing = nil
        var next: MonotonicTime?
        for owner in counts.keys {
            switch Self.standing(of: owner, sessions, now) {
            case .other:
                playing = owner
                return nil
            case .participant: break
            case .departed(let end): next = min(next ?? end, end)
            }
        }
        return next
    }

    private static func standing(
        of owner: Owner, _ sessions: ArbitrationStateMachine, _ now: MonotonicTime
    ) -> Standing {
        guard case .process(let process) = owner else { return .other }
        if sessions.tokens.arbitration.hasSession(of: process) { return .participant }
        guard let end = sessions.tokens.departures.end(of: process, now) else { return .other }
        return .departed(until: end)
    }

    private static func owner(of id: ObjectID, _ graph: AudioGraph, _ own: ObjectID?) -> Owner? {
        guard let node = streamOfOthers(id, graph, own) else { return nil }
        return owner(process(of: node, graph))
    }

    private static func owner(_ process: StreamProcess?) -> Owner {
        process?.id.map { Owner.process(.id($0)) } ?? .unknown
    }

    /// Returns the node if it is a playback stream of another process. Other connections of this
    /// process do not count, and neither do filters, because they may play the sound of this
    /// process.
    private static func streamOfOthers(_ id: ObjectID, _ graph: AudioGraph, _ own: ObjectID?) -> Node? {
        guard let node = graph.nodes[id], node.mediaClass == .playbackStream, node.linkGroup == nil,
            node.clientID != own
        else { return nil }
        let ownProcess = own.flatMap { graph.clients[$0]?.processID }
        let isOwn = ownProcess != nil && process(of: node, graph)?.id == ownProcess
        return isOwn ? nil : node
    }

    private static func process(of node: Node, _ graph: AudioGraph) -> StreamProcess? {
        node.process(node.clientID.flatMap { graph.clients[$0] })
    }

    /// Returns the processes without sessions that have playback streams, running or not.
    /// - Parameter own: This process's client.
    package static func processes(
        in graph: AudioGraph, own: ObjectID?, _ sessions: ArbitrationStateMachine, now: MonotonicTime
    ) -> [StreamProcess: PlayingPrograms.Process] {
        var processes: [StreamProcess: PlayingPrograms.Process] = [:]
        for id in graph.nodes.values.map(\.id) {
            guard let node = streamOfOthers(id, graph, own), let process = process(of: node, graph),
                case .other = standing(of: owner(process), sessions, now)
            else { continue }
            var entry = processes[process] ?? PlayingPrograms.Process(isRunning: false)
            entry.isRunning = entry.isRunning || graph.runningNodes.contains(id)
            entry.names.formUnion(node.programNames(node.clientID.flatMap { graph.clients[$0] }))
            processes[process] = entry
        }
        return processes
    }
}
