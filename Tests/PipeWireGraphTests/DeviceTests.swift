import AudioSessionCore
import CPipeWireShim
import PipeWireGraph
import Testing

@Suite("Devices")
struct DeviceTests {
    @Test("Profiles and routes are decoded completely")
    func decoding() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, TestServer.card)
        card.set(
            CPW_PARAM_ENUM_PROFILE,
            [
                Pod.profile(index: 0, name: "off").bytes,
                Pod.profile(index: 1, name: "HiFi", availability: 2).bytes,
            ])
        card.set(
            CPW_PARAM_PROFILE,
            [Pod.profile(index: 1, name: "HiFi", availability: 2, parameter: Pod.profile).bytes])
        card.set(
            CPW_PARAM_ENUM_ROUTE,
            [
                Pod.route(index: 0, name: "speaker").bytes,
                Pod.route(
                    index: 1, name: "mic", isInput: true, availability: 1, portType: "mic", profiles: [1, 2, 3],
                    devices: []
                ).bytes,
            ])
        card.set(CPW_PARAM_ROUTE, [Pod.route(index: 0, name: "speaker", device: 6).bytes])
        let client = try await GraphClient.connected(to: server)
        let device = try #require(await client.registry.graph.devices[ObjectID(card.id)])
        #expect(
            device.profiles == [
                DeviceProfile(index: 0, name: "off"), DeviceProfile(index: 1, name: "HiFi", availability: .yes),
            ])
        #expect(device.activeProfile == DeviceProfile(index: 1, name: "HiFi", availability: .yes))
        let speaker = DeviceRoute(
            index: 0, direction: .output, name: "speaker", description: "Route speaker", portType: "speaker",
            availabilityGroup: "Jack 0", productName: "Screen", profiles: [1], devices: [0])
        var active = speaker
        active.device = 6
        let microphone = DeviceRoute(
            index: 1, direction: .input, name: "mic", description: "Route mic", priority: 10, availability: .no,
            portType: "mic", availabilityGroup: "Jack 1", productName: "Screen", profiles: [1, 2, 3])
        #expect(device.routes == [speaker, microphone])
        #expect(device.activeRoutes == [active])
    }

    @Test("Texts that two lists share do not replace those that differ")
    func sharedTexts() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, TestServer.card)
        let client = try await GraphClient.connected(to: server)
        let names = ["", "route", "route of a long name", "route of a long", "", "r\u{e9}", "r\u{e9}e", "Route"]
        for (round, name) in names.enumerated() {
            let profiles = Array(Int32(0)..<Int32(round % 3))
            card.set(
                CPW_PARAM_ENUM_ROUTE,
                [Pod.route(index: 0, name: name, portType: name, profiles: profiles, devices: profiles).bytes])
            card.emitChanged(CPW_PARAM_ENUM_ROUTE)
            try await client.settleWithAnswers()
            let route = try #require(await client.registry.graph.devices[ObjectID(card.id)]?.routes.first)
            #expect((route.name, route.portType) == (name, name))
            #expect(route.description == "Route \(name)")
            #expect(route.profiles == profiles.map { Int($0) } && route.devices == route.profiles)
        }
    }

    @Test("Each changed parameter is queried once, and no other")
    func changes() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, TestServer.card)
        let client = try await GraphClient.connected(to: server)
        for round in 1...5 {
            card.set(CPW_PARAM_ENUM_ROUTE, Pod.routes("round \(round)", "b"))
            card.emitChanged(CPW_PARAM_ENUM_ROUTE)
            try await client.settleWithAnswers()
            #expect(card.questions(CPW_PARAM_ENUM_ROUTE) == 1 + round)
        }
        // An event about something else, and the same event again, are no change.
        card.emit(properties: .init(TestServer.card))
        card.emit(CPW_PARAM_ROUTE, readable: true)
        try await client.settleWithAnswers()
        #expect(await client.routeNames == [[]] + (1...5).map { ["round \($0)", "b"] })
        #expect(card.questions(CPW_PARAM_ENUM_ROUTE) == 6)
        for other in [CPW_PARAM_ROUTE, CPW_PARAM_PROFILE, CPW_PARAM_ENUM_PROFILE] {
            #expect(card.questions(other) == 1)
        }
    }

    @Test("Changes faster than the answers are queried once more, not once each")
    func flood() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, TestServer.card)
        let client = try await GraphClient.connected(to: server)
        server.atomically {
            for number in 0..<1000 {
                card.set(CPW_PARAM_ENUM_ROUTE, Pod.routes("\(number)"))
                card.emitChanged(CPW_PARAM_ENUM_ROUTE)
            }
        }
        try await client.settleWithAnswers()
        #expect(await client.registry.graph.devices[ObjectID(card.id)]?.routes.map(\.name) == ["999"])
        // The client reads them in a few pieces, each of which causes at most one query and one
        // more.
        #expect(card.questions(CPW_PARAM_ENUM_ROUTE) < 100)
    }

    @Test("A parameter that cannot be read any more is empty")
    func unreadable() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, TestServer.card)
        card.set(CPW_PARAM_ENUM_ROUTE, Pod.routes("a"))
        let client = try await GraphClient.connected(to: server)
        card.emit(CPW_PARAM_ENUM_ROUTE, readable: false)
        try await client.settleWithAnswers()
        #expect(await client.routeNames == [["a"], []])
        card.emit(CPW_PARAM_ENUM_ROUTE, readable: true)
        try await client.settleWithAnswers()
        #expect(await client.routeNames == [["a"], [], ["a"]])
    }

    @Test("A device that is removed during its answer affects no other")
    func goneInTheMiddle() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, TestServer.card)
        card.set(CPW_PARAM_ENUM_ROUTE, Pod.routes("a", "b"))
        let client = try await GraphClient.connected(to: server)
        card.hold()
        card.emitChanged(CPW_PARAM_ENUM_ROUTE)
        let other = try await GraphClient.connectedAfterQuestion(to: card, of: server)
        defer { withExtendedLifetime(other) {} }
        card.remove()
        try await client.settleWithAnswers()
        #expect(await client.registry.graph.devices.isEmpty)
        // The next one with this id starts from scratch.
        let next = server.add(CPW_OBJECT_DEVICE, TestServer.card)
        next.set(CPW_PARAM_ENUM_ROUTE, Pod.routes("c"))
        next.emitChanged(CPW_PARAM_ENUM_ROUTE)
        try await client.settleWithAnswers()
        try await client.settleWithAnswers()
        #expect(await client.registry.graph.devices[ObjectID(next.id)]?.routes.map(\.name) == ["c"])
    }

    @Test("An endless list is limited")
    func endlessList() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, TestServer.card)
        card.set(CPW_PARAM_ENUM_ROUTE, Array(repeating: Pod.route(index: 0, name: "r").bytes, count: 20_000))
        let name = String(repeating: "n", count: 100_000)
        card.set(CPW_PARAM_ENUM_PROFILE, [Pod.profile(index: 0, name: name).bytes])
        let client = try await GraphClient.connected(to: server)
        let device = try #require(await client.registry.graph.devices[ObjectID(card.id)])
        #expect(device.routes.count == GraphLimits.routes)
        #expect(device.profiles.map(\.name.utf8.count) == [GraphLimits.text])
    }
}
