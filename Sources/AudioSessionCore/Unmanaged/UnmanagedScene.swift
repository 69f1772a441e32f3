/// The state of PipeWire's objects for ``UnmanagedStreams``, with the volumes written to streams.
///
/// An event only notes the streams that it concerns, and ``settle(_:)`` evaluates these. Otherwise
/// each token of any program would cost a pass over all streams.
struct UnmanagedScene: Sendable {
    let scope: UnmanagedScope
    private var clients: [ObjectID: Client] = [:]
    var streams: [ObjectID: Stream] = [:]
    /// The streams by their serials, which the marks of muted streams contain.
    private var serials: [String: ObjectID] = [:]
    private var owners = StreamOwners()
    /// The nodes of each process, so that no program takes the capacity of others.
    private var nodes = ObjectAccounts(limit: GraphLimits.nodes, ofOneProcess: GraphLimits.nodesOfOneProcess)
    /// The processes of tokens, by token.
    private var tokens: [ObjectID: Int] = [:]
    /// The number of tokens of each process.
    private var participants: [Int: Int] = [:]
    private var tokenAccounts = ObjectAccounts(limit: 4096, ofOneProcess: 256)
    var marks = ProgramMarks()
    /// The programs behind streams, as far as they were queried.
    private var programs: [StreamProcess: ProgramTrace] = [:]
    /// The streams of links, by link.
    private var links: [ObjectID: ObjectID] = [:]
    /// The sinks through which a session manager plays the streams of one role.
    private var roles: Set<ObjectID> = []

    // MARK: The state of the evaluation

    /// The streams to evaluate.
    var unsettled: Set<ObjectID> = []
    /// Whether all streams are to be evaluated.
    var isAllUnsettled = false
    var aim: Aim?
    /// The streams that may be ducked or muted.
    var slots = FairSlots(limit: UnmanagedStreams.limit)
    /// The streams that this process has written to.
    var written: Set<ObjectID> = []
    var haveOrdersChanged = false
    /// The audible streams of the programs in the scope, apart from the volumes written here.
    var audible: [ObjectID: StreamProcess?] = [:]
    /// The streams that follow a session of this program, if the scope has any.
    var hosted = HostedStreams()
    /// The serials of the streams that this process mutes.
    var mutes: [ObjectID: String] = [:]
    /// The processes of streams whose programs are needed but not known yet.
    var unknown: Set<StreamProcess> = []
    /// The streams whose volume or mute was changed, or that their program started again, if they
    /// follow a session of this program.
    private var overruled: Set<ObjectID> = []
    /// The streams that this process wrote to on an earlier connection.
    private(set) var inherited: [ObjectID: UnmanagedStreams.RestoreOrder] = [:]

    /// Makes a scene without objects.
    /// - Parameter orders: The streams that this process wrote to on an earlier connection.
    init(_ scope: UnmanagedScope, inheriting orders: [UnmanagedStreams.RestoreOrder] = []) {
        self.scope = scope
        for order in orders { inherited[order.id] = order }
        haveOrdersChanged = !orders.isEmpty
    }

    // MARK: Objects

    /// The results of an event beside the new state of the objects.
    struct Change: Sendable {
        /// The commands that the change requires.
        var commands: [GraphCommand] = []
        /// The object that was removed.
        var removed: ObjectID?
        /// The removed object, if it was a ducked stream.
        var ended: UnmanagedStream?
        /// The question whose answer arrived.
        var answered: UInt64?
    }

    /// Applies an event to the objects.
    mutating func receive(_ event: GraphEvent) -> Change {
        switch event {
        case .nodeAppeared(let node): return Change(commands: appeared(node))
        case .nodeProperties(let id, let properties): learn(Node(id: id, properties: properties))
        case .nodeState(let id, let state):
            noteStop(id, isRunning: state == .running)
            streams[id]?.isRunning = state == .running
            if state == .running { streams[id]?.isStale = true }
            unsettle(id)
        case .nodeVolumes(let id, let volumes):
            // Another number of channels is another format, not a change by the user.
            if let former = streams[id]?.volumes, former.count == volumes.count, former != volumes { overrule(id) }
            streams[id]?.volumes = volumes
            unsettle(id)
        case .nodeMuted(let id, let isMuted):
            if let stream = streams[id], !stream.volumes.isEmpty, stream.isMuted != isMuted { overrule(id) }
            streams[id]?.isMuted = isMuted
            unsettle(id)
        case .linkAppeared(let link): appeared(link)
        case .clientAppeared(let client):
            clients[client.id] = client
            assignStreams(of: client.id)
        case .deviceAppeared(let id, let properties), .sessionObjectAppeared(let id, let properties):
            appeared(id, properties)
        case .disappeared(let id): return Change(removed: id, ended: disappeared(id))
        case .barrier(.question(let number)): return Change(answered: number)
        default: break
        }
        return Change()
    }

