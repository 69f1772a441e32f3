import AudioSessionCore
import Testing

@Suite struct SoundStateTests {
    private static let card = ObjectID(40)
    private static let sink = ObjectID(41)
    private static let other = ObjectID(42)
    private static let microphone = ObjectID(43)
    private static let stream = ObjectID(50)

    /// A card with a speaker, which is the default, another sink and a microphone without a card,
    /// and a stream that plays to the other sink.
    private func computer(speaker volumes: [Float] = []) -> AudioGraph {
        var graph = AudioGraph()
        var speaker = DeviceRoute(index: 3, direction: .output, name: "speaker", devices: [7])
        let routes = [speaker]
        speaker.device = 7
        speaker.volumes = volumes
        graph.devices[Self.card] = Device(id: Self.card, properties: [:], routes: routes, activeRoutes: [speaker])
        graph.nodes[Self.sink] = Node(
            id: Self.sink,
            properties: [
                .nodeName: "speakers", .mediaClass: "Audio/Sink", .deviceID: "40", .cardProfileDevice: "7",
                .audioPosition: "FL,FR,RL,RR",
            ])
        graph.nodes[Self.other] = Node(
            id: Self.other,
            properties: [.nodeName: "other", .mediaClass: "Audio/Sink", .audioPosition: "[ MONO ]"])
        graph.nodes[Self.microphone] = Node(
            id: Self.microphone, properties: [.nodeName: "mic", .mediaClass: "Audio/Source"])
        graph.nodes[Self.stream] = Node(id: Self.stream, properties: [.mediaClass: "Stream/Output/Audio"])
        graph.links[ObjectID(60)] = Link(id: ObjectID(60), outputNode: Self.stream, inputNode: Self.other)
        graph.defaultSinkName = "speakers"
        return graph
    }

    private func use(_ change: (inout SoundUse) -> Void) -> SoundUse {
        var use = SoundUse()
        change(&use)
        return use
    }

    // MARK: Volume

    @Test(arguments: [(1, 1), (0.064, 0.4), (0.125, 0.5), (0, 0), (1e-6, 0.01), (1e-30, 1e-10), (3.4, 1)])
    func aVolumeIsTheCubeRootOfTheAmplitude(linear: Float, level: Float) throws {
        let volume = try #require(computer(speaker: [linear, linear]).sound(SoundUse()).volume)
        #expect(abs(volume.level - level) <= level * 1e-6)
    }

    @Test func theLoudestChannelIsTheVolume() {
        #expect(computer(speaker: [0, 0.125]).sound(SoundUse()).volume?.level == 0.5)
    }

    @Test func aCardsVolumeIsThatOfItsRoute() {
        var graph = computer(speaker: [0.125])
        graph.volumes[Self.sink] = [1]
        #expect(graph.sound(SoundUse()).volume == OutputVolume(level: 0.5))
        graph.devices[Self.card]?.activeRoutes[0].volumes = []
        #expect(graph.sound(SoundUse()).volume == OutputVolume(level: 1))
    }

    /// An equalizer before the speaker, as SteamOS and desktops with effects have it.
    @Test func aFilterThatIsTheDefaultHasTheVolumeOfTheUser() {
        var graph = computer(speaker: [1])
        let (filter, half) = (ObjectID(44), ObjectID(45))
        graph.nodes[filter] = Node(
            id: filter, properties: [.nodeName: "equalizer", .mediaClass: "Audio/Sink", .nodeLinkGroup: "eq"])
        graph.nodes[half] = Node(id: half, properties: [.mediaClass: "Stream/Output/Audio", .nodeLinkGroup: "eq"])
        graph.links[ObjectID(61)] = Link(id: ObjectID(61), outputNode: half, inputNode: Self.sink)
        graph.volumes[filter] = [0.125]
        let throughFilter = use { $0.outputName = "equalizer" }
        #expect(graph.sound(throughFilter).volume == OutputVolume(level: 1), "the default has the volume")
        graph.defaultSinkName = "equalizer"
        #expect(graph.sound(SoundUse()).volume == OutputVolume(level: 0.5))
        graph.devices[Self.card]?.activeRoutes[0].isMuted = true
        #expect(graph.sound(SoundUse()).volume == OutputVolume(level: 0.5, isMuted: true))
        graph.volumes[filter] = nil
        #expect(graph.sound(SoundUse()).volume == OutputVolume(level: 1, isMuted: true))
    }

