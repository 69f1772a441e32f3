/// The state of PipeWire's objects for ``UnmanagedStreams``, with the volumes written to streams.
struct UnmanagedScene: Sendable {
    private let scope: UnmanagedScope
    private var streams: [ObjectID: Stream] = [:]
    private var clients: [ObjectID: Client] = [:]
    /// The processes of tokens, by token.
    private var tokens: [ObjectID: Int] = [:]
    /// The number of tokens of each process.
    private var participants: [Int: Int] = [:]
    private var marks: [ObjectID: (mark: DuckingMark, client: ObjectID?)] = [:]
    private var mutingMarks: [ObjectID: (mark: MutingMark, client: ObjectID?)] = [:]
    private var hostingMarks: [ObjectID: (mark: HostingMark, client: ObjectID?)] = [:]
    /// The programs behind streams, as far as they were queried.
    private var programs: [StreamProcess: ProgramTrace] = [:]
    /// The tokens and marks of each process, so that no program takes the capacity of others.
    private var accounts = ObjectAccounts(limit: mostOfAKind, ofOneProcess: 256)
    /// The streams of links, by link.
    private var links: [ObjectID: ObjectID] = [:]
    /// The sinks through which a session manager plays the streams of one role.
    private var roles: Set<ObjectID> = []

    fileprivate struct Stream: Sendable {
        /// The node; `nil` until all its properties are known.
        var node: Node?
        var volumes: [Float] = []
        var isMuted = false
        var isRunning = false
        var linkCount = 0
        var written: Written?
        /// Whether another client may have written volumes since, unnoticed. Session managers
        /// restore a stream's own volumes when it starts.
        var isStale = false
        /// Whether a mark was removed whose owner may have left this stream changed.
        var isLeft = false

        /// Whether this process ducks the stream. Ducking only for another program's mark does not
        /// count.
        var isLowered: Bool { written?.isDucked ?? false }
        var isReduced: Bool { written.map { $0.gain < TokenTraits.fullGain } ?? false }
        var isAudible: Bool { isRunning && !isMuted && volumes.contains { $0 > 0 } }
        var serial: String { node?.properties[.objectSerial] ?? "" }
    }

    init(_ scope: UnmanagedScope) { self.scope = scope }

    fileprivate struct Written: Sendable, Hashable {
        var gain: UInt16
        var volumes: [Float]
        var isMuted: Bool
        var isDucked: Bool
    }

    private static let mostOfAKind = 4096

    // MARK: Objects

    /// Applies an event to the objects.
    /// - Returns: The resulting commands, and the ducked stream that has ended.
    mutating func receive(_ event: GraphEvent) -> (commands: [GraphCommand], ended: [UnmanagedStream]) {
        switch event {
        case .nodeAppeared(let node): return (appeared(node), [])
        case .nodeProperties(let id, let properties):
            let node = Node(id: id, properties: properties)
            if streams[id] != nil { streams[id]?.node = node }
            if node.isForRoles { roles.insert(id) }
        case .nodeState(let id, let state):
            streams[id]?.isRunning = state == .running
            if state == .running { streams[id]?.isStale = true }
        case .nodeVolumes(let id, let volumes): streams[id]?.volumes = volumes
        case .nodeMuted(let id, let isMuted): streams[id]?.isMuted = isMuted
        case .linkAppeared(let link):
            guard let stream = streams[link.outputNode] else { break }
            if stream.linkCount == 0 { streams[link.outputNode]?.isStale = true }
            streams[link.outputNode]?.linkCount += 1
            links[link.id] = link.outputNode
        case .clientAppeared(let client): clients[client.id] = client
        case .deviceAppeared(let id, let properties), .sessionObjectAppeared(let id, let properties):
            appeared(id, properties)
        case .disappeared(let id): return ([], disappeared(id))
        default: break
        }
        return ([], [])
    }

