import AudioSessionCore
import Testing

/// The route of a session, from its category, its preferences, its streams and the computer's
/// route.
@Suite struct SessionRouteTests {
    private let laptop = ObjectID(Laptop.device)

    /// A computer with headphones and a USB headset, of which the headphones are the default.
    private func scene() -> RouteScene {
        var scene = RouteScene.listening()
        for event in Headset.events { scene.happen(event) }
        scene.settle()
        scene.pass(.seconds(10))
        _ = scene.takeEvents()
        return scene
    }

    private func port(_ type: PortType, in scene: RouteScene) -> PortDescription? {
        let graph = scene.registry.graph
        return (graph.availablePorts(.output) + graph.availablePorts(.input)).first { $0.type == type }
    }

    private func types(_ id: FollowerID, in scene: RouteScene) -> [[PortType]] {
        let route = scene.routes.route(of: id)
        return [route.inputs.map(\.type), route.outputs.map(\.type)]
    }

    @Test func aRouteHasTheDirectionsOfItsCategory() throws {
        var scene = scene()
        let playback = scene.open(RouteTargets(output: .systemDefault, input: .unused))
        #expect(types(playback, in: scene) == [[], [.headphones]])
        let record = scene.open(RouteTargets(output: .unused, input: .systemDefault))
        #expect(types(record, in: scene) == [[.builtInMic], []])
        let both = scene.open(RouteTargets())
        #expect(types(both, in: scene) == [[.builtInMic], [.headphones]])
        let headset = try #require(port(.usbAudio, in: scene))
        let preferring = scene.open(RouteTargets(output: .port(headset), input: .unused))
        #expect(types(preferring, in: scene) == [[], [.usbAudio]])
    }

    @Test func anUnrelatedChangeIsNoEvent() {
        var scene = scene()
        let record = scene.open(RouteTargets(output: .unused, input: .systemDefault))
        let playback = scene.open(RouteTargets(output: .systemDefault, input: .unused))
        scene.choose(Headset.sinkName)
        scene.settle()
        let received = scene.takeEvents()
        #expect(received.contains { if case .routeChanged(playback, _) = $0 { true } else { false } })
        #expect(!received.contains { if case .routeChanged(record, _) = $0 { true } else { false } })
        scene.happen(.deviceRoutes(laptop, Laptop.routes(headphones: .yes, headset: .yes)))
        scene.happen(
            .deviceActiveRoutes(
                laptop,
                Laptop.active("analog-output-headphones", "hdmi-output-0", "analog-input-headset-mic")))
        scene.settle()
        let changed = scene.takeEvents()
        #expect(changed.contains { if case .routeChanged(record, _) = $0 { true } else { false } })
        #expect(!changed.contains { if case .routeChanged(playback, _) = $0 { true } else { false } })
    }

    /// On iOS too the notification follows if the ports are equal.
    @Test func anotherCategoryIsNotifiedWithEqualPorts() {
        var scene = scene()
        let session = scene.open(RouteTargets(output: .systemDefault, input: .unused))
        var graph = scene.registry.graph
        scene.run(scene.routes.changeCategory(RouteTargets(), of: session, graph: graph, now: scene.now))
        scene.settle()
        #expect(scene.takeChanges(of: session) == [.change(.categoryChange, [.headphones], [.headphones])])
        #expect(types(session, in: scene) == [[.builtInMic], [.headphones]])
        graph = scene.registry.graph
        scene.run(scene.routes.changeCategory(RouteTargets(), of: session, graph: graph, now: scene.now))
        scene.settle()
        #expect(scene.takeChanges(of: session) == [.change(.categoryChange, [.headphones], [.headphones])])
        scene.pass(.seconds(10))
        scene.settle()
        #expect(scene.takeEvents().isEmpty)
    }

