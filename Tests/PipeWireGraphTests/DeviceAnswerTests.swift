import AudioSessionCore
import CPipeWireShim
import PipeWireGraph
import Testing

/// When answers of a card are reported: their order, and the barriers that wait for them.
@Suite("Answers of devices")
struct DeviceAnswerTests {
    @Test("Jacks are queried before a card's other parameters")
    func order() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, TestServer.card)
        let client = try await GraphClient.connected(to: server)
        let order = ["routes", "profile", "active routes", "profiles"]
        #expect(await client.parameterNames == order)
        await client.clearEvents()
        card.emitChanged(CPW_PARAM_ENUM_PROFILE, CPW_PARAM_PROFILE, CPW_PARAM_ENUM_ROUTE, CPW_PARAM_ROUTE)
        try await client.settleWithAnswers()
        #expect(await client.parameterNames == order)
    }

    /// The routes that are reported while the end of the list is held back, and all that are
    /// reported.
    private func receivedAnswer(_ before: [[UInt8]], _ after: [[UInt8]]) async throws -> (
        early: [[String]], all: [[String]]
    ) {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, TestServer.card)
        card.set(CPW_PARAM_ENUM_ROUTE, before)
        let client = try await GraphClient.connected(to: server)
        await client.clearEvents()
        card.hold()
        card.set(CPW_PARAM_ENUM_ROUTE, after)
        card.emitChanged(CPW_PARAM_ENUM_ROUTE)
        let other = try await GraphClient.connectedAfterQuestion(to: card, of: server)
        defer { withExtendedLifetime(other) {} }
        card.answer()
        try await client.waitForAllEvents(of: server)
        let early = await client.routeNames
        card.release()
        try await client.settleWithAnswers()
        return (early, await client.routeNames)
    }

    @Test("Unchanged routes are reported with the last of them, and once")
    func sameRoutes() async throws {
        let plugged = [Pod.route(index: 0, name: "a").bytes, Pod.route(index: 1, name: "b", availability: 2).bytes]
        let received = try await receivedAnswer(Pod.routes("a", "b"), plugged)
        #expect(received.early == [["a", "b"]])
        #expect(received.all == [["a", "b"]])
    }

    @Test("Changed routes are reported at their end", arguments: [["a"], ["a", "c"], ["b", "a"], []])
    func otherRoutes(_ names: [String]) async throws {
        let after = names.enumerated().map { Pod.route(index: Int32($0.offset), name: $0.element).bytes }
        let received = try await receivedAnswer(Pod.routes("a", "b"), after)
        #expect(received.early.isEmpty)
        #expect(received.all == [names])
    }

    @Test("Additional routes follow at the end")
    func moreRoutes() async throws {
        let received = try await receivedAnswer(Pod.routes("a", "b"), Pod.routes("a", "b", "c"))
        #expect(received.early == [["a", "b"]])
        #expect(received.all == [["a", "b"], ["a", "b", "c"]])
    }

    @Test("A card is queried until it has answered")
    func asking() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, TestServer.card)
        let client = try await GraphClient.connected(to: server)
        #expect(await !client.isEnumerating)
        card.hold()
        card.emitChanged(CPW_PARAM_ENUM_ROUTE)
        try await client.waitForAllEvents(of: server)
        #expect(await client.isEnumerating)
        card.release()
        try await client.settleWithAnswers()
        #expect(await !client.isEnumerating)
    }

    @Test("A barrier does not pass before the answers to everything that it follows")
    func barrierAfterChanges() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, TestServer.card)
        let client = try await GraphClient.connected(to: server)
        await client.clearEvents()
        card.hold()
        card.set(CPW_PARAM_ENUM_ROUTE, Pod.routes("first"))
        card.emitChanged(CPW_PARAM_ENUM_ROUTE)
        // While the first answer is under way, the device changes twice more.
        try await client.waitForAllEvents(of: server)
        let other = try await GraphClient.connectedAfterQuestion(to: card, of: server)
        defer { withExtendedLifetime(other) {} }
        card.set(CPW_PARAM_ENUM_ROUTE, Pod.routes("second"))
        card.emitChanged(CPW_PARAM_ENUM_ROUTE)
        card.set(CPW_PARAM_ENUM_ROUTE, Pod.routes("third"))
        card.emitChanged(CPW_PARAM_ENUM_ROUTE)
        try await client.waitForAllEvents(of: server)
        await client.perform(.barrier(.routes))
        card.release()
        try await client.wait(for: "the barrier") { $0.passedBarriers == 1 }
        #expect(await client.routeNames.last == ["third"])
        #expect(await client.registry.graph.devices[ObjectID(card.id)]?.routes.map(\.name) == ["third"])
        try await client.settleWithAnswers()
        #expect(await client.routeNames.last == ["third"])
    }

    @Test("A barrier during an outdated answer does not pass before the next one")
    func barrierAtOldAnswer() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, TestServer.card)
        let client = try await GraphClient.connected(to: server)
        await client.clearEvents()
        await client.askForBarrier(at: { if case .deviceRoutes = $0 { true } else { false } })
        card.hold()
        card.emitChanged(CPW_PARAM_ENUM_ROUTE)
        let other = try await GraphClient.connectedAfterQuestion(to: card, of: server)
        defer { withExtendedLifetime(other) {} }
        card.set(CPW_PARAM_ENUM_ROUTE, Pod.routes("second"))
        card.emitChanged(CPW_PARAM_ENUM_ROUTE)
        try await client.waitForAllEvents(of: server)
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

    /// The session manager leaves a device route because its jack is empty. In the other order it
    /// would count as the user's choice.
    @Test("A changed route is reported after the jack that is the reason")
    func reasonFirst() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, TestServer.card)
        card.set(CPW_PARAM_ENUM_ROUTE, Pod.routes("headset", "internal"))
        card.set(CPW_PARAM_ROUTE, [Pod.route(index: 0, name: "headset", device: 0).bytes])
        let client = try await GraphClient.connected(to: server)
        await client.clearEvents()
        card.hold()
        card.emitChanged(CPW_PARAM_ENUM_ROUTE)
        let other = try await GraphClient.connectedAfterQuestion(to: card, of: server)
        defer { withExtendedLifetime(other) {} }
        card.set(
            CPW_PARAM_ENUM_ROUTE,
            [
                Pod.route(index: 0, name: "headset", availability: 1).bytes,
                Pod.route(index: 1, name: "internal").bytes,
            ])
        card.emitChanged(CPW_PARAM_ENUM_ROUTE)
        card.set(CPW_PARAM_ROUTE, [Pod.route(index: 1, name: "internal", device: 0).bytes])
        card.emitChanged(CPW_PARAM_ROUTE)
        try await client.waitForAllEvents(of: server)
        card.release()
        try await client.wait(for: "the other route") {
            $0.registry.graph.devices[ObjectID(card.id)]?.activeRoutes.map(\.name) == ["internal"]
        }
        #expect(await client.routeNews == ["headset unknown", "headset no", "to internal"])
    }

    @Test("Answers during a client's removal are queried again, because the daemon may have sent an old one")
    func oldAnswer() async throws {
        let server = try TestServer()
        let card = server.add(CPW_OBJECT_DEVICE, TestServer.card)
        let program = server.add(CPW_OBJECT_CLIENT, ["application.name": "wpctl"])
        let client = try await GraphClient.connected(to: server)
        card.hold()
        card.set(CPW_PARAM_ENUM_ROUTE, Pod.routes("old"))
        card.emitChanged(CPW_PARAM_ENUM_ROUTE)
        let other = try await GraphClient.connectedAfterQuestion(to: card, of: server)
        defer { withExtendedLifetime(other) {} }
        program.remove()
        try await client.wait(for: "its end") { $0.registry.graph.clients[ObjectID(program.id)] == nil }
        card.set(CPW_PARAM_ENUM_ROUTE, Pod.routes("new"))
        card.release()
        try await client.wait(for: "the old answer") { $0.routeNames.contains(["old"]) }
        try await client.wait(for: "the second look") { $0.routeNames.last == ["new"] }
        #expect(await client.routeNames.prefix(3) == [[], ["old"], ["new"]])
    }
}

extension GraphClient {
    /// The reports of a card, in this order.
    fileprivate var parameterNames: [String] {
        all { event in
            switch event {
            case .deviceRoutes: "routes"
            case .deviceActiveProfile: "profile"
            case .deviceActiveRoutes: "active routes"
            case .deviceProfiles: "profiles"
            default: nil
            }
        }
    }

    /// Whether the first route's jack is occupied, and which route became active.
    fileprivate var routeNews: [String] {
        events.compactMap { event in
            switch event {
            case .deviceRoutes(_, let routes): routes.first.map { "\($0.name) \($0.availability)" }
            case .deviceActiveRoutes(_, let routes): "to \(routes.first?.name ?? "none")"
            default: nil
            }
        }
    }
}