    private mutating func unsettle(_ id: ObjectID) {
        guard let stream = streams[id] else { return }
        unsettled.insert(id)
        if stream.written != nil { haveOrdersChanged = true }
    }

    private mutating func noteStop(_ id: ObjectID, isRunning: Bool) {
        guard let stream = streams[id], stream.isRunning != isRunning else { return }
        if isRunning, stream.isStoppedByProgram { overrule(id) }
        streams[id]?.isStoppedByProgram = !isRunning && stream.linkCount > 0
    }

    /// Notes a change by the user. Before a stream is linked, the session manager restores its
    /// volume and mute.
    private mutating func overrule(_ id: ObjectID) {
        if scope.followsSession, let stream = streams[id], stream.linkCount > 0 { overruled.insert(id) }
    }

    /// Returns whether the user overruled the silence of the session since the last call.
    mutating func takeOverruled() -> Bool {
        defer { overruled = [] }
        return overruled.contains { id in streams[id].map { kind(of: $0) == .included } ?? false }
    }

    private mutating func appeared(_ node: Node) -> [GraphCommand] {
        guard node.mediaClass == .playbackStream || node.mediaClass == .sink else { return [] }
        // A node without a client is the daemon's own, or one that lingers.
        let owner = node.clientID.map(clients.process(of:)) ?? ObjectAccounts.unknownCreator
        guard nodes.admit(node.id, of: owner, for: node.clientID) else { return [] }
        guard node.mediaClass == .playbackStream else { return [.bind(node.id, .node)] }
        forget(node.id)
        let serial = node.properties[.objectSerial] ?? ""
        streams[node.id] = Stream(serial: serial, isInherited: inherited[node.id]?.serial == serial)
        if !serial.isEmpty { serials[serial] = node.id }
        return [.bind(node.id, .node), .watchMute(node.id)]
    }

    private mutating func learn(_ node: Node) {
        if node.isForRoles, !isSandboxed(node.clientID) { roles.insert(node.id) }
        assign(node.id, node)
    }

    private mutating func appeared(_ link: Link) {
        guard let stream = streams[link.outputNode], links[link.id] == nil else { return }
        // Each stream may have some links beyond the limit, so that those of others do not hide
        // whether it is linked.
        guard links.count < GraphLimits.links || stream.linkCount < GraphLimits.linksOfOneNode else { return }
        if stream.linkCount == 0 { streams[link.outputNode]?.isStale = true }
        streams[link.outputNode]?.linkCount += 1
        links[link.id] = link.outputNode
        unsettle(link.outputNode)
    }

    private mutating func appeared(_ id: ObjectID, _ properties: Properties) {
        if properties.announces(.token) {
            guard let client = properties.objectID(.clientID), let number = clients[client]?.processID else { return }
            let owner = clients.process(of: client)
            guard tokens[id] == nil, tokenAccounts.admit(id, of: owner) else { return }
            tokens[id] = number
            countToken(of: number, 1)
        } else if marks.appeared(id, properties, clients) {
            if let serial = marks.serial(mutedBy: id) {
                if let stream = serials[serial] { unsettled.insert(stream) }
            } else {
                isAllUnsettled = true
            }
        }
    }

    /// Requires that all reduced streams are written again, because another client may have written
    /// since, unnoticed.
    mutating func distrustWrites() {
        for id in written where streams[id]?.isReduced == true {
            streams[id]?.isStale = true
            unsettled.insert(id)
        }
    }

    /// Removes a mark. Its owner may have been killed while its last write was in transit: to the
    /// muted stream if it was a ``MutingMark``, else to any stream.
    private mutating func removeMark(_ id: ObjectID) {
        let serial = marks.serial(mutedBy: id)
        guard marks.disappeared(id) else { return }
        if let serial {
            if let stream = serials[serial] { noteLeft(stream) }
        } else {
            for stream in streams.keys { noteLeft(stream) }
        }
    }

    private mutating func noteLeft(_ id: ObjectID) {
        streams[id]?.isStale = true
        streams[id]?.isLeft = true
        unsettled.insert(id)
    }

    /// Counts a token. Only the first and the last one of a process decide about its streams.
    private mutating func countToken(of process: Int, _ change: Int) {
        let former = participants[process]
        participants.add(change, to: process)
        guard (former == nil) != (participants[process] == nil) else { return }
        unsettled.formUnion(owners.streams(ofProcess: process))
    }

    private mutating func disappeared(_ id: ObjectID) -> UnmanagedStream? {
        let ended = streams[id].flatMap { $0.isDucked ? stream(id, $0) : nil }
        forget(id)
        nodes.remove(id)
        if clients.removeValue(forKey: id) != nil { assignStreams(of: id) }
        if let process = tokens.removeValue(forKey: id) {
            tokenAccounts.remove(id)
            countToken(of: process, -1)
        }
        removeMark(id)
        if let stream = links.removeValue(forKey: id) {
            streams[stream]?.linkCount -= 1
            streams[stream]?.isStoppedByProgram = false
        }
        roles.remove(id)
        return ended
    }

