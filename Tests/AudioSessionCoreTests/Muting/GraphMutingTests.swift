import AudioSessionCore
import Testing

@Suite struct GraphMutingTests {
    private static let card = ObjectID(40)
    private static let sink = ObjectID(41)
    private static let other = ObjectID(42)
    private static let stream = ObjectID(50)

    /// A card with a speaker, which is the default, another sink without a card, and a stream that
    /// plays to it.
    private func computer(isSpeakerMuted: Bool = false) -> AudioGraph {
        var graph = AudioGraph()
        var speaker = DeviceRoute(index: 0, direction: .output, name: "speaker", devices: [0])
        let routes = [speaker]
        speaker.device = 0
        speaker.isMuted = isSpeakerMuted
        graph.devices[Self.card] = Device(id: Self.card, properties: [:], routes: routes, activeRoutes: [speaker])
        graph.nodes[Self.sink] = Node(
            id: Self.sink,
            properties: [
                .nodeName: "speakers", .mediaClass: "Audio/Sink", .deviceID: "40", .cardProfileDevice: "0",
            ])
        graph.nodes[Self.other] = Node(id: Self.other, properties: [.nodeName: "other", .mediaClass: "Audio/Sink"])
        graph.nodes[Self.stream] = Node(id: Self.stream, properties: [.mediaClass: "Stream/Output/Audio"])
        graph.links[ObjectID(60)] = Link(id: ObjectID(60), outputNode: Self.stream, inputNode: Self.other)
        graph.defaultSinkName = "speakers"
        return graph
    }

    @Test func nothingIsMutedAtFirst() {
        #expect(!computer().isAnythingMuted)
        #expect(!computer().areMuted([]))
        #expect(!computer().areMuted([Self.stream]))
    }

    @Test func aMutedDeviceRouteMutesItsStreams() {
        var graph = computer(isSpeakerMuted: true)
        #expect(graph.isAnythingMuted)
        #expect(graph.areMuted([]))
        #expect(!graph.areMuted([Self.stream]))
        graph.links[ObjectID(60)] = Link(id: ObjectID(60), outputNode: Self.stream, inputNode: Self.sink)
        #expect(graph.areMuted([Self.stream]))
    }

    @Test func aMutedNodeIsMutedWhateverItsCardReports() {
        var graph = computer()
        graph.mutedNodes = [Self.sink]
        #expect(graph.areMuted([]))
        graph.mutedNodes = [Self.other]
        #expect(!graph.areMuted([]))
        #expect(graph.areMuted([Self.stream]))
    }

    @Test func aMutedStreamIsMutedOnEverySink() {
        var graph = computer()
        graph.mutedNodes = [Self.stream]
        #expect(graph.areMuted([Self.stream]))
        #expect(!graph.areMuted([]))
        #expect(!graph.areMuted([Self.stream, ObjectID(51)]))
    }

    @Test func aStreamOnTwoSinksIsMutedIfBothAre() {
        var graph = computer(isSpeakerMuted: true)
        graph.links[ObjectID(61)] = Link(id: ObjectID(61), outputNode: Self.stream, inputNode: Self.sink)
        #expect(!graph.areMuted([Self.stream]))
        graph.mutedNodes = [Self.other]
        #expect(graph.areMuted([Self.stream]))
    }

    @Test func aStreamWithoutLinksIsMutedLikeTheDefault() {
        var graph = computer(isSpeakerMuted: true)
        graph.links[ObjectID(60)] = nil
        #expect(graph.areMuted([Self.stream]))
        graph.defaultSinkName = "gone"
        #expect(!graph.areMuted([Self.stream]))
    }

    @Test func soundBehindAFilterIsMutedWithTheRealSink() {
        var graph = computer(isSpeakerMuted: true)
        let group = "filter"
        graph.nodes[Self.other] = Node(
            id: Self.other, properties: [.nodeName: "other", .mediaClass: "Audio/Sink", .nodeLinkGroup: group])
        graph.nodes[ObjectID(43)] = Node(
            id: ObjectID(43), properties: [.mediaClass: "Stream/Output/Audio", .nodeLinkGroup: group])
        graph.links[ObjectID(61)] = Link(id: ObjectID(61), outputNode: ObjectID(43), inputNode: Self.sink)
        #expect(graph.areMuted([Self.stream]))
    }

    // MARK: Registry

    @Test func sinksAreWatchedAndStreamsAndSourcesAreNot() {
        var registry = RegistryStateMachine()
        func commands(_ id: ObjectID, _ mediaClass: String) -> [GraphCommand] {
            let node = Node(id: id, properties: [.mediaClass: mediaClass])
            return registry.receive(.nodeProperties(id, node.properties))
        }
        #expect(commands(Self.sink, "Audio/Sink") == [.watchMute(Self.sink)])
        #expect(commands(Self.other, "Audio/Duplex") == [.watchMute(Self.other)])
        #expect(commands(Self.stream, "Stream/Output/Audio").isEmpty)
        #expect(commands(ObjectID(51), "Audio/Source").isEmpty)
        // Once is enough.
        #expect(registry.receive(.nodeProperties(Self.sink, [.mediaClass: "Audio/Sink"])).isEmpty)
    }

    @Test func aMuteIsRemovedWithItsNode() {
        var registry = RegistryStateMachine()
        _ = registry.receive(.nodeMuted(Self.sink, true))
        #expect(registry.graph.mutedNodes.isEmpty)
        let node = Node(id: Self.sink, properties: [.mediaClass: "Audio/Sink"])
        _ = registry.receive(.nodeProperties(node.id, node.properties))
        _ = registry.receive(.nodeMuted(Self.sink, true))
        #expect(registry.graph.mutedNodes == [Self.sink])
        _ = registry.receive(.disappeared(Self.sink))
        #expect(registry.graph.mutedNodes.isEmpty)
    }

    /// PipeWire sends both whenever one of them has changed.
    @Test func unchangedVolumesAndMutesAreNoChange() {
        var registry = RegistryStateMachine()
        let node = Node(id: Self.sink, properties: [.mediaClass: "Audio/Sink"])
        _ = registry.receive(.nodeProperties(node.id, node.properties))
        let sink = Self.sink
        func changesMixer(_ event: GraphEvent) -> Bool { registry.apply(event)?.effects.contains(.mixer) == true }
        #expect(!changesMixer(.nodeMuted(sink, false)), "as it is")
        for event in [GraphEvent.nodeMuted(sink, true), .nodeVolumes(sink, [1])] {
            #expect(changesMixer(event))
            #expect(!changesMixer(event), "a second time")
        }
        #expect(registry.graph.mutedNodes == [sink] && registry.graph.volumes == [sink: [1]])
        #expect(changesMixer(.nodeVolumes(sink, [0.5])) && changesMixer(.nodeVolumes(sink, [1])))
        #expect(changesMixer(.nodeMuted(sink, false)) && registry.graph.mutedNodes.isEmpty)
    }
}
