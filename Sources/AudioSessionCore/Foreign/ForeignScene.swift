/// What ``ForeignStreams`` knows of PipeWire's objects, and what was written to streams.
struct ForeignScene: Sendable {
    private var streams: [ObjectID: Stream] = [:]
    private var clients: [ObjectID: Client] = [:]
    /// The clients of tokens, by token.
    private var participants: [ObjectID: ObjectID?] = [:]
    private var marks: [ObjectID: (mark: DuckingMark, client: ObjectID?)] = [:]
    private var links: [ObjectID: ObjectID] = [:]
    /// What a session manager plays the streams of one role through.
    private var roles: Set<ObjectID> = []

    fileprivate struct Stream: Sendable {
        /// `nil` until all its properties are known.
        var node: Node?
        var volumes: [Float] = []
        var isMuted = false
        var written: Written?
        /// Somebody else may have written since, without anybody seeing a difference: session managers put a stream's own
        /// volumes back when it starts.
        var isStale = false

        var isLowered: Bool { written.map { $0.gain < TokenTraits.fullGain } ?? false }
    }

    fileprivate struct Written: Sendable, Hashable {
        var gain: UInt16
        var volumes: [Float]
        var isMuted: Bool
    }

    private static let mostOfAKind = 4096

    // MARK: What there is

