import Testing

@testable import AudioSessionCore

@Suite struct InputObservationTests {
    private static let card = ObjectID(40)
    private static let source = ObjectID(41)
    private static let stream = ObjectID(50)
    private static let link = ObjectID(60)

    /// A card with an internal microphone and a jack for another, and a stream that records.
    private func computer(active: String = "mic", jack: Availability = .yes) -> AudioGraph {
        var graph = AudioGraph()
        graph.sessionManager = ObjectID(30)
        func route(_ index: Int, _ name: String, _ type: String, _ availability: Availability) -> DeviceRoute {
            DeviceRoute(
                index: index, direction: .input, name: name, description: name, availability: availability,
                portType: type, devices: [0])
        }
        let routes = [route(0, "mic", "mic", .unknown), route(1, "headset", "headset-mic", jack)]
        var device = Device(id: Self.card, properties: [.deviceName: "card", .deviceAPI: "alsa"])
        device.routes = routes
        device.activeRoutes = routes.filter { $0.name == active }.map { route in
            var route = route
            route.device = 0
            return route
        }
        graph.devices[Self.card] = device
        graph.nodes[Self.source] = Node(
            id: Self.source,
            properties: [
                .nodeName: "source", .mediaClass: "Audio/Source", .deviceID: "40", .cardProfileDevice: "0",
                .deviceAPI: "alsa",
            ])
        graph.nodes[Self.stream] = Node(id: Self.stream, properties: [.mediaClass: "Stream/Input/Audio"])
        graph.links[Self.link] = Link(id: Self.link, outputNode: Self.source, inputNode: Self.stream)
        return graph
    }

    private func observe(_ graph: AudioGraph, _ former: PortDescription? = nil) -> InputObservation {
        graph.observeInput(of: Self.stream, former: former, PortCatalog(of: graph))
    }

    @Test func theInputIsThePortThatTheStreamIsLinkedTo() throws {
        let seen = observe(computer())
        #expect(seen.source == Self.source)
        #expect(seen.port?.routeName == "mic")
        #expect(seen.port?.direction == .input)
        #expect(seen.isFormerAvailable)
        #expect(!seen.isFormerGone && !seen.isMuted && seen.hasSessionManager)
    }

    @Test func withoutAStreamOrLinkThereIsNoInput() {
        var graph = computer()
        #expect(graph.observeInput(of: nil, former: nil, PortCatalog(of: graph)).port == nil)
        graph.links[Self.link] = nil
        #expect(observe(graph).port == nil)
        #expect(observe(graph).source == nil)
        #expect(observe(graph).isFormerAvailable, "there is one that it could be linked to")
        graph.nodes[Self.source] = nil
        graph.devices[Self.card] = nil
        #expect(!observe(graph).isFormerAvailable)
    }

    /// A session manager without microphones may link a recording to the monitor of a sink.
    @Test func aSinksMonitorIsNoMicrophone() {
        var graph = computer()
        graph.nodes[ObjectID(42)] = Node(
            id: ObjectID(42), properties: [.nodeName: "sink", .mediaClass: "Audio/Sink"])
        graph.links[Self.link] = Link(id: Self.link, outputNode: ObjectID(42), inputNode: Self.stream)
        #expect(observe(graph).source == ObjectID(42))
        #expect(observe(graph).port == nil)
    }

    @Test func anEmptyJackIsALoss() throws {
        let headset = try #require(observe(computer(active: "headset")).port)
        let seen = observe(computer(jack: .no), headset)
        #expect(seen.port?.uid != headset.uid)
        #expect(seen.isFormerGone && !seen.isFormerAvailable)
        // A port that can still be chosen is not lost.
        #expect(!observe(computer(), headset).isFormerGone)
        #expect(observe(computer(), headset).isFormerAvailable)
    }

    @Test func aRemovedDeviceIsALossUnlessTheSessionManagerIsAway() throws {
        var graph = computer()
        let former = try #require(observe(graph).port)
        graph.nodes[Self.source] = nil
        #expect(observe(graph, former).port == nil)
        #expect(!observe(graph, former).isFormerGone, "its card may only show other nodes")
        graph.devices[Self.card] = nil
        #expect(observe(graph, former).isFormerGone)
        graph.sessionManager = nil
        #expect(!observe(graph, former).isFormerGone)
        #expect(!observe(graph, former).hasSessionManager)
    }

    @Test(arguments: ["source", "stream", "card"])
    func aMutedSourceStreamOrCardMutesTheInput(which: String) {
        var graph = computer()
        switch which {
        case "source": graph.mutedNodes = [Self.source]
        case "stream": graph.mutedNodes = [Self.stream]
        default: graph.devices[Self.card]?.activeRoutes[0].isMuted = true
        }
        #expect(observe(graph).isMuted)
    }
}