    @Test func aLossCountsMoreThanAnotherCategory() {
        var scene = scene()
        let session = scene.open(RouteTargets(output: .systemDefault, input: .unused))
        scene.happen(.deviceRoutes(laptop, Laptop.routes()))
        let graph = scene.registry.graph
        scene.run(scene.routes.changeCategory(RouteTargets(), of: session, graph: graph, now: scene.now))
        scene.happen(.deviceActiveRoutes(laptop, Laptop.speaking))
        scene.settle()
        #expect(
            scene.takeChanges(of: session) == [
                .gateClosed, .noisy(.headphones),
                .change(.oldDeviceUnavailable, [.headphones], [.builtInSpeaker]),
            ])
    }

    @Test func anotherCategoryOfASessionThatIsNotActiveIsNoEvent() {
        var scene = scene()
        let session = scene.open(RouteTargets(output: .systemDefault, input: .unused))
        scene.routes.adopt(RouteTargets(), of: session, graph: scene.registry.graph, now: scene.now)
        scene.settle()
        #expect(scene.takeEvents().isEmpty)
        #expect(types(session, in: scene) == [[.builtInMic], [.headphones]])
    }

    @Test func anOverrideIsNotifiedWithoutAStream() throws {
        var scene = scene()
        let session = scene.open(RouteTargets())
        let speaker = try #require(port(.builtInSpeaker, in: scene))
        scene.routes.expect(.override, to: [speaker.uid], of: session, now: scene.now)
        let graph = scene.registry.graph
        scene.run(
            scene.routes.setTargets(RouteTargets(output: .port(speaker)), of: session, graph: graph, now: scene.now))
        scene.settle()
        #expect(scene.takeChanges(of: session) == [.change(.override, [.headphones], [.builtInSpeaker])])
    }

    /// The screen's sink stays, and so does the stream that requested it, until its session
    /// requests another.
    @Test(arguments: [true, false]) func aPreferredOutputWhoseSinkStaysIsLostInOneChange(isPlaying: Bool) throws {
        var scene = scene()
        scene.happen(.deviceRoutes(laptop, Laptop.routes(headphones: .yes, hdmi: .yes)))
        scene.settle()
        scene.pass(.seconds(10))
        let screen = try #require(port(.hdmi, in: scene))
        let targets = RouteTargets(output: .port(screen), input: .unused)
        let id: FollowerID
        if isPlaying {
            id = scene.play(on: Laptop.screen)
            scene.run(scene.routes.setTargets(targets, of: id, graph: scene.registry.graph, now: scene.now))
        } else {
            id = scene.open(targets)
        }
        scene.settle()
        _ = scene.takeEvents()
        scene.happen(.deviceRoutes(laptop, Laptop.routes(headphones: .yes)))
        scene.settle()
        let received = scene.takeChanges(of: id)
        #expect(received.first == .gateClosed)
        #expect(
            received.filter { $0 != .gateClosed } == [
                .noisy(.hdmi), .change(.oldDeviceUnavailable, [.hdmi], [.headphones]),
            ])
        scene.pass(.seconds(10))
        #expect(scene.takeChanges(of: id).isEmpty)
    }

    @Test func aDirectionWithoutAPortIsNotifiedAtTheBarrier() {
        var scene = RouteScene(Headset.events + [.defaultChanged(.output, Headset.sinkName)])
        let session = scene.open(RouteTargets(output: .systemDefault, input: .unused))
        scene.happen(.disappeared(ObjectID(Headset.sink)), .disappeared(ObjectID(Headset.device)))
        scene.happen(.defaultChanged(.output, nil))
        scene.settle()
        #expect(
            scene.takeChanges(of: session).last == .change(.noSuitableRouteForCategory, [.usbAudio], []))
    }

    /// WirePlumber 0.4 uses another sink until the card has another route.
    @Test func aDetourOfTheSessionManagerIsOneChange() {
        var scene = scene()
        let ranked: Properties = [
            .nodeName: "alsa_output.pci.analog", .mediaClass: "Audio/Sink", .cardProfileDevice: "0",
            .deviceAPI: "alsa", .deviceID: "40", .prioritySession: "1009",
        ]
        scene.happen(.nodeProperties(ObjectID(Laptop.analog), ranked))
        scene.happen(
            .nodeProperties(
                ObjectID(70), [.nodeName: "null", .mediaClass: "Audio/Sink", .factoryName: "support.null-audio-sink"])
        )
        scene.settle()
        scene.pass(.seconds(10))
        let player = scene.play(on: Laptop.analog)
        _ = scene.takeEvents()
        scene.happen(.deviceRoutes(laptop, Laptop.routes()))
        scene.happen(.disappeared(ObjectID(901)))
        scene.happen(.linkAppeared(Link(id: ObjectID(902), outputNode: ObjectID(900), inputNode: ObjectID(70))))
        scene.settle()
        scene.happen(.defaultChanged(.output, "null"))
        scene.settle()
        #expect(!scene.received.contains { if case .routeChanged = $0 { true } else { false } })
        _ = scene.takeEvents()
        scene.pass(.milliseconds(50))
        scene.happen(.deviceActiveRoutes(laptop, Laptop.speaking))
        scene.settle()
        #expect(scene.takeChanges() == [])
        scene.happen(.defaultChanged(.output, "alsa_output.pci.analog"), after: .milliseconds(30))
        scene.settle()
        #expect(!scene.received.contains { if case .routeChanged(player, _) = $0 { true } else { false } })
        scene.happen(.disappeared(ObjectID(902)))
        scene.happen(.linkAppeared(Link(id: ObjectID(903), outputNode: ObjectID(900), inputNode: ObjectID(41))))
        scene.settle()
        for id in [player, .computer] {
            let changes = scene.received.compactMap {
                if case .routeChanged(id, let change) = $0 { change } else { nil }
            }
            #expect(changes.map(\.reason) == [.oldDeviceUnavailable])
            #expect(changes.first?.current.outputs.map(\.type) == [.builtInSpeaker])
        }
    }

    /// The session manager sets both defaults, and moves the stream later.
    @Test func aHeadsetWithAMicrophoneIsOneChangeForASessionThatPlays() {
        var scene = RouteScene(Laptop.events)
        let player = scene.play(on: Laptop.analog)
        scene.pass(.seconds(10))
        _ = scene.takeEvents()
        arrive(in: &scene)
        scene.settle()
        #expect(scene.takeChanges(of: player) == [])
        scene.happen(.disappeared(ObjectID(901)))
        scene.happen(
            .linkAppeared(Link(id: ObjectID(902), outputNode: ObjectID(900), inputNode: ObjectID(Headset.sink))))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.change(.newDeviceAvailable, [.builtInSpeaker], [.usbAudio])])
        #expect(types(player, in: scene) == [[.usbAudio], [.usbAudio]])
    }

    /// WirePlumber 0.5 moves one stream after the other.
    @Test func aHeadsetWithAMicrophoneIsOneChangeForACall() {
        var scene = RouteScene(Laptop.events)
        let call = scene.play(on: Laptop.analog)
        record(from: Laptop.microphone, with: call, in: &scene)
        scene.pass(.seconds(10))
        _ = scene.takeEvents()
        arrive(in: &scene)
        scene.settle()
        scene.happen(.disappeared(ObjectID(901)))
        scene.happen(
            .linkAppeared(Link(id: ObjectID(902), outputNode: ObjectID(900), inputNode: ObjectID(Headset.sink))))
        scene.settle()
        #expect(scene.takeChanges(of: call) == [])
        record(from: DeskMicrophone.source, with: call, in: &scene)
        #expect(scene.takeChanges(of: call) == [.change(.newDeviceAvailable, [.builtInSpeaker], [.usbAudio])])
        #expect(types(call, in: scene) == [[.usbAudio], [.usbAudio]])
    }

    /// A session manager that does not move the streams is waited for only so long.
    @Test func aStreamThatStaysDelaysAChangeForAtMost300Milliseconds() {
        var scene = RouteScene(Laptop.events)
        let player = scene.play(on: Laptop.analog)
        scene.pass(.seconds(10))
        _ = scene.takeEvents()
        arrive(in: &scene)
        scene.settle()
        scene.pass(.milliseconds(290))
        #expect(scene.takeChanges(of: player) == [])
        scene.pass(.milliseconds(10))
        #expect(scene.takeChanges(of: player).map(\.outputs) == [[.builtInSpeaker]])
        #expect(types(player, in: scene) == [[.usbAudio], [.builtInSpeaker]])
    }

    /// The session manager moves only the streams that played to the former default.
    @Test func aStreamThatPlaysElsewhereThanTheFormerDefaultDelaysNothing() {
        var scene = RouteScene(Laptop.events)
        scene.happen(.deviceRoutes(laptop, Laptop.routes(hdmi: .yes)))
        scene.settle()
        let player = scene.play(on: Laptop.screen)
        scene.pass(.seconds(10))
        _ = scene.takeEvents()
        arrive(in: &scene)
        scene.settle()
        #expect(scene.takeChanges(of: player).map(\.outputs) == [[.hdmi]])
        #expect(types(player, in: scene) == [[.usbAudio], [.hdmi]])
    }

    /// The streams move later than the targets that their session sets.
    @Test(arguments: [RouteChangeReason.override, .categoryChange])
    func aChoiceThatMovesAStreamIsOneChange(reason: RouteChangeReason) throws {
        var scene = RouteScene(
            Laptop.events + Headset.events + DeskMicrophone.events + [
                .defaultChanged(.output, Headset.sinkName), .defaultChanged(.input, DeskMicrophone.sourceName),
            ])
        let player = scene.play(on: Headset.sink)
        scene.pass(.seconds(10))
        _ = scene.takeEvents()
        let speaker = try #require(port(.builtInSpeaker, in: scene))
        let microphone = try #require(port(.builtInMic, in: scene))
        let targets = RouteTargets(output: .port(speaker), input: .port(microphone))
        let graph = scene.registry.graph
        scene.routes.expect(reason, to: [speaker.uid, microphone.uid], of: player, now: scene.now)
        scene.run(
            reason == .override
                ? scene.routes.setTargets(targets, of: player, graph: graph, now: scene.now)
                : scene.routes.changeCategory(targets, of: player, graph: graph, now: scene.now))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [])
        scene.happen(.disappeared(ObjectID(901)))
        scene.happen(
            .linkAppeared(Link(id: ObjectID(902), outputNode: ObjectID(900), inputNode: ObjectID(Laptop.analog))))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.change(reason, [.usbAudio], [.builtInSpeaker])])
        #expect(types(player, in: scene) == [[.builtInMic], [.builtInSpeaker]])
    }

    @Test func aRecordingThatTheUserMovesIsAnOverride() {
        var scene = RouteScene(Laptop.events + DeskMicrophone.events)
        let session = scene.open(RouteTargets(output: .unused))
        for source in [Laptop.microphone, DeskMicrophone.source] {
            _ = scene.takeEvents()
            record(from: source, playing: [], with: session, in: &scene)
            scene.pass(.seconds(10))
        }
        #expect(scene.takeChanges(of: session) == [.change(.override, [], [])])
        #expect(types(session, in: scene) == [[.usbAudio], []])
    }

    /// WirePlumber 0.5 puts a smart filter between streams and the default, which stays the
    /// hardware.
    @Test func aHeadsetBehindASmartFilterIsNew() {
        var scene = RouteScene(Laptop.events)
        addFilter(to: &scene)
        scene.lead(71, to: Laptop.analog, link: 80)
        let player = scene.play(on: 70)
        scene.pass(.seconds(10))
        _ = scene.takeEvents()
        for event in Headset.events { scene.happen(event) }
        scene.settle()
        scene.happen(.defaultChanged(.output, Headset.sinkName))
        scene.settle()
        scene.happen(.disappeared(ObjectID(80)))
        scene.lead(71, to: Headset.sink, link: 81)
        #expect(scene.takeChanges(of: player) == [.change(.newDeviceAvailable, [.builtInSpeaker], [.usbAudio])])
    }

    /// WirePlumber 0.5 also puts a smart filter in front of its target.
    @Test func aTargetBehindASmartFilterIsReached() throws {
        var scene = RouteScene(Laptop.events + Headset.events)
        addFilter(to: &scene)
        scene.lead(71, to: Headset.sink, link: 80)
        let player = scene.play(on: Laptop.analog)
        scene.pass(.seconds(10))
        _ = scene.takeEvents()
        let graph = scene.registry.graph
        let headset = try #require(graph.availablePorts(.output).first { $0.nodeName == Headset.sinkName })
        scene.routes.expect(.override, to: [headset.uid], of: player, now: scene.now)
        let targets = RouteTargets(output: .port(headset))
        scene.run(scene.routes.setTargets(targets, of: player, graph: graph, now: scene.now))
        scene.happen(.disappeared(ObjectID(901)))
        scene.happen(.linkAppeared(Link(id: ObjectID(902), outputNode: ObjectID(900), inputNode: ObjectID(70))))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.change(.override, [.builtInSpeaker], [.usbAudio])])
        #expect(scene.gateTriggers[player] == [ObjectID(70), ObjectID(Headset.sink)])
    }

    /// The session manager may restore another target that the user once chose.
    @Test func aStreamThatHasLeftItsTargetIsNotWaitedFor() throws {
        var scene = RouteScene(Laptop.events + Headset.events)
        scene.happen(.deviceRoutes(laptop, Laptop.routes(hdmi: .yes)))
        scene.settle()
        let player = scene.play(on: Headset.sink)
        let headset = try #require(port(.usbAudio, in: scene))
        let targets = RouteTargets(output: .port(headset))
        scene.run(scene.routes.setTargets(targets, of: player, graph: scene.registry.graph, now: scene.now))
        scene.settle()
        scene.pass(.seconds(10))
        _ = scene.takeEvents()
        scene.routes.expect(.override, to: [], of: player, now: scene.now)
        scene.run(scene.routes.setTargets(RouteTargets(), of: player, graph: scene.registry.graph, now: scene.now))
        scene.happen(.disappeared(ObjectID(901)))
        scene.happen(
            .linkAppeared(Link(id: ObjectID(902), outputNode: ObjectID(900), inputNode: ObjectID(Laptop.screen))))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.change(.override, [.usbAudio], [.hdmi])])
    }

    /// The card switches back to the headphones later.
    @Test func aCategoryThatEndsAnOverrideIsOneChange() throws {
        var scene = RouteScene.listening()
        scene.happen(.deviceActiveRoutes(laptop, Laptop.speaking))
        scene.settle()
        scene.pass(.seconds(10))
        let speaker = try #require(port(.builtInSpeaker, in: scene))
        let session = scene.open(RouteTargets(output: .port(speaker), input: .unused))
        _ = scene.takeEvents()
        let targets = RouteTargets(output: .systemDefault, input: .unused)
        scene.run(scene.routes.changeCategory(targets, of: session, graph: scene.registry.graph, now: scene.now))
        scene.settle()
        #expect(scene.takeChanges(of: session) == [])
        scene.happen(.deviceActiveRoutes(laptop, Laptop.listening))
        scene.settle()
        #expect(scene.takeChanges(of: session) == [.change(.categoryChange, [.builtInSpeaker], [.headphones])])
    }

    /// The recorder stops later.
    @Test func aCategoryThatDoesNotRecordIsOneChange() {
        var scene = RouteScene(Laptop.events)
        let session = scene.open(RouteTargets())
        record(from: Laptop.microphone, playing: [], with: session, in: &scene)
        scene.pass(.seconds(10))
        _ = scene.takeEvents()
        let (graph, targets) = (scene.registry.graph, RouteTargets(output: .systemDefault, input: .unused))
        scene.run(scene.routes.changeCategory(targets, of: session, graph: graph, now: scene.now))
        #expect(types(session, in: scene) == [[], [.builtInSpeaker]])
        scene.run(scene.routes.setStreams([], of: session, graph: graph, now: scene.now))
        scene.settle()
        #expect(scene.takeChanges(of: session).count == 1)
    }

    @Test func aCategoryThatDoesNotPlayWaitsForNoStream() {
        var scene = RouteScene(Laptop.events)
        scene.happen(.deviceRoutes(laptop, Laptop.routes(hdmi: .yes)))
        scene.settle()
        let player = scene.play(on: Laptop.screen)
        scene.pass(.seconds(10))
        _ = scene.takeEvents()
        let targets = RouteTargets(output: .unused)
        scene.run(scene.routes.changeCategory(targets, of: player, graph: scene.registry.graph, now: scene.now))
        #expect(scene.takeChanges(of: player) == [.change(.categoryChange, [.hdmi], [.hdmi])])
    }

    /// Adds the two nodes of a filter, which streams are linked to.
    private func addFilter(to scene: inout RouteScene) {
        for (id, mediaClass) in [(UInt32(70), "Audio/Sink"), (71, "Stream/Output/Audio")] {
            let properties: Properties = [
                .nodeName: "filter.\(id)", .mediaClass: mediaClass, .nodeLinkGroup: "filter", .nodeVirtual: "true",
            ]
            scene.happen(.nodeProperties(ObjectID(id), properties))
        }
    }

    private func record(
        from source: UInt32, playing streams: Set<ObjectID> = [ObjectID(900)], with id: FollowerID,
        in scene: inout RouteScene
    ) {
        let graph = scene.registry.graph
        scene.run(
            scene.routes.setStreams(
                streams, recordingFrom: [ObjectID(source)], of: id, graph: graph, now: scene.now))
        scene.settle()
    }

    /// A headset with a microphone appears, and becomes the default in both directions.
    private func arrive(in scene: inout RouteScene) {
        for event in Headset.events + DeskMicrophone.events { scene.happen(event) }
        scene.settle()
        scene.happen(.defaultChanged(.output, Headset.sinkName), .defaultChanged(.input, DeskMicrophone.sourceName))
    }

    /// The state 300 ms after the beginning is notified, whatever follows.
    @Test func defaultsThatNeverSettleAreNotifiedEvery300Milliseconds() {
        var scene = scene()
        for (id, name) in [(70, "one"), (71, "two")] {
            let properties: Properties = [
                .nodeName: name, .mediaClass: "Audio/Sink", .factoryName: "support.null-audio-sink",
            ]
            scene.happen(.nodeProperties(ObjectID(UInt32(id)), properties))
        }
        scene.settle()
        var firstUntold: MonotonicTime?
        for number in 0..<60 {
            firstUntold = firstUntold ?? scene.now
            scene.choose(number % 2 == 0 ? "one" : "two")
            scene.settle()
            if scene.takeChanges().contains(where: { $0.outputs != nil }) { firstUntold = nil }
            let gap = Duration.milliseconds(20 + number * 7 % 40)
            scene.pass(gap)
            if scene.takeChanges().contains(where: { $0.outputs != nil }) { firstUntold = nil }
            #expect(firstUntold.map { scene.now.since($0) <= .milliseconds(301) + gap } ?? true)
        }
    }
}
