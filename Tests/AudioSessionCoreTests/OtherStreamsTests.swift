import SessionStories
import Testing

@testable import AudioSessionCore

/// The streams of other programs that count as other audio.
@Suite struct OtherStreamsTests {
    private static let start = MonotonicTime(nanoseconds: 1_000_000_000)
    private static let own = ObjectID(1)
    private static let player = TokenOwner(client: ObjectID(20), processID: 200)
    private static let other = TokenOwner(client: ObjectID(21), processID: 210)

    private struct World {
        var graph = AudioGraph()
        var sessions = ArbitrationStateMachine()
        var streams = OtherStreams()
        var now = OtherStreamsTests.start

        init() {
            let owner = TokenOwner(client: OtherStreamsTests.own, processID: 100)
            for owner in [owner, OtherStreamsTests.player, OtherStreamsTests.other] {
                graph.clients[owner.client] = Client(id: owner.client, processID: owner.processID)
            }
            _ = sessions.receive(.connected(cookie: 1, owner: owner), now: now)
        }

        mutating func play(_ id: ObjectID, _ properties: Properties) {
            var properties = properties
            properties[.mediaClass] = "Stream/Output/Audio"
            graph.nodes[id] = Node(id: id, properties: properties)
            graph.runningNodes.insert(id)
            streams.update(id, graph, own: OtherStreamsTests.own)
        }

        mutating func stop(_ id: ObjectID) {
            graph.runningNodes.remove(id)
            streams.update(id, graph, own: OtherStreamsTests.own)
        }

        mutating func appear(_ token: ObjectID, of owner: TokenOwner) {
            let serial = UInt64(token.rawValue)
            let contents = TokenContents(
                name: TokenName(BoardStage.session(Int(serial)), 1), traits: TokenTraits(isMixable: true))
            _ = sessions.receive(.token(serial, contents, of: owner), now: now)
        }

        mutating func disappear(_ token: ObjectID) { _ = sessions.receive(.vanished(token), now: now) }

        /// Whether other streams play, which must be what a program finds that starts now.
        mutating func arePlaying() -> Bool {
            _ = streams.evaluate(sessions, now: now)
            var late = OtherStreams()
            late.update(graph, own: OtherStreamsTests.own)
            _ = late.evaluate(sessions, now: now)
            #expect(late.arePlaying == streams.arePlaying)
            return streams.arePlaying
        }

        /// The processes without sessions that have streams.
        var processes: Set<Int> {
            let found = OtherStreams.processes(in: graph, own: OtherStreamsTests.own, sessions, now: now)
            return Set(found.keys.compactMap(\.id))
        }
    }

    @Test func aRunningStreamOfAnotherProcessCounts() {
        var world = World()
        #expect(world.arePlaying() == false)
        world.play(ObjectID(40), [.clientID: "20"])
        world.play(ObjectID(41), [.clientID: "20"])
        #expect(world.arePlaying() == true)
        world.stop(ObjectID(40))
        #expect(world.arePlaying() == true)
        world.stop(ObjectID(41))
        #expect(world.arePlaying() == false)
        #expect(world.processes == [200], "a stopped stream is one of a program too")
        // PipeWire does not know its process.
        world.play(ObjectID(42), [.clientID: "30"])
        #expect(world.arePlaying() == true)
        #expect(world.processes == [200])
    }

    @Test func noStreamOfThisProcessCounts() {
        var world = World()
        world.play(ObjectID(40), [.clientID: "1"])
        world.graph.clients[ObjectID(2)] = Client(id: ObjectID(2), processID: 100)
        world.play(ObjectID(41), [.clientID: "2"])
        world.play(ObjectID(42), [.clientID: "20", .clientAPI: "pipewire-pulse", .applicationProcessID: "100"])
        #expect(world.arePlaying() == false)
        #expect(world.processes == [])
    }

    /// A filter runs also if only this process plays to its sink.
    @Test func noStreamOfAFilterCounts() {
        var world = World()
        world.play(ObjectID(40), [.nodeLinkGroup: "filter-chain-2-1"])
        world.play(ObjectID(41), [.clientID: "20", .nodeLinkGroup: "loopback-3-1"])
        #expect(world.arePlaying() == false)
        #expect(world.processes == [])
        world.play(ObjectID(42), [.clientID: "20"])
        #expect(world.arePlaying() == true)
    }

    @Test func streamsOfProgramsWithSessionsDoNotCountUntilASecondAfterThese() {
        var world = World()
        world.play(ObjectID(40), [.clientID: "20"])
        world.appear(ObjectID(50), of: Self.player)
        world.appear(ObjectID(51), of: Self.player)
        #expect(world.arePlaying() == false)
        world.disappear(ObjectID(50))
        #expect(world.streams.evaluate(world.sessions, now: world.now) == nil, "one session is left")
        world.disappear(ObjectID(51))
        #expect(world.arePlaying() == false)
        #expect(world.processes == [])
        let end = world.streams.evaluate(world.sessions, now: world.now)
        #expect(end == Self.start + .seconds(1))
        world.now = Self.start + .seconds(1)
        #expect(world.arePlaying() == true)
        #expect(world.processes == [200])
        #expect(world.streams.evaluate(world.sessions, now: world.now) == nil)
    }

    @Test func anotherStreamDecidesWhenTheFirstEndsOrGetsASession() {
        var world = World()
        world.play(ObjectID(40), [.clientID: "20"])
        #expect(world.arePlaying() == true)
        world.play(ObjectID(41), [.clientID: "21"])
        world.appear(ObjectID(50), of: Self.player)
        #expect(world.arePlaying() == true)
        world.appear(ObjectID(51), of: Self.other)
        #expect(world.arePlaying() == false)
        world.play(ObjectID(42), [.clientID: "20", .clientAPI: "pipewire-pulse", .applicationProcessID: "300"])
        #expect(world.arePlaying() == true, "the process that pipewire-pulse reports has no session")
        world.stop(ObjectID(42))
        #expect(world.arePlaying() == false)
    }

    /// A node may name a device that is not known yet.
    @Test func aStreamThatWaitedForADeviceIsReported() {
        var registry = RegistryStateMachine()
        let device: Properties = [.mediaClass: Device.mediaClass]
        let stream: Properties = [.mediaClass: "Stream/Output/Audio", .clientID: "20", .deviceID: "60"]
        let sink: Properties = [.mediaClass: "Audio/Sink", .clientID: "20", .deviceID: "60"]
        _ = registry.apply(.deviceAppeared(ObjectID(60), device))
        _ = registry.apply(.nodeProperties(ObjectID(40), stream))
        _ = registry.apply(.nodeProperties(ObjectID(41), sink))
        _ = registry.apply(.nodeState(ObjectID(40), .running))
        #expect(!registry.graph.nodes.contains(ObjectID(40)))
        let held = registry
        for event: GraphEvent in [.barrier(.device(ObjectID(60))), .disappeared(ObjectID(60))] {
            registry = held
            let change = registry.apply(event)
            #expect(change?.effects.contains(.streams) == true)
            #expect(change?.heldStreams == [ObjectID(40)], "no other stream has to be read")
            #expect(registry.graph.nodes.contains(ObjectID(40)))
            var streams = OtherStreams()
            if let change { streams.update(after: change, registry.graph, own: Self.own) }
            _ = streams.evaluate(ArbitrationStateMachine(), now: Self.start)
            #expect(streams.arePlaying)
            #expect(registry.apply(.nodeState(ObjectID(40), .idle))?.heldStreams == [])
        }
    }
}