    /// What is to be asked, and which lowered stream has ended by this.
    mutating func receive(_ event: GraphEvent) -> (commands: [GraphCommand], ended: [ForeignStream]) {
        switch event {
        case .nodeAppeared(let node): return (appeared(node), [])
        case .nodeProperties(let id, let properties):
            let node = Node(id: id, properties: properties)
            if streams[id] != nil { streams[id]?.node = node }
            if node.isForRoles { roles.insert(id) }
        case .nodeState(let id, .running): streams[id]?.isStale = true
        case .nodeVolumes(let id, let volumes): streams[id]?.volumes = volumes
        case .nodeMuted(let id, let isMuted): streams[id]?.isMuted = isMuted
        case .linkAppeared(let link):
            guard streams[link.outputNode] != nil else { break }
            if !links.values.contains(link.outputNode) { streams[link.outputNode]?.isStale = true }
            links[link.id] = link.outputNode
        case .clientAppeared(let client): clients[client.id] = client
        case .deviceAppeared(let id, let properties): appeared(id, properties)
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
        let client = properties.objectID(.clientID)
        if properties[.deviceAPI] == TokenContents.deviceAPI, participants.count < Self.mostOfAKind {
            participants[id] = .some(client)
        } else if let mark = DuckingMark(properties), marks.count < Self.mostOfAKind {
            marks[id] = (mark, client)
        }
    }

    private mutating func disappeared(_ id: ObjectID) -> [ForeignStream] {
        let ended = streams[id].flatMap { $0.isLowered ? stream(id, $0) : nil }
        // Its owner may have been killed while what it wrote was on its way.
        if marks[id] != nil { for stream in streams.keys { streams[stream]?.isStale = true } }
        streams[id] = nil
        clients[id] = nil
        participants[id] = nil
        marks[id] = nil
        links[id] = nil
        roles.remove(id)
        return ended.map { [$0] } ?? []
    }

    /// Whether a session manager lowers streams by their roles itself.
    var hasRolePolicy: Bool { !roles.isEmpty }

    func isSandboxed(_ client: ObjectID?) -> Bool { client.flatMap { clients[$0] }?.isSandboxed ?? false }

    /// The deepest of others; `nil`: nobody else lowers streams. Who may not write to streams lowers none.
    func gain(besides own: DuckingMark?) -> UInt16? {
        marks.values.filter { entry in
            entry.mark.name != own?.name && !isSandboxed(entry.client)
        }.map(\.mark.gain).filter { $0 < TokenTraits.fullGain }.min()
    }

    // MARK: What is written

    /// Makes all streams of programs without sessions as loud as that; `nil`: as loud as they are by themselves.
    ///
    /// - Parameter includesUntouched: also those that we never wrote to, but somebody else who left them to us may have.
    mutating func settle(at gain: UInt16?, includesUntouched: Bool = false) -> [ForeignStreams.Action] {
        let processes = Set(participants.values.compactMap { $0.flatMap { clients[$0]?.processID } })
        var count = streams.values.count(where: \.isLowered)
        return streams.keys.sorted().flatMap { id -> [ForeignStreams.Action] in
            guard var stream = streams[id] else { return [] }
            let wasLowered = stream.isLowered
            let mayBe = stream.isForeign(clients, processes) && (wasLowered || count < ForeignStreams.limit)
            let isTouched = stream.written != nil || includesUntouched && mayBe
            let target = mayBe ? gain ?? TokenTraits.fullGain : TokenTraits.fullGain
            guard isTouched || target < TokenTraits.fullGain, let command = stream.write(target, id) else {
                return []
            }
            streams[id] = stream
            count += (stream.isLowered ? 1 : 0) - (wasLowered ? 1 : 0)
            switch (wasLowered, stream.isLowered) {
            case (false, true):
                let gain = Float(gain ?? TokenTraits.fullGain) / Float(TokenTraits.fullGain)
                return [.graph(command), .tell(.ducked(self.stream(id, stream), gain: gain))]
            case (true, false): return [.graph(command), .tell(.restored(self.stream(id, stream)))]
            default: return [.graph(command)]
            }
        }
    }

    var lowered: [ForeignStream] {
        streams.keys.sorted().compactMap { id in
            streams[id].flatMap { $0.isLowered ? stream(id, $0) : nil }
        }
    }

    /// All that were written to, for what was written last may be on its way.
    var charges: [ForeignStreams.Charge] {
        streams.keys.sorted().compactMap { id in
            guard let stream = streams[id], stream.written != nil else { return nil }
            let serial = stream.node?.properties[.objectSerial] ?? ""
            return .init(id: id, serial: serial, volumes: stream.volumes, isMuted: stream.isMuted)
        }
    }

    private func stream(_ id: ObjectID, _ stream: Stream) -> ForeignStream {
        let properties = stream.node?.properties ?? [:]
        let client = stream.node?.clientID.flatMap { clients[$0] }
        return ForeignStream(
            name: properties[.applicationName] ?? client?.applicationName ?? stream.node?.name ?? "",
            processID: properties.integer(.applicationProcessID) ?? client?.processID, id: id)
    }
}

extension ForeignScene.Stream {
    /// What runs through filters is lowered before it comes there. The role that a program gives to its stream says nothing.
    fileprivate func isForeign(_ clients: [ObjectID: Client], _ participants: Set<Int>) -> Bool {
        guard let node, node.mediaClass == .playbackStream, node.properties[.nodeLinkGroup] == nil, !volumes.isEmpty
        else { return false }
        let processes = [
            node.clientID.flatMap { clients[$0]?.processID }, node.properties.integer(.applicationProcessID),
        ]
        return !processes.contains { $0.map(participants.contains) ?? false }
    }

    /// `nil`: nothing has to be written. What was written once is followed, for it is in the way of the stream's own volumes.
    fileprivate mutating func write(_ gain: UInt16, _ id: ObjectID) -> GraphCommand? {
        let next = ForeignScene.Written(gain: gain, volumes: volumes, isMuted: isMuted)
        guard next != written || isStale else { return nil }
        written = next
        isStale = false
        let factor = Float(gain) / Float(TokenTraits.fullGain)
        return .setSoftVolumes(id, volumes.map { $0 * factor }, isMuted: isMuted)
    }
}

extension Node {
    /// WirePlumber 0.5 marks the sinks of its roles, 0.4 those of its endpoints, which are the same.
    fileprivate var isForRoles: Bool { properties.flag(.roleTarget) || properties.flag(.isEndpoint) }
}
