import AudioSessionCore
import CPipeWireShim
import CPipeWireTestServer
import PipeWireGraph
import Testing

@Suite("Interests")
struct InterestTests {
    private static let interests = [
        RegistryInterest(.device, .deviceAPI, "token"), RegistryInterest(.device, .mediaClass, "Audio/Device"),
        RegistryInterest(.node, .mediaClass, "Audio/Sink"), RegistryInterest(.session, .sessionToken, nil),
    ]

    private func connected(
        to server: TestServer, _ interests: [RegistryInterest] = interests
    ) async throws -> GraphClient {
        let client = try GraphClient(binds: false)
        try await client.connect(to: server.path, interests: interests)
        try await client.settle()
        return client
    }

    private func appeared(_ client: GraphClient) async -> [ObjectID] {
        await client.all { event in
            switch event {
            case .nodeAppeared(let node): node.id
            case .deviceAppeared(let id, _), .metadataAppeared(let id, _), .sessionObjectAppeared(let id, _): id
            case .linkAppeared(let link): link.id
            default: nil
            }
        }
    }

    private func disappeared(_ client: GraphClient) async -> [ObjectID] {
        await client.all { if case .disappeared(let id) = $0 { id } else { nil } }
    }

    @Test("Only objects of interest are reported, and all objects of other types; removals too")
    func onlyThose() async throws {
        let server = try TestServer()
        let client = try await connected(to: server)
        await client.clearEvents()
        let received = [
            server.add(CPW_OBJECT_DEVICE, ["device.api": "token", "device.name": "a"]),
            server.add(CPW_OBJECT_DEVICE, ["device.name": "b", "media.class": "Audio/Device"]),
            server.add(CPW_OBJECT_NODE, ["node.name": "c", "media.class": "Audio/Sink"]),
            server.add(CPW_OBJECT_LINK, ["link.output.node": "40", "link.input.node": "41"]),
            server.add(CPW_OBJECT_METADATA, ["metadata.name": "d"]),
            server.add(CPW_OBJECT_SESSION, ["session.name": "s", "audio-session.token": "t"]),
            server.add(CPW_OBJECT_SESSION, ["audio-session.token": ""]),
        ]
        let untold = [
            server.add(CPW_OBJECT_DEVICE, ["device.name": "e", "media.class": "Audio/Sink"]),
            server.add(CPW_OBJECT_DEVICE, ["device.api": "Audio/Device", "media.class": "token"]),
            server.add(CPW_OBJECT_NODE, ["node.name": "f", "media.class": "Audio/Sink/Internal"]),
            server.add(CPW_OBJECT_NODE, ["device.api": "token"]), server.add(CPW_OBJECT_DEVICE, [:]),
            server.add(CPW_OBJECT_SESSION, ["session.name": "token"]),
            server.add(CPW_OBJECT_DEVICE, ["audio-session.token": "t"]),
        ]
        try await client.settle()
        #expect(await appeared(client) == received.map { ObjectID($0.id) })
        for object in untold + received { object.remove() }
        try await client.settle()
        #expect(await disappeared(client) == received.map { ObjectID($0.id) })
    }

    @Test("An object that is bound when it appears is first reported with its properties")
    func bound() async throws {
        let server = try TestServer()
        let client = try await connected(
            to: server, [RegistryInterest(.node, .mediaClass, "Audio/Sink", isBound: true)])
        await client.clearEvents()
        let sink = server.add(CPW_OBJECT_NODE, ["node.name": "a", "media.class": "Audio/Sink"])
        let other = server.add(CPW_OBJECT_NODE, ["node.name": "b", "media.class": "Audio/Source"])
        try await client.settle()
        #expect(await appeared(client).isEmpty)
        let received = await client.all { event in
            if case .nodeProperties(let id, let properties) = event {
                "\(id) \(properties[.nodeName] ?? "")"
            } else {
                nil
            }
        }
        #expect(received == ["\(ObjectID(sink.id)) a"])
        for object in [sink, other] { object.remove() }
        try await client.settle()
        #expect(await disappeared(client) == [ObjectID(sink.id)])
    }

    @Test("Interests apply to many objects with reused ids")
    func many() async throws {
        let server = try TestServer()
        let client = try await connected(to: server)
        for round in 0..<2 {
            await client.clearEvents()
            let objects = (0..<1500).map { number in
                // Objects of interest in one round are not in the other, and may have the same id.
                server.add(CPW_OBJECT_DEVICE, ["device.api": number % 2 == round ? "token" : "other"])
            }
            let wanted = objects.indices.filter { $0 % 2 == round }.map { ObjectID(objects[$0].id) }
            try await client.settle()
            #expect(await appeared(client) == wanted)
            for object in objects { object.remove() }
            try await client.settle()
            #expect(await disappeared(client) == wanted)
        }
    }
}