    /// The node of a new card reports full volume until the card's routes are known.
    @Test func aCardThatHasJustAppearedHasNoVolumeYet() {
        var graph = computer(speaker: [0.125])
        graph.volumes[Self.sink] = [1]
        graph.devices[Self.card]?.activeRoutes = []
        #expect(graph.sound(SoundUse()).volume == nil)
        // It has none either once the card is removed, before its nodes are.
        graph.devices[Self.card] = nil
        #expect(graph.sound(SoundUse()).volume == nil)
    }

    @Test func aStreamsVolumeIsThatOfItsSink() {
        var graph = computer(speaker: [1])
        graph.volumes[Self.other] = [0.125, 0.125]
        #expect(graph.sound(use { $0.streams = [Self.stream] }).volume?.level == 0.5)
        #expect(graph.sound(use { $0.outputName = "other" }).volume?.level == 0.5)
        #expect(graph.sound(SoundUse()).volume?.level == 1)
        #expect(graph.sound(use { $0.outputName = "nowhere" }).volume == nil)
    }

    @Test func aMuteKeepsTheVolume() {
        var graph = computer(speaker: [0.125])
        graph.devices[Self.card]?.activeRoutes[0].isMuted = true
        #expect(graph.sound(SoundUse()).volume == OutputVolume(level: 0.5, isMuted: true))
        graph.devices[Self.card]?.activeRoutes[0].isMuted = false
        graph.mutedNodes = [Self.sink]
        #expect(graph.sound(SoundUse()).volume == OutputVolume(level: 0.5, isMuted: true))
    }

    // MARK: Gain

    @Test func aNodesGainIsSetAndKeepsTheBalance() throws {
        var graph = computer()
        graph.defaultSourceName = "mic"
        #expect(graph.inputMixer(of: SoundUse()) == nil)
        #expect(graph.sound(SoundUse()).inputGain == nil)
        graph.volumes[Self.microphone] = [1, 0.5]
        let mixer = try #require(graph.inputMixer(of: SoundUse()))
        #expect(mixer.command(level: 0.5) == .setNodeVolumes(Self.microphone, [0.125, 0.0625]))
        #expect(mixer.command(level: 0) == .setNodeVolumes(Self.microphone, [0, 0]))
        graph.volumes[Self.microphone] = [0, 0]
        #expect(graph.inputMixer(of: SoundUse())?.command(level: 1) == .setNodeVolumes(Self.microphone, [1, 1]))
    }

