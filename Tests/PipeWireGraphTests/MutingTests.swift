import AudioSessionCore
import CPipeWireShim
import PipeWireGraph
import TestSupport
import Testing

@Suite("Silent mode and mutes")
struct MutingTests {
    private func silentModes(_ client: GraphClient) async -> [Bool] {
        await client.all { if case .silentModeChanged(let isOn) = $0 { isOn } else { nil } }
    }

    @Test("Silent mode is a key of the daemon's settings, which all clients receive, later ones too")
    func silentMode() async throws {
        let server = try TestServer()
        let writer = try await GraphClient.connected(to: server)
        let reader = try await GraphClient.connected(to: server)
        let settings = try #require(await writer.registry.graph.settings)
        #expect(await reader.registry.graph.settings == settings)
        for isOn in [true, true, false] {
            await writer.perform(.setSilentMode(isOn, in: settings))
            try await writer.settle()
            #expect(await writer.registry.graph.isSilentMode == isOn)
            let late = try await GraphClient.connected(to: server)
            #expect(await late.registry.graph.isSilentMode == isOn)
        }
        try await reader.settle()
        #expect(await silentModes(reader) == [true, false])
    }

    @Test("Metadata of an ordinary program is ignored, whatever its name")
    func impostor() async throws {
        let server = try TestServer()
        let impostor = server.add(CPW_OBJECT_METADATA, ["metadata.name": "settings", "client.id": "7"])
        impostor.emit(key: SilentMode.key, value: "true")
        let client = try await GraphClient.connected(to: server)
        await client.perform(.readDefaults(of: ObjectID(impostor.id)))
        // A barrier waits for the connection that reads it for a short time only.
        try await waitUntil("it is read") { impostor.boundCount == 1 }
        try await client.settle()
        #expect(await silentModes(client).isEmpty)
        #expect(await client.registry.graph.settings != ObjectID(impostor.id))
    }

    @Test("A write to a missing or unbound object is dropped")
    func nowhere() async throws {
        let server = try TestServer()
        let client = try await GraphClient.connected(to: server)
        await client.perform(.setSilentMode(true, in: ObjectID(4711)), .watchMute(ObjectID(4711)))
        try await client.settle()
        #expect(await !client.registry.graph.isSilentMode)
        #expect(await client.failures.isEmpty)
    }

    @Test("An active route reports whether it is muted")
    func route() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, ["device.name": "card", "media.class": "Audio/Device"])
        for isMuted in [true, false, nil] {
            card.set(CPW_PARAM_ROUTE, [Pod.route(index: 0, name: "speaker", device: 6, isMuted: isMuted).bytes])
            card.emitChanged(CPW_PARAM_ROUTE)
            let client = try await GraphClient.connected(to: server)
            let device = try #require(await client.registry.graph.devices[ObjectID(card.id)])
            #expect(device.activeRoutes.map(\.isMuted) == [isMuted ?? false])
        }
    }
}