    private mutating func forget(_ id: ObjectID) {
        guard let stream = streams[id] else { return }
        streams[id] = nil
        serials[stream.serial] = nil
        owners.remove(id, stream.node?.clientID, stream.process)
        forgetTrace(of: stream.process)
        unsettled.remove(id)
        audible.removeValue(forKey: id)
        hosted.update(id, isHosted: false, isAudible: false)
        mutes[id] = nil
        if written.remove(id) != nil { haveOrdersChanged = true }
        unsettled.formUnion(slots.remove(id))
    }

    /// Whether a process has tokens, so that other programs leave its streams to its sessions.
    func hasToken(of process: Int) -> Bool { participants[process] != nil }

    /// Whether a session manager ducks streams by their roles itself.
    var hasRolePolicy: Bool { !roles.isEmpty }

    func isSandboxed(_ client: ObjectID?) -> Bool { client.flatMap { clients[$0] }?.isSandboxed ?? false }

    // MARK: Owners of streams

    /// Returns the program whose share of the slots a stream takes. pipewire-pulse is one process
    /// with a client for each connection of a program, and the program chooses the process ID that
    /// it reports, so its streams take the share of the client.
    func slotOwner(of stream: Stream) -> TokenOwner.Process {
        guard let node = stream.node, let client = node.clientID else { return .client(ObjectID(0)) }
        return node.isOfPulse ? .client(client) : clients.process(of: client)
    }

    private mutating func assignStreams(of client: ObjectID) {
        for id in owners.streams(of: client) { if let node = streams[id]?.node { assign(id, node) } }
    }

    /// Sets the node of a stream, and the process that it belongs to by its properties and client.
    private mutating func assign(_ id: ObjectID, _ node: Node) {
        guard let former = streams[id] else { return }
        let process = node.process(node.clientID.flatMap { clients[$0] })
        streams[id]?.node = node
        streams[id]?.process = process
        owners.remove(id, former.node?.clientID, former.process)
        owners.insert(id, node.clientID, process)
        forgetTrace(of: former.process)
        unsettle(id)
    }

    /// Discards the trace of a process without streams, because another process may get its number.
    private mutating func forgetTrace(of process: StreamProcess?) {
        if let process, owners.streams(of: process).isEmpty { programs[process] = nil }
    }

    enum Kind: Sendable {
        case included, excepted, unknown
        /// The program has a session, another program hosts it, or it is no playback stream. Of
        /// the streams of this process: the library renders it.
        case none
    }

    func kind(of stream: Stream) -> Kind {
        if case .attached(let process) = scope { return stream.isAttached(to: process) ? .included : .none }
        guard stream.isUnmanaged(participants) else { return .none }
        guard scope.needsPrograms || marks.hasHosts else { return .included }
        let trace: ProgramTrace? =
            if let process = stream.process { programs[process] } else { ProgramTrace(lineage: []) }
        guard let program = trace else { return .unknown }
        switch scope {
        case .others: if marks.haveHost(among: program.lineage) { return .none }
        case .hosted(let process): if marks.haveHost(among: program.ancestors(below: process)) { return .none }
        case .attached: return .none
        }
        return scope.includes(program, named: names(of: stream)) ? .included : .excepted
    }

    private func names(of stream: Stream) -> [String] {
        stream.node.map { $0.programNames($0.clientID.flatMap { clients[$0] }) } ?? []
    }

    /// Whether the stream is never muted. This applies to screen readers, notifications and
    /// production audio.
    func isSpared(_ stream: Stream) -> Bool {
        let role = stream.node?.properties[.mediaRole] ?? ""
        return ["Accessibility", "Notification", "Production"].contains(role)
            || names(of: stream).contains {
                $0.lowercased().hasPrefix("speech-dispatcher") || $0.lowercased() == "orca"
            }
    }

    mutating func learn(_ traces: [StreamProcess: ProgramTrace]) {
        for (process, trace) in traces {
            let streams = owners.streams(of: process)
            guard !streams.isEmpty else { continue }
            programs[process] = trace
            unsettled.formUnion(streams)
        }
    }

    func stream(_ id: ObjectID, _ stream: Stream) -> UnmanagedStream {
        let properties = stream.node?.properties ?? [:]
        let client = stream.node?.clientID.flatMap { clients[$0] }
        return UnmanagedStream(
            name: properties[.applicationName] ?? client?.applicationName ?? stream.node?.name ?? "",
            processID: stream.process?.id, id: id)
    }
}

extension Node {
    /// Whether the node is a sink for a role. WirePlumber 0.5 marks the sinks of its roles, and 0.4
    /// the equivalent ones of its endpoints. None of these lingers; see ``isRoleTarget``.
    fileprivate var isForRoles: Bool {
        isRoleTarget || mediaClass == .sink && properties.flag(.isEndpoint) && !properties.flag(.objectLinger)
    }
}
