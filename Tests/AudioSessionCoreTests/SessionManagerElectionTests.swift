import AudioSessionCore
import Testing

/// Which metadata object named `default` counts when several programs create one.
@Suite struct SessionManagerElectionTests {
    private let manager = Client(id: ObjectID(31), processID: 100, access: "unrestricted", serial: 31)
    private let impostor = Client(id: ObjectID(40), processID: 200, access: "unrestricted", serial: 40)

    private func metadata(_ id: UInt32, of client: Client) -> GraphEvent {
        .metadataAppeared(
            ObjectID(id),
            [.metadataName: "default", .clientID: "\(client.id.rawValue)", .objectSerial: "\(id)"])
    }

    private func device(_ id: UInt32, of client: Client) -> GraphEvent {
        .deviceAppeared(ObjectID(id), [.mediaClass: "Audio/Device", .clientID: "\(client.id.rawValue)"])
    }

    private func registry(_ events: [GraphEvent]) -> (registry: RegistryStateMachine, bound: [ObjectID]) {
        var registry = RegistryStateMachine()
        var bound: [ObjectID] = []
        for event in events {
            for case .readDefaults(let id) in registry.receive(event) { bound.append(id) }
        }
        return (registry, bound)
    }

    @Test func theOwnerOfTheDevicesIsTheSessionManagerWhicheverAppearsFirst() {
        let clients: [GraphEvent] = [.clientAppeared(manager), .clientAppeared(impostor)]
        let objects = [metadata(50, of: impostor), metadata(60, of: manager), device(70, of: manager)]
        for first in objects.indices {
            for second in objects.indices where second != first {
                let order = [first, second, 3 - first - second].map { objects[$0] }
                let (registry, bound) = registry(clients + order)
                #expect(registry.graph.sessionManager == manager.id)
                #expect(bound.last == ObjectID(60))
            }
        }
    }

    private func link(_ id: UInt32, of client: Client) -> GraphEvent {
        .linkAppeared(Link(id: ObjectID(id), outputNode: ObjectID(1), inputNode: ObjectID(2), client: client.id))
    }

    @Test func linksCountPerProcessWithoutDevices() {
        // WirePlumber exports over one connection and links over another.
        let other = Client(id: ObjectID(32), processID: 100, serial: 32)
        let older = Client(id: ObjectID(30), processID: 200, access: "unrestricted", serial: 30)
        var (registry, _) = registry([
            .clientAppeared(older), .clientAppeared(manager), .clientAppeared(other), metadata(50, of: older),
            metadata(60, of: manager), link(80, of: other),
        ])
        #expect(registry.graph.sessionManager == manager.id)
        _ = registry.receive(.disappeared(ObjectID(80)))
        #expect(registry.graph.sessionManager == older.id)
    }

    @Test func itsProcessIsTheOneThatTheDaemonReports() {
        let events: [GraphEvent] = [.clientAppeared(manager), .clientAppeared(impostor), metadata(60, of: manager)]
        let graph = registry(events).registry.graph
        #expect(graph.sessionManagerProcess == 100)
        let elsewhere = Client(id: ObjectID(31), processID: 0, access: "unrestricted", serial: 31)
        let other = registry([.clientAppeared(elsewhere), metadata(60, of: elsewhere)]).registry.graph
        #expect(other.sessionManagerProcess == nil, "any process of another namespace has this number")
        #expect(AudioGraph().sessionManagerProcess == nil)
    }

    /// A program chooses the client of a link that lingers.
    @Test func noNumberOfLinksOutweighsADevice() {
        let links = (100..<200).map { link($0, of: impostor) }
        let candidates: [GraphEvent] = [
            .clientAppeared(impostor), .clientAppeared(manager), metadata(50, of: impostor),
            metadata(60, of: manager),
        ]
        #expect(registry(candidates + links).registry.graph.sessionManager == impostor.id)
        #expect(registry(candidates + links + [device(70, of: manager)]).registry.graph.sessionManager == manager.id)
        var late = registry(candidates + [device(70, of: manager)] + links).registry
        #expect(late.graph.sessionManager == manager.id)
        _ = late.receive(.disappeared(ObjectID(70)))
        #expect(late.graph.sessionManager == impostor.id, "links count again")
    }

