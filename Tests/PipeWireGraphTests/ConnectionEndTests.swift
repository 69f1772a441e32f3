import AudioSessionCore
import CPipeWireShim
import PipeWireGraph
import TestSupport
import Testing

@Suite("The end of a connection")
struct ConnectionEndTests {
    private func addObjects(_ server: TestServer) {
        for number in 0..<20 {
            _ = server.add(CPW_OBJECT_NODE, ["node.name": "n\(number)", "media.class": "Audio/Sink"])
            let device = server.add(CPW_OBJECT_DEVICE, ["device.name": "d\(number)", "media.class": "Audio/Device"])
            device.set(CPW_PARAM_ENUM_ROUTE, [Pod.route(index: 0, name: "r").bytes])
        }
        _ = server.add(CPW_OBJECT_METADATA, ["metadata.name": "default"])
    }

    @Test("The daemon's end is reported once, and bound objects are freed afterwards")
    func serverEnds() async throws {
        let server = try TestServer()
        addObjects(server)
        let client = try await GraphClient.connected(to: server)
        #expect(await client.registry.graph.devices.count == 20)
        server.stop()
        try await client.wait(for: "the failure") { !$0.failures.isEmpty }
        // A lost connection accepts commands and answers none.
        await client.perform(.barrier(.routes), .bind(ObjectID(3), .node), .barrier(.initial(round: 1)))
        await client.disconnect()
        #expect(await client.failures.count == 1)
        #expect(await client.passedBarriers == 0)
    }

    @Test("The daemon's end during the first sync, with open queries, is reported")
    func serverEndsEarly() async throws {
        let server = try TestServer()
        let device = server.add(CPW_OBJECT_DEVICE, ["device.name": "d", "media.class": "Audio/Device"])
        device.hold()
        let client = try GraphClient()
        try await client.connect(to: server.path)
        try await client.wait(for: "the device") { client in
            client.events.contains { if case .deviceProperties = $0 { true } else { false } }
        }
        server.stop()
        try await client.wait(for: "the failure") { !$0.failures.isEmpty }
        await client.disconnect()
        #expect(await client.failures.count == 1)
        #expect(await !client.registry.isSynchronized)
    }

    @Test("The death of a daemon with unread data is reported too: it is a reset, not a hang-up")
    func reset() async throws {
        let directory = try TestDirectory()
        let server = try DeafServer(at: directory.path + "/daemon")
        let client = try GraphClient(binds: false)
        try await client.connect(to: directory.path + "/daemon")
        try server.disconnectClient()
        try await client.wait(for: "the failure") { !$0.failures.isEmpty }
        await client.disconnect()
        #expect(await client.failures.count == 1)
    }

    @Test("A closed connection reports nothing more, even while it is referenced")
    func closed() async throws {
        let server = try TestServer()
        addObjects(server)
        let client = try await GraphClient.connected(to: server, binds: false)
        try await client.settle()
        await client.closeAndKeep()
        try await client.connect(to: server.path)
        try await client.settle()
        await client.clearEvents()
        _ = server.add(CPW_OBJECT_NODE, ["node.name": "late", "media.class": "Audio/Sink"])
        try await client.wait(for: "the node") { !$0.events.isEmpty }
        try await client.settle()
        #expect(await client.all { if case .nodeAppeared(let node) = $0 { node.name } else { nil } } == ["late"])
        server.stop()
        try await client.wait(for: "the failure") { !$0.failures.isEmpty }
        await client.disconnect()
        #expect(await client.failures.count == 1)
    }

    @Test("A connection with bound objects and open queries can be released")
    func drop() async throws {
        let server = try TestServer()
        addObjects(server)
        let device = server.add(CPW_OBJECT_DEVICE, ["device.name": "held", "media.class": "Audio/Device"])
        let client = try await GraphClient.connected(to: server)
        device.hold()
        device.emitChanged(CPW_PARAM_ENUM_ROUTE, CPW_PARAM_ROUTE)
        let other = try await GraphClient.connected(to: server, binds: false)
        try await other.settle()
        await client.disconnect()
        #expect(await client.failures.isEmpty)
        // The daemon continues to serve others.
        try await other.settle()
        device.release()
        let third = try await GraphClient.connected(to: server)
        #expect(await third.registry.graph.devices.count == 21)
    }

