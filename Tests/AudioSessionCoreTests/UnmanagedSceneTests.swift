import Testing

@testable import AudioSessionCore

/// The streams that are evaluated after an event.
@Suite struct UnmanagedSceneTests {
    private let first = ObjectID(40)
    private let second = ObjectID(41)

    private func client(_ id: UInt32, access: String? = nil) -> GraphEvent {
        .clientAppeared(Client(id: ObjectID(id), processID: Int(id) * 10, access: access))
    }

    private func stream(_ id: ObjectID, client: UInt32) -> [GraphEvent] {
        let properties: Properties = [
            .mediaClass: "Stream/Output/Audio", .clientID: String(client), .objectSerial: "\(id)",
        ]
        let node = Node(id: id, properties: properties)
        return [.nodeAppeared(node), .nodeProperties(id, properties), .nodeVolumes(id, [1])]
    }

    private func appears(_ announcement: Announcement, _ id: UInt32, client: UInt32) -> GraphEvent {
        var properties = announcement.properties()
        properties[.clientID] = String(client)
        return .deviceAppeared(ObjectID(id), properties)
    }

    private func token(_ id: UInt32, client: UInt32) -> GraphEvent {
        appears(Announcement(.token, name: "token", payload: "1"), id, client: client)
    }

    private struct World {
        var scene = UnmanagedScene(.allOthers)
        let aim = UnmanagedScene.Aim(gain: 200, isForAll: true)

        mutating func settle() -> [UnmanagedStreams.Action] { scene.settle(aim) }

        /// The gains that were written to the streams.
        var gains: [ObjectID: UInt16] { scene.streams.compactMapValues { $0.written?.gain } }

        /// The streams that are evaluated after these events.
        mutating func concerned(_ events: GraphEvent...) -> Set<ObjectID> {
            for event in events { _ = scene.receive(event) }
            let concerned = scene.isAllUnsettled ? Set(scene.streams.keys) : scene.unsettled
            _ = settle()
            return concerned
        }
    }

    /// Two ducked streams of two programs, and a third program and a sandboxed one without streams.
    private func makeWorld() -> World {
        var world = World()
        let clients = [client(20), client(21), client(22), client(23, access: "flatpak")]
        for event in clients + stream(first, client: 20) + stream(second, client: 21) {
            _ = world.scene.receive(event)
        }
        #expect(world.settle().count == 4)
        return world
    }

    @Test func aTokenConcernsTheStreamsOfItsProcess() {
        var world = makeWorld()
        #expect(world.concerned(token(50, client: 22), token(51, client: 22)) == [])
        #expect(world.concerned(token(52, client: 20)) == [first])
        #expect(world.concerned(token(53, client: 20), .disappeared(ObjectID(52))) == [], "one is left")
        #expect(world.concerned(.disappeared(ObjectID(53))) == [first])
        #expect(world.concerned(.disappeared(ObjectID(50)), .disappeared(ObjectID(51))) == [])
    }

