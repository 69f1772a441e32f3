import AudioSessionCore
import CPipeWireShim
import CPipeWireTestServer
import Glibc
import PipeWireGraph
import Testing

@Suite("Connection")
struct ConnectionTests {
    @Test("Without a listener the host is down")
    func nothingListens() async throws {
        let directory = try TestDirectory()
        let client = try GraphClient()
        let error = await #expect(throws: PipeWireError.self) {
            try await client.connect(to: directory.path + "/daemon")
        }
        #expect(error?.isHostDown == true)
        #expect(error?.operation == .connecting)
    }

    @Test("A path that is too long for a socket is an error, not that the host is down")
    func longPath() async throws {
        let client = try GraphClient()
        let path = "/tmp/" + String(repeating: "x", count: 300)
        let error = await #expect(throws: PipeWireError.self) { try await client.connect(to: path) }
        #expect(error?.isHostDown == false)
    }

    @Test("A watching connection receives existing and new objects in order")
    func globals() async throws {
        let server = try TestServer()
        let before = server.add(CPW_OBJECT_NODE, ["node.name": "before", "media.class": "Audio/Sink"])
        let client = try await GraphClient.connected(to: server, binds: false)
        let after = server.add(CPW_OBJECT_NODE, ["node.name": "after", "media.class": "Audio/Sink"])
        try await client.settle()
        let nodes = await client.all { event in if case .nodeAppeared(let node) = event { node } else { nil } }
        #expect(nodes.map(\.name) == ["before", "after"])
        #expect(nodes.map(\.id) == [ObjectID(before.id), ObjectID(after.id)])
    }

    @Test("Without watching no event is sent, and barriers work too")
    func silentConnection() async throws {
        let server = try TestServer()
        _ = server.add(CPW_OBJECT_NODE, ["node.name": "a", "media.class": "Audio/Sink"])
        let client = try GraphClient(binds: false)
        try await client.connect(to: server.path, watch: false)
        try await client.settle()
        #expect(await client.events == [.barrier(.routes)])
        try await client.watch()
        try await client.settle()
        #expect(await client.events.count > 2)
        let error = await #expect(throws: PipeWireError.self) { try await client.watch() }
        #expect(error?.code == EALREADY)
    }

    @Test("Barriers pass in the order in which they were given")
    func barriers() async throws {
        let server = try TestServer()
        let client = try GraphClient(binds: false)
        try await client.connect(to: server.path, watch: false)
        let given = (0..<200).map { GraphCommand.barrier(.device(ObjectID($0))) }
        for command in given { await client.perform(command) }
        try await client.settle()
        #expect(await client.events == (0..<200).map { .barrier(.device(ObjectID($0))) } + [.barrier(.routes)])
    }

    @Test("A bound node brings all its properties, their changes, and its state")
    func node() async throws {
        let server = try TestServer()
        let node = server.add(
            CPW_OBJECT_NODE, registry: .init(["node.name": "sink", "media.class": "Audio/Sink"]),
            properties: .init(["node.name": "sink", "media.class": "Audio/Sink", "priority.session": "1000"]))
        let client = try await GraphClient.connected(to: server)
        let id = ObjectID(node.id)
        #expect(await client.registry.graph.nodes[id]?.properties[.prioritySession] == "1000")
        node.emit(properties: .init(["node.name": "sink", "media.class": "Audio/Sink", "device.id": "77"]))
        for state: Int32 in [-1, 0, 1, 2, 3, 99, Int32.min] { node.emit(state: state) }
        try await client.settle()
        #expect(await client.registry.graph.nodes[id]?.deviceID == ObjectID(77))
        #expect(await client.registry.graph.nodes[id]?.properties[.prioritySession] == nil)
        let states = await client.all { if case .nodeState(id, let state) = $0 { state } else { nil } }
        #expect(states == [.suspended, .error, .creating, .suspended, .idle, .running])
    }

    @Test("Links and clients are reported from the registry alone")
    func linksAndClients() async throws {
        let server = try TestServer()
        let link = server.add(CPW_OBJECT_LINK, ["link.output.node": "40", "link.input.node": "41"])
        _ = server.add(CPW_OBJECT_LINK, ["link.output.node": "40"])
        _ = server.add(CPW_OBJECT_LINK, ["link.output.node": "40", "link.input.node": "-1"])
        let program = server.add(
            CPW_OBJECT_CLIENT,
            [
                "application.name": "Player", "pipewire.sec.pid": "4711", "pipewire.access": "flatpak",
                "pipewire.sec.socket": "pipewire-0",
            ])
        let client = try await GraphClient.connected(to: server)
        let graph = await client.registry.graph
        let id = ObjectID(link.id)
        #expect(
            Array(graph.links.values) == [Link(id: id, outputNode: ObjectID(40), inputNode: ObjectID(41))])
        let player = try #require(graph.clients[ObjectID(program.id)])
        #expect(
            player
                == Client(
                    id: ObjectID(program.id), applicationName: "Player", processID: 4711, access: "flatpak",
                    socket: "pipewire-0",
                    // Before 1.4 the server's objects have none.
                    serial: player.serial))
        #expect(link.boundCount == 0 && program.boundCount == 0)
    }

    @Test("A real client is reported with the process that the daemon reports")
    func realClient() async throws {
        let server = try TestServer()
        let first = try await GraphClient.connected(to: server)
        let second = try await GraphClient.connected(to: server)
        for client in [first, second] {
            try await client.settle()
            let clients = await client.registry.graph.clients.values
            #expect(clients.count { $0.processID == Int(getpid()) } == 2)
        }
    }

    @Test("A real node of the daemon is decoded")
    func realNode() async throws {
        let server = try TestServer()
        let client = try await GraphClient.connected(to: server)
        try server.createRealNode([
            "factory.name": "support.null-audio-sink", "node.name": "real", "media.class": "Audio/Sink",
            "object.linger": "true", "audio.position": "FL,FR",
        ])
        try await client.wait(for: "the node") { $0.node(named: "real")?.properties[.audioPosition] != nil }
        #expect(await client.node(named: "real")?.mediaClass == .sink)
    }

    @Test("A node's volumes change the graph only when they change")
    func volumes() async throws {
        let server = try TestServer()
        let client = try await GraphClient.connected(to: server)
        try server.createRealNode([
            "factory.name": "support.null-audio-sink", "node.name": "real", "media.class": "Audio/Sink",
            "object.linger": "true", "audio.position": "FL,FR",
        ])
        try await client.wait(for: "the node") { $0.node(named: "real") != nil }
        let node = try #require(await client.node(named: "real")?.id)
        try await client.wait(for: "its volumes") { $0.registry.graph.volumes[node] != nil }
        await client.clearEvents()
        for volume: Float in [0.5, 0.5, 0.25] {
            await client.perform(.setNodeVolumes(node, [volume, volume]))
            await client.perform(.setSoftVolumes(node, [0.125, 0.125], isMuted: false))
            try await client.settle()
        }
        let received = await client.changes.compactMap {
            if case .nodeVolumes(_, let volumes) = $0 { volumes } else { nil }
        }
        // PipeWire 1.4 applies the volumes of a node that never ran, and notifies no client.
        withKnownIssue {
            #expect(received == [[0.5, 0.5], [0.25, 0.25]])
        } when: {
            PipeWireLibrary.version.hasPrefix("1.4.")
        }
        #expect(await !client.changes.contains { if case .nodeMuted = $0 { true } else { false } })
    }

    @Test("Removals are reported, immediate ones too")
    func disappearance() async throws {
        let server = try TestServer()
        let client = try await GraphClient.connected(to: server)
        let node = server.add(CPW_OBJECT_NODE, ["node.name": "a", "media.class": "Audio/Sink"])
        // The events of the bound object follow the first one.
        try await client.settle()
        try await client.settle()
        #expect(await client.node(named: "a") != nil)
        node.remove()
        let brief = server.atomically {
            let all = (0..<100).map { number in
                server.add(
                    number.isMultiple(of: 2) ? CPW_OBJECT_NODE : CPW_OBJECT_DEVICE,
                    [
                        "node.name": "brief", "device.name": "brief",
                        "media.class": number.isMultiple(of: 2) ? "Audio/Sink" : "Audio/Device",
                    ])
            }
            for object in all { object.remove() }
            return all.map(\.id)
        }
        try await client.settle()
        let gone = await client.all { if case .disappeared(let id) = $0 { id.rawValue } else { nil } }
        #expect(gone == [node.id] + brief)
        #expect(await client.registry.graph.nodes.isEmpty)
        #expect(await client.registry.graph.devices.isEmpty)
        // Their ids are used again, by objects that stay.
        for number in 0..<50 {
            _ = server.add(CPW_OBJECT_NODE, ["node.name": "n\(number)", "media.class": "Audio/Sink"])
        }
        try await client.settle()
        try await client.settle()
        #expect(await client.registry.graph.nodes.count == 50)
    }

    @Test("The defaults are read from the metadata of that name, late or early, and removed with it")
    func defaults() async throws {
        let server = try TestServer()
        let metadata = server.add(CPW_OBJECT_METADATA, ["metadata.name": "default", "client.id": "7"])
        metadata.emit(key: "default.audio.sink", value: #"{"name":"speakers"}"#)
        let other = server.add(CPW_OBJECT_METADATA, ["metadata.name": "settings"])
        let client = try await GraphClient.connected(to: server)
        // The metadata is read over a connection of its own, for which a barrier waits for a short
        // time only.
        try await client.wait(for: "the default") { $0.registry.graph.defaultSinkName == "speakers" }
        #expect(await client.registry.graph.sessionManager == ObjectID(7))
        metadata.emit(key: "default.audio.source", value: #"{ name = mic }"#)
        metadata.emit(subject: 40, key: "default.audio.sink", value: #"{"name":"of another subject"}"#)
        other.emit(key: "default.audio.sink", value: #"{"name":"of another metadata"}"#)
        metadata.emit(key: "default.configured.audio.sink", value: #"{"name":"wanted"}"#)
        try await client.settle()
        try await client.wait(for: "the last of them") { $0.registry.graph.configuredSinkName == "wanted" }
        #expect(await client.registry.graph.defaultSinkName == "speakers")
        #expect(await client.registry.graph.defaultSourceName == "mic")
        metadata.emit(key: "default.audio.sink", value: nil)
        try await client.wait(for: "no default") { $0.registry.graph.defaultSinkName == nil }
        metadata.emit(key: nil, value: nil)
        try await client.wait(for: "no defaults") {
            $0.registry.graph.defaultSourceName == nil && $0.registry.graph.configuredSinkName == nil
        }
        metadata.emit(key: "default.audio.sink", value: #"{"name":"again"}"#)
        try await client.wait(for: "another default") { $0.registry.graph.defaultSinkName == "again" }
        metadata.remove()
        try await client.wait(for: "its end") {
            $0.registry.graph.defaultSinkName == nil && $0.registry.graph.sessionManager == nil
        }
    }

    @Test("A session manager that does not answer delays no client, and the next one is read")
    func silentSessionManager() async throws {
        let server = try TestServer()
        let client = try await GraphClient.connected(to: server)
        let silent = try #require(cpt_silent_start(server.path, "default"))
        try await client.wait(for: "the metadata") { $0.registry.graph.sessionManager != nil }
        let node = server.add(CPW_OBJECT_NODE, ["node.name": "new", "media.class": "Audio/Sink"])
        try await client.wait(for: "the node") { $0.node(named: "new") != nil }
        try await client.settle()
        #expect(await client.registry.graph.nodes[ObjectID(node.id)] != nil && node.boundCount == 1)
        cpt_silent_stop(silent)
        try await client.wait(for: "its end") { $0.registry.graph.sessionManager == nil }
        let metadata = server.add(CPW_OBJECT_METADATA, ["metadata.name": "default", "client.id": "7"])
        metadata.emit(key: "default.audio.sink", value: #"{"name":"new"}"#)
        try await client.wait(for: "the default") { $0.registry.graph.defaultSinkName == "new" }
    }

    @Test("Metadata that does not answer delays no connection, and is read once it answers")
    func silentMetadataIsThereFirst() async throws {
        let server = try TestServer()
        let silent = try #require(cpt_silent_start(server.path, "default"))
        let node = server.add(CPW_OBJECT_NODE, ["node.name": "new", "media.class": "Audio/Sink"])
        let client = try await GraphClient.connected(to: server)
        #expect(await client.registry.graph.nodes[ObjectID(node.id)] != nil)
        #expect(await client.registry.graph.sessionManager != nil)
        #expect(await client.registry.graph.defaultSinkName == nil)
        // Later barriers do not wait for it either.
        try await client.settle()
        cpt_silent_stop(silent)
        try await client.wait(for: "its end") { $0.registry.graph.sessionManager == nil }
    }

    @Test("Of many metadata objects of that name one is read, over one more connection")
    func manyMetadata() async throws {
        let server = try TestServer()
        for _ in 0..<200 {
            let metadata = server.add(CPW_OBJECT_METADATA, ["metadata.name": "default", "client.id": "7"])
            metadata.emit(key: "default.audio.sink", value: #"{"name":"one"}"#)
        }
        let observer = try await GraphClient.connected(to: server)
        try await observer.wait(for: "its default") { $0.registry.graph.defaultSinkName == "one" }
        try await observer.settle()
        let before = await observer.registry.graph.clients.count
        let client = try await GraphClient.connected(to: server)
        try await client.wait(for: "the same default") { $0.registry.graph.defaultSinkName == "one" }
        try await observer.settle()
        #expect(await observer.registry.graph.clients.count == before + 2)
    }

    @Test("The connection that reads the metadata is made again when it is lost")
    func lostReader() async throws {
        let server = try TestServer()
        let metadata = server.add(CPW_OBJECT_METADATA, ["metadata.name": "default", "client.id": "7"])
        metadata.emit(key: "default.audio.sink", value: #"{"name":"first"}"#)
        let observer = try await GraphClient.connected(to: server)
        try await observer.wait(for: "its first") { $0.registry.graph.defaultSinkName == "first" }
        try await observer.settle()
        let others = await Set(observer.registry.graph.clients.keys)
        let client = try await GraphClient.connected(to: server)
        try await client.wait(for: "the first") { $0.registry.graph.defaultSinkName == "first" }
        try await observer.settle()
        let own = await client.client
        let readers = await observer.registry.graph.clients.keys.filter { !others.contains($0) && $0 != own }
        #expect(readers.count == 1)
        for reader in readers { server.endClient(reader.rawValue) }
        metadata.emit(key: "default.audio.sink", value: #"{"name":"second"}"#)
        try await client.wait(for: "the second") { $0.registry.graph.defaultSinkName == "second" }
    }

    @Test("When another client becomes the session manager its defaults count")
    func anotherSessionManager() async throws {
        let server = try TestServer()
        let (old, new) = (server.add(CPW_OBJECT_CLIENT, [:]), server.add(CPW_OBJECT_CLIENT, [:]))
        let first = server.add(CPW_OBJECT_METADATA, ["metadata.name": "default", "client.id": "\(old.id)"])
        first.emit(key: "default.audio.sink", value: #"{"name":"first"}"#)
        let second = server.add(CPW_OBJECT_METADATA, ["metadata.name": "default", "client.id": "\(new.id)"])
        second.emit(key: "default.audio.sink", value: #"{"name":"second"}"#)
        second.emit(key: "default.audio.source", value: #"{"name":"mic"}"#)
        let client = try await GraphClient.connected(to: server)
        try await client.wait(for: "the first defaults") { $0.registry.graph.defaultSinkName == "first" }
        let device = server.add(
            CPW_OBJECT_DEVICE, ["media.class": "Audio/Device", "client.id": "\(new.id)"])
        try await client.wait(for: "the other defaults") {
            $0.registry.graph.defaultSinkName == "second" && $0.registry.graph.defaultSourceName == "mic"
        }
        first.emit(key: "default.audio.sink", value: #"{"name":"ignored"}"#)
        device.remove()
        try await client.wait(for: "the first again") { $0.registry.graph.defaultSinkName == "ignored" }
        try await client.wait(for: "what it does not set") { $0.registry.graph.defaultSourceName == nil }
    }

    @Test("A command, a timer that is due and the end of a stream run after 64 events, however many are waiting")
    func turnsDuringAFlood() async throws {
        let server = try TestServer()
        let client = try await GraphClient.connected(to: server, binds: false)
        let turns = Locked<(events: Int, atCommand: Int?, atTimer: Int?, atEnd: Int?)>((0, nil, nil, nil))
        await client.observe { event in
            guard case .nodeAppeared = event else { return }
            let isFirst = turns.withLock { turns in
                turns.events += 1
                return turns.events == 1
            }
            guard isFirst else { return }
            // It waits for its turn from now on, like a call of an actor there.
            Task(executorPreference: LoopTaskExecutor(client.executor)) {
                turns.withLock { $0.atCommand = $0.events }
            }
            var timer: LoopTimer?
            timer = LoopTimer(on: client.executor) {
                turns.withLock { $0.atTimer = $0.events }
                timer = nil
            }
            timer?.arm(after: .zero)
            client.executor.end(ofStream: true) { turns.withLock { $0.atEnd = $0.events } }
        }
        server.atomically {
            for number in 0..<2000 {
                _ = server.add(CPW_OBJECT_NODE, ["node.name": "flood \(number)", "media.class": "Audio/Sink"])
            }
        }
        try await client.wait(for: "the flood") { _ in
            turns.withLock { $0.events == 2000 && $0.atCommand != nil && $0.atTimer != nil && $0.atEnd != nil }
        }
        #expect(try #require(turns.withLock(\.atCommand)) <= 64)
        #expect(try #require(turns.withLock(\.atTimer)) <= 64)
        #expect(try #require(turns.withLock(\.atEnd)) <= 64)
    }
}