    private mutating func appeared(_ node: Node) -> [GraphCommand] {
        switch node.mediaClass {
        case .playbackStream:
            guard streams.count < Self.mostOfAKind else { return [] }
            streams[node.id] = Stream()
            return [.bind(node.id, .node), .watchMute(node.id)]
        case .sink: return [.bind(node.id, .node)]
        default: return []
        }
    }

    private mutating func appeared(_ id: ObjectID, _ properties: Properties) {
        let isToken = properties.announces(.token)
        guard isToken || properties.announces(.mark) else { return }
        let client = properties.objectID(.clientID)
        let process = client.flatMap { clients[$0]?.processID }
        let owner = client.map { TokenOwner(client: $0, processID: process).process }
        guard accounts.admit(id, of: owner) else { return }
        if isToken {
            guard let process else { return }
            tokens[id] = process
            participants[process, default: 0] += 1
        } else if let mark = DuckingMark(properties) {
            marks[id] = (mark, client)
        } else if let mark = MutingMark(properties) {
            mutingMarks[id] = (mark, client)
        } else if let mark = HostingMark(properties) {
            hostingMarks[id] = (mark, client)
        }
    }

    private mutating func disappeared(_ id: ObjectID) -> [UnmanagedStream] {
        let ended = streams[id].flatMap { $0.isLowered ? stream(id, $0) : nil }
        // The mark's owner may have been killed while its last write was in transit.
        if marks[id] != nil || mutingMarks[id] != nil || hostingMarks[id] != nil {
            for stream in streams.keys {
                streams[stream]?.isStale = true
                streams[stream]?.isLeft = true
            }
        }
        streams[id] = nil
        clients[id] = nil
        accounts.remove(id)
        if let process = tokens.removeValue(forKey: id) {
            participants[process] = participants[process].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
        marks[id] = nil
        mutingMarks[id] = nil
        hostingMarks[id] = nil
        if let stream = links.removeValue(forKey: id) { streams[stream]?.linkCount -= 1 }
        roles.remove(id)
        return ended.map { [$0] } ?? []
    }

    /// Whether a session manager ducks streams by their roles itself.
    var hasRolePolicy: Bool { !roles.isEmpty }

    func isSandboxed(_ client: ObjectID?) -> Bool { client.flatMap { clients[$0] }?.isSandboxed ?? false }

    /// Returns the deepest gain of other programs' marks; `nil` if no other program ducks streams.
    /// Sandboxed programs may not write to streams, so their marks are ignored.
    func gain(besides own: DuckingMark?) -> UInt16? {
        marks.values.filter { entry in
            entry.mark.name != own?.name && !isSandboxed(entry.client)
        }.map(\.mark.gain).filter { $0 < TokenTraits.fullGain }.min()
    }

    /// Returns the serials of the streams that other programs mute. Sandboxed programs may not
    /// write to streams, so their marks are ignored.
    private func mutedSerials(besides own: DuckingMark?) -> Set<String> {
        Set(
            mutingMarks.values.filter { $0.mark.name != own?.name && !isSandboxed($0.client) }.map(\.mark.serial))
    }

    /// The audible streams of the programs in the scope, apart from the volumes written here.
    var audible: [ObjectID: StreamProcess?] {
        let rules = rules
        return streams.filter { $0.value.isAudible && kind(of: $0.value, rules) == .included }
            .mapValues { $0.process(clients) }
    }

    /// Returns the serials of those streams in `ids` that may be muted.
    func serials(_ ids: Set<ObjectID>) -> Set<String> {
        let rules = rules
        return Set(
            ids.compactMap { streams[$0] }.filter { stream in
                !isSpared(stream) && [.included, .unknown].contains(kind(of: stream, rules))
            }.map(\.serial)
        ).subtracting([""])
    }

    // MARK: Owners of streams

    enum Kind: Sendable {
        case included, excepted, unknown
        /// The program has a session, another program hosts it, or it is no playback stream.
        case none
    }

    private struct Rules {
        /// The processes that have sessions.
        var participants: [Int: Int]
        /// The processes that host their descendants, whose streams are left unchanged.
        var hosts: Set<Int>
        var needsPrograms: Bool
    }

    private var rules: Rules {
        var hosts: Set<Int> = []
        if !scope.isHosted {
            for (mark, client) in hostingMarks.values where mark.counts(of: client.flatMap { clients[$0] }) {
                hosts.insert(mark.process)
            }
        }
        return Rules(
            participants: participants, hosts: hosts, needsPrograms: scope.needsPrograms || !hosts.isEmpty)
    }

    private func kind(of stream: Stream, _ rules: Rules) -> Kind {
        guard stream.isUnmanaged(clients, rules.participants) else { return .none }
        guard rules.needsPrograms else { return .included }
        let process = stream.process(clients)
        guard let program = process == nil ? ProgramTrace(lineage: []) : process.flatMap({ programs[$0] }) else {
            return .unknown
        }
        if !rules.hosts.isDisjoint(with: program.lineage) { return .none }
        return scope.includes(program, named: names(of: stream)) ? .included : .excepted
    }

    private func names(of stream: Stream) -> [String] {
        stream.node.map { $0.programNames($0.clientID.flatMap { clients[$0] }) } ?? []
    }

    /// Whether the stream is never muted. This applies to screen readers, notifications and
    /// production audio.
    private func isSpared(_ stream: Stream) -> Bool {
        let role = stream.node?.properties[.mediaRole] ?? ""
        return ["Accessibility", "Notification", "Production"].contains(role)
            || names(of: stream).contains {
                $0.lowercased().hasPrefix("speech-dispatcher") || $0.lowercased() == "orca"
            }
    }

    /// The processes of streams whose programs are needed but not known yet.
    var unknownProcesses: Set<StreamProcess> {
        let rules = rules
        guard rules.needsPrograms else { return [] }
        return Set(
            streams.values.filter { kind(of: $0, rules) == .unknown }.compactMap { $0.process(clients) })
    }

    mutating func learn(_ traces: [StreamProcess: ProgramTrace]) {
        let processes = Set(streams.values.compactMap { $0.process(clients) })
        programs = programs.merging(traces) { $1 }.filter { processes.contains($0.key) }
    }

    // MARK: Writes

    /// The intended state of unmanaged streams.
    struct Aim {
        /// The mark of this process.
        var mark: DuckingMark?
        /// The gain in thousandths; `nil` for the streams' own volumes.
        var gain: UInt16?
        /// The deepest gain of other programs; `nil` if no other program ducks.
        var gainOfOthers: UInt16?
        /// Whether the gain applies to all unmanaged streams, or only to those already written to.
        var isForAll = false
        /// The streams to mute.
        var muted: Set<ObjectID> = []
        /// Whether streams count that this process never wrote to, because another program may have
        /// left them ducked.
        var includesUntouched = false
    }

    mutating func settle(_ aim: Aim) -> [UnmanagedStreams.Action] {
        let rules = rules
        let mutedByOthers = mutedSerials(besides: aim.mark)
        let gain = aim.gain ?? TokenTraits.fullGain
        var count = streams.values.count(where: \.isReduced)
        return streams.keys.sorted().flatMap { id -> [UnmanagedStreams.Action] in
            guard var stream = streams[id] else { return [] }
            let former = stream
            let kind = kind(of: stream, rules)
            guard kind != .unknown else { return [] }
            let mayBe = kind == .included && (former.isReduced || count < UnmanagedStreams.limit)
            let isDucked = mayBe && aim.isForAll && gain < TokenTraits.fullGain
            let isMuted = mayBe && aim.muted.contains(id) && !isSpared(stream)
            // Watchdogs leave all streams, exceptions included, to the programs that still duck.
            let isLeft = kind == .excepted && stream.isLeft && (aim.isForAll || aim.includesUntouched)
            let isTouched = stream.written != nil || aim.includesUntouched && mayBe || isLeft
            guard isTouched || isDucked || isMuted else { return [] }
            let unmuted =
                switch kind {
                case .included where mayBe: gain
                case .excepted: aim.gainOfOthers ?? TokenTraits.fullGain
                case .included, .unknown, .none: TokenTraits.fullGain
                }
            let isSilent = isMuted || (mayBe || kind == .excepted) && mutedByOthers.contains(stream.serial)
            stream.isLeft = false
            guard let command = stream.write(isSilent ? 0 : unmuted, id, isDucked: isDucked) else { return [] }
            streams[id] = stream
            count += (stream.isReduced ? 1 : 0) - (former.isReduced ? 1 : 0)
            switch (former.isLowered, stream.isLowered) {
            case (false, true):
                let gain = Float(gain) / Float(TokenTraits.fullGain)
                return [.graph(command), .notify(.ducked(self.stream(id, stream), gain: gain))]
            case (true, false): return [.graph(command), .notify(.restored(self.stream(id, stream)))]
            default: return [.graph(command)]
            }
        }
    }

    var lowered: [UnmanagedStream] {
        streams.keys.sorted().compactMap { id in
            streams[id].flatMap { $0.isLowered ? stream(id, $0) : nil }
        }
    }

    /// The orders for the watchdog: all streams written to, because the last write may be in
    /// transit.
    var charges: [UnmanagedStreams.Charge] {
        streams.keys.sorted().compactMap { id in
            guard let stream = streams[id], stream.written != nil else { return nil }
            return .init(id: id, serial: stream.serial, volumes: stream.volumes, isMuted: stream.isMuted)
        }
    }

    private func stream(_ id: ObjectID, _ stream: Stream) -> UnmanagedStream {
        let properties = stream.node?.properties ?? [:]
        let client = stream.node?.clientID.flatMap { clients[$0] }
        return UnmanagedStream(
            name: properties[.applicationName] ?? client?.applicationName ?? stream.node?.name ?? "",
            processID: stream.process(clients)?.id, id: id)
    }
}

extension UnmanagedScene.Stream {
    /// Whether the stream is unmanaged. Streams of filters do not count, because they are ducked
    /// before the filter. The stream's own role decides nothing.
    fileprivate func isUnmanaged(_ clients: [ObjectID: Client], _ participants: [Int: Int]) -> Bool {
        guard let node, node.mediaClass == .playbackStream, node.properties[.nodeLinkGroup] == nil, !volumes.isEmpty
        else { return false }
        return process(clients).map { participants[$0.id] == nil } ?? true
    }

    fileprivate func process(_ clients: [ObjectID: Client]) -> StreamProcess? {
        node.flatMap { node in node.process(node.clientID.flatMap { clients[$0] }) }
    }

    /// Returns the command that sets the stream's gain; `nil` if nothing must be written. A stream
    /// written to once is updated from then on, because `softVolumes` replace its own volumes.
    fileprivate mutating func write(_ gain: UInt16, _ id: ObjectID, isDucked: Bool) -> GraphCommand? {
        let next = UnmanagedScene.Written(gain: gain, volumes: volumes, isMuted: isMuted, isDucked: isDucked)
        guard next != written || isStale else { return nil }
        written = next
        isStale = false
        let factor = Float(gain) / Float(TokenTraits.fullGain)
        return .setSoftVolumes(id, volumes.map { $0 * factor }, isMuted: isMuted)
    }
}

extension Node {
    /// Whether the sink is for a role. WirePlumber 0.5 marks the sinks of its roles, and 0.4 the
    /// equivalent ones of its endpoints.
    fileprivate var isForRoles: Bool { properties.flag(.roleTarget) || properties.flag(.isEndpoint) }
}