    @Test func anEventOfAStreamConcernsIt() {
        var world = makeWorld()
        for event: GraphEvent in [
            .nodeState(first, .running), .nodeMuted(first, true), .nodeVolumes(first, [0.5]),
            .linkAppeared(Link(id: ObjectID(60), outputNode: first, inputNode: ObjectID(61))), client(20),
        ] { #expect(world.concerned(event) == [first], "\(event)") }
        for event: GraphEvent in [
            .nodeState(ObjectID(70), .running), client(24), .disappeared(first),
            .deviceAppeared(ObjectID(71), [.mediaClass: "Audio/Device"]),
        ] { #expect(world.concerned(event) == [], "\(event)") }
    }

    /// Streams of any program begin and stop at any rate while all are muted.
    @Test func aMuteConcernsItsStream() {
        var world = makeWorld()
        func concerned(_ muted: Set<ObjectID>, gain: UInt16 = 200) -> Set<ObjectID> {
            var aim = world.aim
            (aim.muted, aim.gain) = (muted, gain)
            world.scene.take(aim)
            let unsettled = world.scene.isAllUnsettled ? Set(world.scene.streams.keys) : world.scene.unsettled
            let actions = world.scene.settle(aim)
            #expect(actions.count == unsettled.count)
            return unsettled
        }
        #expect(concerned([first]) == [first])
        #expect(concerned([first]) == [])
        #expect(concerned([second]) == [first, second])
        #expect(concerned([]) == [second])
        #expect(concerned([], gain: 100) == [first, second])
    }

    @Test func aMarkConcernsAllStreamsIfItCounts() {
        var world = makeWorld()
        let ducking = DuckingMark(name: "other", gain: 100).announcement
        #expect(world.concerned(appears(ducking, 50, client: 22)) == [first, second])
        #expect(world.concerned(.disappeared(ObjectID(50))) == [first, second])
        #expect(world.concerned(appears(ducking, 50, client: 23), .disappeared(ObjectID(50))) == [])
        let hosting = HostingMark(name: "other", process: 220).announcement
        #expect(world.concerned(appears(hosting, 50, client: 21), .disappeared(ObjectID(50))) == [])
        #expect(world.concerned(appears(hosting, 50, client: 22)) == [first, second])
    }

    /// A program that ends may have muted a hundred streams, each with a mark.
    @Test func aMarkThatMutesConcernsItsStream() {
        var world = makeWorld()
        let muting = MutingMark(name: "other", serial: "\(first)").announcement
        let unknown = MutingMark(name: "other", serial: "4711").announcement
        #expect(world.concerned(appears(muting, 50, client: 22), appears(muting, 51, client: 22)) == [first])
        #expect(world.concerned(appears(unknown, 52, client: 22), .disappeared(ObjectID(52))) == [])
        #expect(world.gains == [first: 0, second: 200])
        #expect(world.concerned(.disappeared(ObjectID(50))) == [first])
        #expect(world.gains == [first: 0, second: 200], "another mark mutes it")
        #expect(world.concerned(.disappeared(ObjectID(51))) == [first])
        #expect(world.gains == [first: 200, second: 200])
        #expect(world.concerned(.disappeared(first), appears(muting, 53, client: 22)) == [])
    }

    @Test func theDeepestGainOfOthersFollowsTheirMarks() {
        var marks = ProgramMarks(own: "own")
        func appear(_ id: UInt32, _ mark: Announcement) { marks.appeared(ObjectID(id), mark.properties(), [:]) }
        appear(50, DuckingMark(name: "own", gain: 50).announcement)
        appear(51, DuckingMark(name: "one", gain: 100).announcement)
        appear(52, DuckingMark(name: "two", gain: 100).announcement)
        appear(53, DuckingMark(name: "three", gain: 300).announcement)
        appear(54, DuckingMark(name: "four").announcement)
        appear(55, MutingMark(name: "own", serial: "7").announcement)
        #expect(marks.gainOfOthers == 100)
        #expect(!marks.areOthersMuting("7"))
        appear(56, MutingMark(name: "one", serial: "7").announcement)
        #expect(marks.areOthersMuting("7"))
        marks.disappeared(ObjectID(51))
        #expect(marks.gainOfOthers == 100)
        marks.disappeared(ObjectID(52))
        #expect(marks.gainOfOthers == TokenTraits.defaultDuckedGain)
        marks.disappeared(ObjectID(54))
        #expect(marks.gainOfOthers == 300)
        marks.disappeared(ObjectID(53))
        #expect(marks.gainOfOthers == nil)
    }

    @Test func theEndOfADuckedStreamMakesRoomForAnother() {
        var world = makeWorld()
        for number in 100..<UInt32(100 + UnmanagedStreams.limit) {
            for event in stream(ObjectID(number), client: 22) { _ = world.scene.receive(event) }
        }
        _ = world.settle()
        #expect(world.scene.ducked.count == UnmanagedStreams.limit)
        _ = world.scene.receive(.disappeared(first))
        _ = world.settle()
        #expect(world.scene.ducked.count == UnmanagedStreams.limit)
        #expect(world.concerned(token(50, client: 23)) == [], "the limit is reached again")
    }

    @Test func theNodesOfOneProcessAreLimited() {
        var scene = UnmanagedScene(.allOthers)
        func sink(_ id: UInt32, client: String?) -> GraphEvent {
            var properties: Properties = [.mediaClass: "Audio/Sink"]
            properties[.clientID] = client
            return .nodeAppeared(Node(id: ObjectID(id), properties: properties))
        }
        var bound = 0
        for id in 1000..<UInt32(3000) { bound += scene.receive(sink(id, client: "20")).commands.count }
        #expect(bound == GraphLimits.nodesOfOneProcess)
        #expect(scene.receive(sink(50, client: "21")).commands == [.bind(ObjectID(50), .node)])
        _ = scene.receive(.disappeared(ObjectID(1000)))
        #expect(scene.receive(sink(51, client: "20")).commands == [.bind(ObjectID(51), .node)])
        bound = 0
        for id in 4000..<UInt32(6000) { bound += scene.receive(sink(id, client: nil)).commands.count }
        #expect(bound == GraphLimits.nodesOfOneProcess, "those whose creator is unknown share one limit")
    }

    /// The clients of pipewire-pulse are the connections of one process.
    @Test func eachClientOfAProcessHasRoomForSomeNodes() {
        var scene = UnmanagedScene(.allOthers)
        func bind(_ ids: Range<UInt32>, of client: UInt32) -> Int {
            _ = scene.receive(.clientAppeared(Client(id: ObjectID(client), processID: 700)))
            let properties: Properties = [.mediaClass: "Audio/Sink", .clientID: "\(client)"]
            return ids.reduce(0) { count, id in
                count + scene.receive(.nodeAppeared(Node(id: ObjectID(id), properties: properties))).commands.count
            }
        }
        #expect(bind(1000..<3000, of: 20) == GraphLimits.nodesOfOneProcess)
        #expect(bind(4000..<4020, of: 21) == 8)
    }

    @Test func linksAreLimitedAndEachStreamHasRoomForSome() {
        var world = makeWorld()
        for id in UInt32(1000)..<101_000 {
            let link = Link(id: ObjectID(id), outputNode: first, inputNode: ObjectID(61))
            _ = world.scene.receive(.linkAppeared(link))
        }
        #expect(world.scene.streams[first]?.linkCount == GraphLimits.links)
        for id in UInt32(60)..<80 {
            let link = Link(id: ObjectID(id), outputNode: second, inputNode: ObjectID(30))
            _ = world.scene.receive(.linkAppeared(link))
        }
        #expect(world.scene.streams[second]?.linkCount == 8)
        for id in UInt32(60)..<80 { _ = world.scene.receive(.disappeared(ObjectID(id))) }
        #expect(world.scene.streams[second]?.linkCount == 0)
    }

    @Test func theMarksOfOneProcessAreLimited() {
        var marks = ProgramMarks()
        let (host, other) = (ObjectID(20), ObjectID(21))
        let clients = [host: Client(id: host, processID: 200), other: Client(id: other, processID: 210)]
        func properties(_ mark: Announcement, _ client: ObjectID) -> Properties {
            var properties = mark.properties()
            properties[.clientID] = "\(client)"
            return properties
        }
        let hosting = properties(HostingMark(name: "host", process: 200).announcement, host)
        let ducking = properties(DuckingMark(name: "other", gain: 100).announcement, other)
        let ids = (1000..<1300).map { ObjectID($0) }
        var added: [ObjectID] = []
        for id in ids where marks.appeared(id, hosting, clients) { added.append(id) }
        #expect(added == Array(ids.prefix(256)))
        #expect(marks.appeared(ObjectID(2000), ducking, clients) == true)
        #expect(marks.hosts == [200])
        #expect(marks.gainOfOthers == 100)
        for id in ids { marks.disappeared(id) }
        #expect(marks.hosts == [])
    }
}