    @Test func linksDoNotDecideBetweenProgramsWithAsManyDevices() {
        let candidates: [GraphEvent] = [
            .clientAppeared(impostor), .clientAppeared(manager), metadata(50, of: impostor),
            metadata(60, of: manager), device(70, of: manager), device(71, of: impostor), link(80, of: impostor),
        ]
        #expect(registry(candidates).registry.graph.sessionManager == manager.id, "it is older")
    }

    /// The objects of 100 programs that were there first leave the session manager a candidate.
    @Test func manyProgramsDoNotKeepTheSessionManagerFromBeingElected() {
        let crowd = (UInt32(0)..<100).flatMap { number -> [GraphEvent] in
            let client = Client(
                id: ObjectID(1000 + number), processID: 2000 + Int(number), serial: UInt64(1000 + number))
            return [.clientAppeared(client)] + (0..<4).map { metadata(10_000 + number * 4 + $0, of: client) }
        }
        let (registry, bound) = registry(
            crowd + [.clientAppeared(manager), metadata(60, of: manager), device(70, of: manager)])
        #expect(registry.graph.sessionManager == manager.id && bound.last == ObjectID(60))
    }

    @Test func withATieTheOlderClientIsTheSessionManager() {
        let (registry, _) = registry([
            .clientAppeared(impostor), .clientAppeared(manager), metadata(50, of: impostor),
            metadata(60, of: manager),
        ])
        #expect(registry.graph.sessionManager == manager.id)
    }

    @Test func aSandboxedProgramIsNeverTheSessionManager() {
        let sandboxed = Client(id: ObjectID(40), processID: 200, access: "flatpak", serial: 40)
        let (registry, bound) = registry([
            .clientAppeared(sandboxed), metadata(50, of: sandboxed), device(70, of: sandboxed),
        ])
        #expect(registry.graph.sessionManager == nil && bound.isEmpty)
    }

    @Test func aRestartedSessionManagerIsElectedAgain() {
        var (registry, _) = registry([
            .clientAppeared(manager), metadata(60, of: manager), device(70, of: manager), .clientAppeared(impostor),
            metadata(61, of: impostor),
        ])
        #expect(registry.graph.sessionManager == manager.id)
        _ = registry.receive(.defaultChanged(.output, "speaker"))
        for id: UInt32 in [60, 70, 31] { _ = registry.receive(.disappeared(ObjectID(id))) }
        #expect(registry.graph.sessionManager == impostor.id)
        #expect(registry.graph.defaultSinkName == nil)
        let back = Client(id: ObjectID(90), processID: 101, serial: 90)
        _ = registry.receive(.clientAppeared(back))
        _ = registry.receive(metadata(91, of: back))
        #expect(registry.receive(device(92, of: back)).contains(.readDefaults(of: ObjectID(91))))
        #expect(registry.graph.sessionManager == back.id)
    }

    @Test func theOldestObjectOfAProgramCountsAndFewAreKept() {
        let (registry, bound) = registry(
            [.clientAppeared(manager)] + (0..<200).map { metadata(60 + $0, of: manager) })
        #expect(bound == [ObjectID(60)])
        #expect(registry.graph.sessionManager == manager.id)
    }
}

/// Objects of other programs are kept up to a limit, and counted beyond it.
@Suite struct GraphLimitsTests {
    private func client(_ id: UInt32) -> Client {
        Client(id: ObjectID(id), processID: 1000 + Int(id), serial: UInt64(id))
    }

    private func properties(_ client: UInt32) -> Properties {
        [.mediaClass: "Audio/Device", .clientID: "\(client)", .deviceName: "card"]
    }

    private func add(device id: UInt32, of client: UInt32, to registry: inout RegistryStateMachine) {
        _ = registry.receive(.deviceAppeared(ObjectID(id), properties(client)))
        _ = registry.receive(.deviceProperties(ObjectID(id), properties(client)))
        _ = registry.receive(.barrier(.device(ObjectID(id))))
    }

    @Test func oneProgramHasSixteenDevices() {
        var registry = RegistryStateMachine()
        _ = registry.receive(.clientAppeared(client(1)))
        _ = registry.receive(.clientAppeared(client(2)))
        for id in UInt32(100)..<120 { add(device: id, of: 1, to: &registry) }
        #expect(registry.graph.devices.count == 16 && registry.refusedCount == 4)
        add(device: 200, of: 2, to: &registry)
        #expect(registry.graph.devices.contains(ObjectID(200)), "others have room")
        _ = registry.receive(.disappeared(ObjectID(100)))
        add(device: 201, of: 1, to: &registry)
        #expect(registry.graph.devices.contains(ObjectID(201)), "one went")
    }

