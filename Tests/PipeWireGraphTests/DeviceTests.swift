import AudioSessionCore
import CPipeWireShim
import PipeWireGraph
import Testing

@Suite("Devices")
struct DeviceTests {
    private static let card: KeyValuePairs = ["device.name": "card", "media.class": "Audio/Device"]

    private func routes(_ names: String...) -> [[UInt8]] {
        names.enumerated().map { Pod.route(index: Int32($0.offset), name: $0.element).bytes }
    }

    private func routeLists(_ client: GraphClient) async -> [[String]] {
        await client.all { if case .deviceRoutes(_, let routes) = $0 { routes.map(\.name) } else { nil } }
    }

    @Test("Profiles and routes are decoded whole")
    func decoding() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, Self.card)
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

    @Test("What is in the jacks is asked for before what else a card may have to say")
    func order() async throws {
        let server = try TestServer()
        _ = server.add(CPW_OBJECT_DEVICE, Self.card)
        let client = try await GraphClient.connected(to: server)
        let told: [String] = await client.all { event in
            switch event {
            case .deviceRoutes: "routes"
            case .deviceActiveProfile: "profile"
            case .deviceActiveRoutes: "active routes"
            case .deviceProfiles: "profiles"
            default: nil
            }
        }
        #expect(told == ["routes", "profile", "active routes", "profiles"])
    }

    @Test("What a list shares with the one before is not taken for all of it")
    func sharedTexts() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, Self.card)
        let client = try await GraphClient.connected(to: server)
        let names = ["", "route", "route of a long name", "route of a long", "", "r\u{e9}", "r\u{e9}e", "Route"]
        for (round, name) in names.enumerated() {
            let profiles = Array(Int32(0)..<Int32(round % 3))
            card.set(
                CPW_PARAM_ENUM_ROUTE,
                [Pod.route(index: 0, name: name, portType: name, profiles: profiles, devices: profiles).bytes])
            card.tellChanged(CPW_PARAM_ENUM_ROUTE)
            try await client.settleWithAnswers()
            let route = try #require(await client.registry.graph.devices[ObjectID(card.id)]?.routes.first)
            #expect((route.name, route.portType) == (name, name))
            #expect(route.description == "Route \(name)")
            #expect(route.profiles == profiles.map { Int($0) } && route.devices == route.profiles)
        }
    }

    @Test("Each change of a parameter is asked for once, and only that one")
    func changes() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, Self.card)
        let client = try await GraphClient.connected(to: server)
        for round in 1...5 {
            card.set(CPW_PARAM_ENUM_ROUTE, routes("round \(round)", "b"))
            card.tellChanged(CPW_PARAM_ENUM_ROUTE)
            try await client.settleWithAnswers()
            #expect(card.questions(CPW_PARAM_ENUM_ROUTE) == 1 + round)
        }
        // News about something else, and the same news again, are no change.
        card.tell(properties: .init(Self.card))
        card.tell(CPW_PARAM_ROUTE, readable: true)
        try await client.settleWithAnswers()
        #expect(await routeLists(client) == [[]] + (1...5).map { ["round \($0)", "b"] })
        #expect(card.questions(CPW_PARAM_ENUM_ROUTE) == 6)
        for other in [CPW_PARAM_ROUTE, CPW_PARAM_PROFILE, CPW_PARAM_ENUM_PROFILE] {
            #expect(card.questions(other) == 1)
        }
    }

    /// What is told of a list whose end is held back, and what in all.
    private func toldOfAnswer(_ before: [[UInt8]], _ after: [[UInt8]]) async throws -> (
        early: [[String]], all: [[String]]
    ) {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, Self.card)
        card.set(CPW_PARAM_ENUM_ROUTE, before)
        let client = try await GraphClient.connected(to: server)
        await client.forget()
        card.hold()
        card.set(CPW_PARAM_ENUM_ROUTE, after)
        card.tellChanged(CPW_PARAM_ENUM_ROUTE)
        let other = try await waitForQuestion(card, server)
        defer { withExtendedLifetime(other) {} }
        card.answer()
        let asked = server.add(CPW_OBJECT_CLIENT, ["application.name": "the answer was read"])
        try await client.wait(for: "the answer") { $0.registry.graph.clients[ObjectID(asked.id)] != nil }
        let early = await routeLists(client)
        card.release()
        try await client.settleWithAnswers()
        return (early, await routeLists(client))
    }

    @Test("Routes that are the same as before are told with the last of them, and once")
    func sameRoutes() async throws {
        let plugged = [Pod.route(index: 0, name: "a").bytes, Pod.route(index: 1, name: "b", availability: 2).bytes]
        let told = try await toldOfAnswer(routes("a", "b"), plugged)
        #expect(told.early == [["a", "b"]])
        #expect(told.all == [["a", "b"]])
    }

    @Test("Other routes than before are told at their end", arguments: [["a"], ["a", "c"], ["b", "a"], []])
    func otherRoutes(_ names: [String]) async throws {
        let after = names.enumerated().map { Pod.route(index: Int32($0.offset), name: $0.element).bytes }
        let told = try await toldOfAnswer(routes("a", "b"), after)
        #expect(told.early.isEmpty)
        #expect(told.all == [names])
    }

    @Test("Routes beyond those of before follow at the end")
    func moreRoutes() async throws {
        let told = try await toldOfAnswer(routes("a", "b"), routes("a", "b", "c"))
        #expect(told.early == [["a", "b"]])
        #expect(told.all == [["a", "b"], ["a", "b", "c"]])
    }

    @Test("A jack does not wait for the list of profiles")
    func profilesLast() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, Self.card)
        let client = try await GraphClient.connected(to: server)
        await client.forget()
        card.hold()
        card.tellChanged(CPW_PARAM_ENUM_PROFILE, CPW_PARAM_ENUM_ROUTE)
        let other = try await waitForQuestion(card, server)
        defer { withExtendedLifetime(other) {} }
        #expect(card.questions(CPW_PARAM_ENUM_PROFILE) == 1, "the daemon has not read it yet")
        card.release()
        try await client.settleWithAnswers()
        #expect(card.questions(CPW_PARAM_ENUM_PROFILE) == 2)
    }

    @Test("A barrier does not pass before the answers to everything that it follows")
    func barrierAfterChanges() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, Self.card)
        let client = try await GraphClient.connected(to: server)
        await client.forget()
        card.hold()
        card.set(CPW_PARAM_ENUM_ROUTE, routes("first"))
        card.tellChanged(CPW_PARAM_ENUM_ROUTE)
        // While the first answer is on its way, the device changes twice more.
        let asked = server.add(CPW_OBJECT_CLIENT, ["application.name": "the question was read"])
        try await client.wait(for: "the news") { $0.registry.graph.clients[ObjectID(asked.id)] != nil }
        let other = try await waitForQuestion(card, server)
        defer { withExtendedLifetime(other) {} }
        card.set(CPW_PARAM_ENUM_ROUTE, routes("second"))
        card.tellChanged(CPW_PARAM_ENUM_ROUTE)
        card.set(CPW_PARAM_ENUM_ROUTE, routes("third"))
        card.tellChanged(CPW_PARAM_ENUM_ROUTE)
        let told = server.add(CPW_OBJECT_CLIENT, ["application.name": "the news was read"])
        try await client.wait(for: "the news") { $0.registry.graph.clients[ObjectID(told.id)] != nil }
        await client.perform(.barrier(.routes))
        card.release()
        try await client.wait(for: "the barrier") { $0.passedBarriers == 1 }
        #expect(await routeLists(client).last == ["third"])
        #expect(await client.registry.graph.devices[ObjectID(card.id)]?.routes.map(\.name) == ["third"])
        try await client.settleWithAnswers()
        #expect(await routeLists(client).last == ["third"])
    }

    @Test("Nor does one that is asked for when an answer has come that is old by then")
    func barrierAtOldAnswer() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, Self.card)
        let client = try await GraphClient.connected(to: server)
        await client.forget()
        await client.askForBarrier(at: { if case .deviceRoutes = $0 { true } else { false } })
        card.hold()
        card.tellChanged(CPW_PARAM_ENUM_ROUTE)
        let other = try await waitForQuestion(card, server)
        defer { withExtendedLifetime(other) {} }
        card.set(CPW_PARAM_ENUM_ROUTE, routes("second"))
        card.tellChanged(CPW_PARAM_ENUM_ROUTE)
        let told = server.add(CPW_OBJECT_CLIENT, ["application.name": "the news was read"])
        try await client.wait(for: "the news") { $0.registry.graph.clients[ObjectID(told.id)] != nil }
        card.release()
        try await client.wait(for: "the barrier") { $0.passedBarriers == 1 }
        let order: [String] = await client.all { event in
            switch event {
            case .deviceRoutes(_, let routes): "routes: \(routes.map(\.name))"
            case .barrier(.routes): "barrier"
            default: nil
            }
        }
        #expect(order.count == 3)
        #expect(order.suffix(2) == [#"routes: ["second"]"#, "barrier"])
    }

    /// The session manager leaves a route because its jack is empty. Told the other way round that would be somebody's choice.
    @Test("A route that is left is told after the jack that is the reason")
    func reasonFirst() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, Self.card)
        card.set(CPW_PARAM_ENUM_ROUTE, routes("headset", "internal"))
        card.set(CPW_PARAM_ROUTE, [Pod.route(index: 0, name: "headset", device: 0).bytes])
        let client = try await GraphClient.connected(to: server)
        await client.forget()
        card.hold()
        card.tellChanged(CPW_PARAM_ENUM_ROUTE)
        let other = try await waitForQuestion(card, server)
        defer { withExtendedLifetime(other) {} }
        card.set(
            CPW_PARAM_ENUM_ROUTE,
            [
                Pod.route(index: 0, name: "headset", availability: 1).bytes,
                Pod.route(index: 1, name: "internal").bytes,
            ])
        card.tellChanged(CPW_PARAM_ENUM_ROUTE)
        card.set(CPW_PARAM_ROUTE, [Pod.route(index: 1, name: "internal", device: 0).bytes])
        card.tellChanged(CPW_PARAM_ROUTE)
        let told = server.add(CPW_OBJECT_CLIENT, ["application.name": "the news was read"])
        try await client.wait(for: "the news") { $0.registry.graph.clients[ObjectID(told.id)] != nil }
        card.release()
        try await client.wait(for: "the other route") {
            $0.registry.graph.devices[ObjectID(card.id)]?.activeRoutes.map(\.name) == ["internal"]
        }
        #expect(await client.routeNews == ["headset unknown", "headset no", "to internal"])
    }

    /// Another connection's barrier, over the same daemon, is behind the question that went before.
    ///
    /// - Returns: that one. To be kept: were it to go, the answer would be doubted.
    private func waitForQuestion(_ card: TestObject, _ server: TestServer) async throws -> GraphClient {
        let other = try await GraphClient.connected(to: server, binds: false)
        while card.questions(CPW_PARAM_ENUM_ROUTE) < 2 { try await other.settle() }
        return other
    }

    @Test("What was answered while a program went is asked for again, because the daemon may have had an old answer")
    func oldAnswer() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, Self.card)
        let program = server.add(CPW_OBJECT_CLIENT, ["application.name": "wpctl"])
        let client = try await GraphClient.connected(to: server)
        card.hold()
        card.set(CPW_PARAM_ENUM_ROUTE, routes("old"))
        card.tellChanged(CPW_PARAM_ENUM_ROUTE)
        let other = try await waitForQuestion(card, server)
        defer { withExtendedLifetime(other) {} }
        program.remove()
        try await client.wait(for: "its end") { $0.registry.graph.clients[ObjectID(program.id)] == nil }
        card.set(CPW_PARAM_ENUM_ROUTE, routes("new"))
        card.release()
        try await client.wait(for: "the old answer") { $0.routeNames.contains(["old"]) }
        try await client.wait(for: "the second look") { $0.routeNames.last == ["new"] }
        #expect(await client.routeNames.prefix(3) == [[], ["old"], ["new"]])
    }

    @Test("Changes that come faster than the answers are asked for once more, not once each")
    func flood() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, Self.card)
        let client = try await GraphClient.connected(to: server)
        server.atomically {
            for number in 0..<1000 {
                card.set(CPW_PARAM_ENUM_ROUTE, routes("\(number)"))
                card.tellChanged(CPW_PARAM_ENUM_ROUTE)
            }
        }
        try await client.settleWithAnswers()
        #expect(await client.registry.graph.devices[ObjectID(card.id)]?.routes.map(\.name) == ["999"])
        // Read in a few pieces by the client, each of which is worth at most one question and one more.
        #expect(card.questions(CPW_PARAM_ENUM_ROUTE) < 100)
    }

    @Test("A parameter that cannot be read any more is empty")
    func unreadable() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, Self.card)
        card.set(CPW_PARAM_ENUM_ROUTE, routes("a"))
        let client = try await GraphClient.connected(to: server)
        card.tell(CPW_PARAM_ENUM_ROUTE, readable: false)
        try await client.settleWithAnswers()
        #expect(await routeLists(client) == [["a"], []])
        card.tell(CPW_PARAM_ENUM_ROUTE, readable: true)
        try await client.settleWithAnswers()
        #expect(await routeLists(client) == [["a"], [], ["a"]])
    }

    @Test("A device that goes in the middle of its answer takes nothing with it")
    func goneInTheMiddle() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, Self.card)
        card.set(CPW_PARAM_ENUM_ROUTE, routes("a", "b"))
        let client = try await GraphClient.connected(to: server)
        card.hold()
        card.tellChanged(CPW_PARAM_ENUM_ROUTE)
        let other = try await waitForQuestion(card, server)
        defer { withExtendedLifetime(other) {} }
        card.remove()
        try await client.settleWithAnswers()
        #expect(await client.registry.graph.devices.isEmpty)
        // The next one with this id begins anew.
        let next = server.add(CPW_OBJECT_DEVICE, Self.card)
        next.set(CPW_PARAM_ENUM_ROUTE, routes("c"))
        next.tellChanged(CPW_PARAM_ENUM_ROUTE)
        try await client.settleWithAnswers()
        try await client.settleWithAnswers()
        #expect(await client.registry.graph.devices[ObjectID(next.id)]?.routes.map(\.name) == ["c"])
    }

    @Test("A list without end has one")
    func endlessList() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, Self.card)
        card.set(CPW_PARAM_ENUM_ROUTE, Array(repeating: Pod.route(index: 0, name: "r").bytes, count: 20_000))
        let name = String(repeating: "n", count: 100_000)
        card.set(CPW_PARAM_ENUM_PROFILE, [Pod.profile(index: 0, name: name).bytes])
        let client = try await GraphClient.connected(to: server)
        let device = try #require(await client.registry.graph.devices[ObjectID(card.id)])
        #expect(device.routes.count == 1024)
        #expect(device.profiles.map(\.name.utf8.count) == [4096])
    }
}

extension GraphClient {
    /// Of the first route whether anything is in its jack, and to which one it went.
    fileprivate var routeNews: [String] {
        events.compactMap { event in
            switch event {
            case .deviceRoutes(_, let routes): routes.first.map { "\($0.name) \($0.availability)" }
            case .deviceActiveRoutes(_, let routes): "to \(routes.first?.name ?? "none")"
            default: nil
            }
        }
    }

    fileprivate var routeNames: [[String]] {
        events.compactMap { if case .deviceRoutes(_, let routes) = $0 { routes.map(\.name) } else { nil } }
    }
}