    @Test func aCardsGainIsSetAtItsRoute() throws {
        var graph = computer()
        let jack = DeviceRoute(index: 5, direction: .input, name: "jack", devices: [9], device: 9, volumes: [0.125])
        graph.devices[Self.card]?.activeRoutes.append(jack)
        graph.nodes[Self.microphone] = Node(
            id: Self.microphone,
            properties: [
                .nodeName: "mic", .mediaClass: "Audio/Source", .deviceID: "40", .cardProfileDevice: "9",
            ])
        let use = use { $0.source = Self.microphone }
        #expect(graph.sound(use).inputGain == 0.5)
        #expect(
            graph.inputMixer(of: use)?.command(level: 1)
                == .setRouteVolumes(Self.card, index: 5, number: 9, [1]))
    }

    // MARK: Hardware

    @Test func withoutAStreamTheSettingsGiveTheNumbers() {
        var graph = computer()
        _ = graph.clock.set("clock.quantum", "480")
        let hardware = graph.sound(SoundUse()).hardware
        #expect(hardware.sampleRate == 48000)
        #expect(hardware.ioBufferDuration == .milliseconds(10))
        #expect(hardware.outputLatency == .milliseconds(10))
        #expect(hardware.inputLatency == .zero, "there is no input")
        #expect(hardware.maximumOutputNumberOfChannels == 4 && hardware.outputNumberOfChannels == 4)
        #expect(hardware.maximumInputNumberOfChannels == 0)
    }

    @Test func withAStreamItsNumbersCount() throws {
        let timing = try #require(StreamTiming(quantum: 441, rate: 44100, delay: .milliseconds(150)))
        let playing = use {
            $0.streams = [Self.stream]
            $0.output = timing
            $0.preferences.ioBufferDuration = .milliseconds(1)
        }
        let hardware = computer().sound(playing).hardware
        #expect(hardware.sampleRate == 44100 && hardware.ioBufferDuration == .milliseconds(10))
        #expect(hardware.outputLatency == .milliseconds(150))
        #expect(hardware.outputNumberOfChannels == 1)
        #expect(StreamTiming(quantum: 0, rate: 48000, delay: .zero) == nil)
        #expect(StreamTiming(quantum: 1024, rate: 0, delay: .zero) == nil)
    }

    @Test func preferredChannelsApplyIfTheRouteHasThem() {
        let preferring = use { $0.preferences.outputChannels = 2 }
        #expect(computer().sound(preferring).hardware.outputNumberOfChannels == 2)
        let elsewhere = use {
            $0.preferences.outputChannels = 2
            $0.outputName = "other"
        }
        #expect(computer().sound(elsewhere).hardware.outputNumberOfChannels == 1)
        #expect(computer().sound(elsewhere).hardware.maximumOutputNumberOfChannels == 1)
    }

    @Test func aSmallChangeOfLatencyIsNotNotified() {
        var state = SoundState()
        (state.hardware.sampleRate, state.hardware.outputLatency) = (48000, .milliseconds(20))
        let received = state.hardware
        state.hardware.outputLatency = .microseconds(20_900)
        #expect(!state.hasChanged(besides: received))
        state.hardware.outputLatency = .microseconds(21_000)
        #expect(state.hasChanged(besides: received))
        state.hardware = received
        state.hardware.sampleRate = 44100
        #expect(state.hasChanged(besides: received))
    }

    @Test func aGapBetweenTwoOutputsIsNotNotified() {
        let old = computer(speaker: [0.125]).sound(SoundUse())
        var graph = computer(speaker: [0.125])
        graph.defaultSinkName = "gone"
        let gap = graph.sound(SoundUse())
        #expect(gap.volume == nil && !gap.hasOutput)
        let kept = gap.keeping(old, areOutputs: true, areInputs: false)
        #expect(kept.volume == old.volume && !kept.hasChanged(besides: old.hardware))
        let lost = gap.keeping(old, areOutputs: false, areInputs: false)
        #expect(lost.volume == old.volume && lost.hardware.outputNumberOfChannels == 0)
        #expect(lost.hasChanged(besides: old.hardware))
    }

    @Test func changesWhileASessionManagerStartsAreNotNotified() {
        let old = computer(speaker: [0.125]).sound(SoundUse())
        var passing = computer(speaker: [1]).sound(use { $0.outputName = "other" })
        #expect(passing.hasChanged(besides: old.hardware))
        #expect(!passing.holding(old).hasChanged(besides: old.hardware) && passing.holding(old).volume == old.volume)
        passing.hardware.sampleRate = 44100
        #expect(passing.holding(old).hasChanged(besides: old.hardware), "the graph's clock is another matter")
        #expect(passing.holding(SoundState()).hardware == passing.hardware, "unknown values are replaced at once")
    }

    // MARK: Registry

    @Test func volumesAndTheClockAreRemovedWithTheirObjects() {
        var registry = RegistryStateMachine()
        _ = registry.receive(.nodeVolumes(Self.sink, [1]))
        #expect(registry.graph.volumes.isEmpty)
        let node = Node(id: Self.sink, properties: [.mediaClass: "Audio/Sink"])
        _ = registry.receive(.nodeProperties(node.id, node.properties))
        _ = registry.receive(.nodeVolumes(Self.sink, [0.5]))
        #expect(registry.graph.volumes == [Self.sink: [0.5]])
        _ = registry.receive(.disappeared(Self.sink))
        #expect(registry.graph.volumes.isEmpty)

        var clock = ClockSettings()
        clock.forcedQuantum = 64
        _ = registry.receive(.metadataAppeared(ObjectID(9), [.metadataName: "settings"]))
        _ = registry.receive(.clockChanged(clock))
        #expect(registry.graph.clock.forcedQuantum == 64)
        _ = registry.receive(.disappeared(ObjectID(9)))
        #expect(registry.graph.clock == ClockSettings())
    }
}