    /// The daemon would otherwise keep the old value of the device for all clients.
    @Test("A connection ends when the daemon has answered its last query")
    func openQuery() async throws {
        let server = try TestServer()
        let device = server.add(CPW_OBJECT_DEVICE, ["device.name": "d", "media.class": "Audio/Device"])
        device.set(CPW_PARAM_ENUM_ROUTE, [Pod.route(index: 0, name: "r").bytes])
        let client = try await GraphClient.connected(to: server)
        let other = try await GraphClient.connected(to: server, binds: false)
        device.hold()
        let questions = device.questions(CPW_PARAM_ENUM_ROUTE)
        device.emitChanged(CPW_PARAM_ENUM_ROUTE)
        try await waitUntil("the query") { device.questions(CPW_PARAM_ENUM_ROUTE) > questions }
        let begin = ContinuousClock.now
        let end = await client.disconnectAndWatch()
        try await other.settle()
        let release = ContinuousClock.now
        device.release()
        try await client.wait(for: "the end") { _ in end.withLock(\.self) != nil }
        let time = try #require(end.withLock { $0 } as ContinuousClock.Instant?)
        #expect(time >= release || time - begin >= .seconds(1), "a slow computer reaches the limit")
        try await other.settle()
        #expect(device.boundCount == 0)
    }

    @Test("A connection ends after a second although the daemon does not answer")
    func unansweredQuery() async throws {
        let server = try TestServer()
        let device = server.add(CPW_OBJECT_DEVICE, ["device.name": "d", "media.class": "Audio/Device"])
        let client = try await GraphClient.connected(to: server)
        device.hold()
        let questions = device.questions(CPW_PARAM_ENUM_ROUTE)
        device.emitChanged(CPW_PARAM_ENUM_ROUTE)
        try await waitUntil("the query") { device.questions(CPW_PARAM_ENUM_ROUTE) > questions }
        let begin = ContinuousClock.now
        let end = await client.disconnectAndWatch()
        try await client.wait(for: "the end") { _ in end.withLock(\.self) != nil }
        #expect(ContinuousClock.now - begin >= .seconds(1))
    }

    @Test("A command before the end reaches the daemon")
    func unsentCommand() async throws {
        let server = try TestServer()
        let device = server.add(CPW_OBJECT_DEVICE, ["device.name": "d", "media.class": "Audio/Device"])
        device.set(CPW_PARAM_ROUTE, [Pod.route(index: 0, name: "r").bytes])
        let client = try await GraphClient.connected(to: server)
        let other = try await GraphClient.connected(to: server)
        let questions = device.questions(CPW_PARAM_ROUTE)
        await client.performAndDisconnect(.setRoute(ObjectID(device.id), index: 1, number: 0))
        // The device reports the request as a change, which is then queried.
        try await other.wait(for: "the change") { _ in device.questions(CPW_PARAM_ROUTE) > questions }
    }

    @Test("One loop connects to one daemon after another, with another connection's events in between")
    func again() async throws {
        let server = try TestServer()
        let client = try GraphClient(binds: false)
        for round in 1...20 {
            try await client.connect(to: server.path)
            try await client.settle()
            server.stop()
            try await client.wait(for: "failure \(round)") { $0.failures.count == round }
            await client.disconnect()
            await client.clearEvents()
            try server.restart()
        }
        #expect(await client.failures.count == 20)
    }

    @Test("Many clients connect to one daemon and disconnect")
    func connectAndDisconnect() async throws {
        let server = try TestServer()
        addObjects(server)
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    let client = try await GraphClient.connected(to: server)
                    await client.disconnect()
                }
            }
            try await group.waitForAll()
        }
    }
}