    @Test func theDevicesAndRoutesOfAllProgramsAreLimited() {
        var registry = RegistryStateMachine()
        let routes = (0..<400).map { DeviceRoute(index: $0, direction: .output, name: "route \($0)") }
        for number in UInt32(0)..<40 {
            _ = registry.receive(.clientAppeared(client(number)))
            for index in UInt32(0)..<16 {
                let id = 1000 + number * 16 + index
                add(device: id, of: number, to: &registry)
                _ = registry.receive(.deviceRoutes(ObjectID(id), routes))
            }
        }
        let devices = registry.graph.devices.values
        #expect(devices.count == 256)
        #expect(devices.allSatisfy { $0.routes.count <= GraphLimits.routes })
        #expect(devices.reduce(0) { $0 + $1.routes.count } == 32_768)
        for device in devices { _ = registry.receive(.disappeared(device.id)) }
        add(device: 5000, of: 1, to: &registry)
        _ = registry.receive(.deviceRoutes(ObjectID(5000), routes))
        #expect(registry.graph.devices[ObjectID(5000)]?.routes.count == 256, "all room is free again")
    }

    /// PipeWire lets the creator of a node that lingers choose any client, or none.
    @Test(arguments: ["1", nil]) func nodesThatLingerTakeTheCapacityOfNoProgram(_ client: String?) {
        var registry = RegistryStateMachine()
        _ = registry.receive(.clientAppeared(self.client(1)))
        var properties: Properties = [.mediaClass: "Audio/Sink", .objectLinger: "true"]
        properties[.clientID] = client
        for id in UInt32(1000)..<2100 { _ = registry.receive(.nodeProperties(ObjectID(id), properties)) }
        #expect(registry.graph.nodes.count == 1024 && registry.refusedCount == 76)
        for id in UInt32(5000)..<5010 {
            _ = registry.receive(
                .nodeProperties(ObjectID(id), [.mediaClass: "Stream/Output/Audio", .clientID: "1"]))
        }
        #expect(registry.graph.nodes.count == 1034, "the program has its own capacity")
    }

    /// The clients of pipewire-pulse are the connections of one process.
    @Test func noClientOfPulseTakesAllCapacityOfTheOthers() {
        var registry = RegistryStateMachine()
        func add(_ ids: Range<UInt32>, of client: UInt32) {
            _ = registry.receive(.clientAppeared(Client(id: ObjectID(client), processID: 700)))
            let properties: Properties = [.mediaClass: "Stream/Output/Audio", .clientID: "\(client)"]
            for id in ids { _ = registry.receive(.nodeProperties(ObjectID(id), properties)) }
        }
        add(1000..<3000, of: 1)
        #expect(registry.graph.nodes.count == 1024)
        add(4000..<4020, of: 2)
        #expect(registry.graph.nodes.count == 1032)
        _ = registry.receive(.disappeared(ObjectID(4000)))
        add(4020..<4022, of: 2)
        #expect(registry.graph.nodes.count == 1032, "one has room again")
    }

    /// A program can connect any number of times.
    @Test func theConnectionsOfOneProcessTakeTwiceItsCapacityAtMost() {
        var registry = RegistryStateMachine()
        for number in UInt32(1)...600 {
            _ = registry.receive(.clientAppeared(Client(id: ObjectID(number), processID: 700)))
            let properties: Properties = [.mediaClass: "Stream/Output/Audio", .clientID: "\(number)"]
            for index in UInt32(0)..<8 {
                _ = registry.receive(.nodeProperties(ObjectID(1000 + 8 * number + index), properties))
            }
        }
        #expect(registry.graph.nodes.count == 2048)
    }

    @Test func nodesAreLimitedByProgramAndInAll() {
        var registry = RegistryStateMachine()
        for number in UInt32(0)..<5 {
            _ = registry.receive(.clientAppeared(client(number)))
            for index in UInt32(0)..<1100 {
                let properties: Properties = [.mediaClass: "Stream/Output/Audio", .clientID: "\(number)"]
                _ = registry.receive(.nodeProperties(ObjectID(10_000 * (number + 1) + index), properties))
            }
        }
        #expect(registry.graph.nodes.values.count == 4096)
        #expect(registry.refusedCount == 5500 - 4096)
    }
}
