import AudioSessionCore
import Testing

/// Links of other programs are kept up to a limit, which does not hide the sink of a stream.
@Suite struct LinkLimitsTests {
    private let client = Client(id: ObjectID(20), processID: 200, serial: 20)
    private let sink = ObjectID(41)
    private let stream = ObjectID(42)

    /// A registry before the end of the initial sync, with the client of the honest nodes.
    private func makeRegistry() -> RegistryStateMachine {
        var registry = RegistryStateMachine()
        _ = registry.receive(.clientAppeared(client))
        return registry
    }

    private func synchronize(_ registry: inout RegistryStateMachine) {
        for round in 1...3 { _ = registry.receive(.barrier(.initial(round: round))) }
        #expect(registry.isSynchronized)
    }

    private func add(_ id: ObjectID, _ mediaClass: String, to registry: inout RegistryStateMachine) {
        _ = registry.receive(
            .nodeProperties(id, [.mediaClass: mediaClass, .clientID: "\(client.id)", .nodeName: "node \(id)"]))
    }

    private func addHonestNodes(to registry: inout RegistryStateMachine) {
        add(sink, "Audio/Sink", to: &registry)
        add(stream, "Stream/Output/Audio", to: &registry)
    }

    /// Adds links between nodes that are not known, in the name of the honest client.
    private func flood(_ registry: inout RegistryStateMachine, _ count: UInt32 = 100_000) {
        for number in 0..<count {
            let link = Link(
                id: ObjectID(1_000_000 + number), outputNode: ObjectID(500), inputNode: ObjectID(501),
                client: client.id)
            _ = registry.receive(.linkAppeared(link))
        }
    }

    private func link(
        _ ids: Range<UInt32>, from output: ObjectID, to input: ObjectID, _ registry: inout RegistryStateMachine
    ) {
        for id in ids {
            _ = registry.receive(.linkAppeared(Link(id: ObjectID(id), outputNode: output, inputNode: input)))
        }
    }

    private func sinks(in registry: RegistryStateMachine, of stream: ObjectID) -> Set<ObjectID> {
        Set(registry.graph.links(from: [stream]).values.map(\.inputNode))
    }

    @Test func linksAreLimited() {
        var registry = makeRegistry()
        synchronize(&registry)
        flood(&registry)
        #expect(registry.graph.links.count == 4096 && registry.refusedCount == 95_904)
        #expect(registry.apply(.linkAppeared(Link(id: ObjectID(60), outputNode: stream, inputNode: sink))) == nil)
        for number in UInt32(0)..<100_000 { _ = registry.receive(.disappeared(ObjectID(1_000_000 + number))) }
        #expect(registry.graph.links.count == 0)
        link(60..<62, from: stream, to: sink, &registry)
        #expect(sinks(in: registry, of: stream) == [sink], "there is room again")
    }

    /// The sink is linked to many other nodes too.
    @Test func aStreamsSinkIsKnownBesideAnyNumberOfLinks() {
        var registry = makeRegistry()
        addHonestNodes(to: &registry)
        synchronize(&registry)
        link(10_000..<12_000, from: ObjectID(500), to: sink, &registry)
        flood(&registry)
        link(60..<62, from: stream, to: sink, &registry)
        #expect(registry.graph.links.count == 4098)
        #expect(sinks(in: registry, of: stream) == [sink])
        for id: UInt32 in [60, 61] { _ = registry.receive(.disappeared(ObjectID(id))) }
        #expect(sinks(in: registry, of: stream).isEmpty)
        link(70..<134, from: stream, to: sink, &registry)
        #expect(registry.graph.links.count == 4104, "eight of 64 channels")
        #expect(sinks(in: registry, of: stream) == [sink])
    }

    /// The links of the initial sync arrive before the properties of their nodes.
    @Test func aStreamsSinkIsKnownAfterAnInitialSyncWithManyLinks() {
        var registry = makeRegistry()
        flood(&registry)
        // A node may have few links and be none that is limited.
        for number in UInt32(0)..<10_000 {
            link((200_000 + number)..<(200_001 + number), from: ObjectID(20_000 + number), to: sink, &registry)
        }
        link(60..<62, from: stream, to: sink, &registry)
        addHonestNodes(to: &registry)
        synchronize(&registry)
        #expect(sinks(in: registry, of: stream) == [sink])
        link(300_000..<400_000, from: ObjectID(502), to: ObjectID(503), &registry)
        #expect(registry.graph.links.count == 14_098)
    }

    @Test func nodesWithFewLinksAreNoWayAroundTheLimit() {
        var registry = makeRegistry()
        for number in UInt32(0)..<100_000 {
            link((200_000 + number)..<(200_001 + number), from: ObjectID(20_000 + number), to: sink, &registry)
        }
        #expect(registry.graph.links.count == 36_864)
        synchronize(&registry)
        for number in UInt32(0)..<2000 { add(ObjectID(500_000 + number), "Stream/Output/Audio", to: &registry) }
        for number in UInt32(0)..<2000 {
            let id = 600_000 + 20 * number
            link(id..<(id + 20), from: ObjectID(500_000 + number), to: sink, &registry)
        }
        #expect(registry.graph.links.count == 36_864 + 8 * 1024, "a process has 1024 nodes")
    }

    /// The client of a link may be any.
    @Test func refusedLinksHaveNoVoteInTheElection() {
        let impostor = Client(id: ObjectID(30), processID: 300, serial: 30)
        var registry = makeRegistry()
        _ = registry.receive(.clientAppeared(impostor))
        for (id, owner) in [(50, client), (51, impostor)] {
            _ = registry.receive(
                .metadataAppeared(
                    ObjectID(UInt32(id)),
                    [.metadataName: "default", .clientID: "\(owner.id)", .objectSerial: "\(id)"]))
        }
        synchronize(&registry)
        flood(&registry, 4096)
        for id in UInt32(60)..<5000 {
            _ = registry.receive(
                .linkAppeared(
                    Link(
                        id: ObjectID(id), outputNode: ObjectID(500), inputNode: ObjectID(501), client: impostor.id)))
        }
        #expect(registry.graph.sessionManager == client.id)
    }
}
