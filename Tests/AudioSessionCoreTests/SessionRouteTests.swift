import AudioSessionCore
import Testing

/// The route of a session, from its category, its preferences, its streams and the computer's
/// route.
@Suite struct SessionRouteTests {
    private let laptop = ObjectID(Laptop.device)

    /// A computer with headphones and a USB headset, of which the headphones are the default.
    private func withHeadset() -> RouteScene {
        var scene = RouteScene.listening()
        for event in Headset.events { scene.emit(event) }
        scene.settle()
        scene.advance(by: .seconds(10))
        _ = scene.takeEvents()
        return scene
    }

    @Test func aRouteHasTheDirectionsOfItsCategory() throws {
        var scene = withHeadset()
        let playback = scene.open(RouteTargets(output: .systemDefault, input: .unused))
        #expect(scene.types(of: playback) == [[], [.headphones]])
        let record = scene.open(RouteTargets(output: .unused, input: .systemDefault))
        #expect(scene.types(of: record) == [[.builtInMic], []])
        let both = scene.open(RouteTargets())
        #expect(scene.types(of: both) == [[.builtInMic], [.headphones]])
        let headset = try #require(scene.port(.usbAudio))
        let preferring = scene.open(RouteTargets(output: .port(headset), input: .unused))
        #expect(scene.types(of: preferring) == [[], [.usbAudio]])
    }

    @Test func anUnrelatedChangeIsNoEvent() {
        var scene = withHeadset()
        let record = scene.open(RouteTargets(output: .unused, input: .systemDefault))
        let playback = scene.open(RouteTargets(output: .systemDefault, input: .unused))
        scene.choose(Headset.sinkName)
        scene.settle()
        let received = scene.takeEvents()
        #expect(received.contains { if case .routeChanged(playback, _) = $0 { true } else { false } })
        #expect(!received.contains { if case .routeChanged(record, _) = $0 { true } else { false } })
        scene.emit(.deviceRoutes(laptop, Laptop.routes(headphones: .yes, headset: .yes)))
        scene.emit(
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
        var scene = withHeadset()
        let session = scene.open(RouteTargets(output: .systemDefault, input: .unused))
        var graph = scene.registry.graph
        scene.run(scene.routes.changeCategory(RouteTargets(), of: session, graph: graph, now: scene.now))
        scene.settle()
        #expect(scene.takeChanges(of: session) == [.change(.categoryChange, [.headphones], [.headphones])])
        #expect(scene.types(of: session) == [[.builtInMic], [.headphones]])
        graph = scene.registry.graph
        scene.run(scene.routes.changeCategory(RouteTargets(), of: session, graph: graph, now: scene.now))
        scene.settle()
        #expect(scene.takeChanges(of: session) == [.change(.categoryChange, [.headphones], [.headphones])])
        scene.advance(by: .seconds(10))
        scene.settle()
        #expect(scene.takeEvents().isEmpty)
    }

    @Test func aLossCountsMoreThanAnotherCategory() {
        var scene = withHeadset()
        let session = scene.open(RouteTargets(output: .systemDefault, input: .unused))
        scene.emit(.deviceRoutes(laptop, Laptop.routes()))
        let graph = scene.registry.graph
        scene.run(scene.routes.changeCategory(RouteTargets(), of: session, graph: graph, now: scene.now))
        scene.emit(.deviceActiveRoutes(laptop, Laptop.speaking))
        scene.settle()
        #expect(
            scene.takeChanges(of: session) == [
                .gateClosed, .noisy(.headphones),
                .change(.oldDeviceUnavailable, [.headphones], [.builtInSpeaker]),
            ])
    }

    @Test func anotherCategoryOfASessionThatIsNotActiveIsNoEvent() {
        var scene = withHeadset()
        let session = scene.open(RouteTargets(output: .systemDefault, input: .unused))
        scene.routes.adopt(RouteTargets(), of: session, graph: scene.registry.graph, now: scene.now)
        scene.settle()
        #expect(scene.takeEvents().isEmpty)
        #expect(scene.types(of: session) == [[.builtInMic], [.headphones]])
    }

    @Test func anOverrideIsNotifiedWithoutAStream() throws {
        var scene = withHeadset()
        let session = scene.open(RouteTargets())
        let speaker = try #require(scene.port(.builtInSpeaker))
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
        var scene = withHeadset()
        scene.emit(.deviceRoutes(laptop, Laptop.routes(headphones: .yes, hdmi: .yes)))
        scene.settle()
        scene.advance(by: .seconds(10))
        let screen = try #require(scene.port(.hdmi))
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
        scene.emit(.deviceRoutes(laptop, Laptop.routes(headphones: .yes)))
        scene.settle()
        let received = scene.takeChanges(of: id)
        #expect(received.first == .gateClosed)
        #expect(
            received.filter { $0 != .gateClosed } == [
                .noisy(.hdmi), .change(.oldDeviceUnavailable, [.hdmi], [.headphones]),
            ])
        scene.advance(by: .seconds(10))
        #expect(scene.takeChanges(of: id).isEmpty)
    }

    @Test func aDirectionWithoutAPortIsNotifiedAtTheBarrier() {
        var scene = RouteScene(Headset.events + [.defaultChanged(.output, Headset.sinkName)])
        let session = scene.open(RouteTargets(output: .systemDefault, input: .unused))
        scene.emit(.disappeared(ObjectID(Headset.sink)), .disappeared(ObjectID(Headset.device)))
        scene.emit(.defaultChanged(.output, nil))
        scene.settle()
        #expect(
            scene.takeChanges(of: session).last == .change(.noSuitableRouteForCategory, [.usbAudio], []))
    }

    /// WirePlumber 0.4 uses another sink until the card has another route.
    @Test func aDetourOfTheSessionManagerIsOneChange() {
        var scene = withHeadset()
        let ranked: Properties = [
            .nodeName: "alsa_output.pci.analog", .mediaClass: "Audio/Sink", .cardProfileDevice: "0",
            .deviceAPI: "alsa", .deviceID: "40", .prioritySession: "1009",
        ]
        scene.emit(.nodeProperties(ObjectID(Laptop.analog), ranked))
        scene.emit(
            .nodeProperties(
                ObjectID(70), [.nodeName: "null", .mediaClass: "Audio/Sink", .factoryName: "support.null-audio-sink"])
        )
        scene.settle()
        scene.advance(by: .seconds(10))
        let player = scene.play(on: Laptop.analog)
        _ = scene.takeEvents()
        scene.emit(.deviceRoutes(laptop, Laptop.routes()))
        scene.emit(.disappeared(ObjectID(901)))
        scene.emit(.linkAppeared(Link(id: ObjectID(902), outputNode: ObjectID(900), inputNode: ObjectID(70))))
        scene.settle()
        scene.emit(.defaultChanged(.output, "null"))
        scene.settle()
        #expect(!scene.received.contains { if case .routeChanged = $0 { true } else { false } })
        _ = scene.takeEvents()
        scene.advance(by: .milliseconds(50))
        scene.emit(.deviceActiveRoutes(laptop, Laptop.speaking))
        scene.settle()
        #expect(scene.takeChanges() == [])
        scene.emit(.defaultChanged(.output, "alsa_output.pci.analog"), after: .milliseconds(30))
        scene.settle()
        #expect(!scene.received.contains { if case .routeChanged(player, _) = $0 { true } else { false } })
        scene.emit(.disappeared(ObjectID(902)))
        scene.emit(.linkAppeared(Link(id: ObjectID(903), outputNode: ObjectID(900), inputNode: ObjectID(41))))
        scene.settle()
        for id in [player, .computer] {
            let changes = scene.received.compactMap {
                if case .routeChanged(id, let change) = $0 { change } else { nil }
            }
            #expect(changes.map(\.reason) == [.oldDeviceUnavailable])
            #expect(changes.first?.current.outputs.map(\.type) == [.builtInSpeaker])
        }
    }

    /// The state 300 ms after the beginning is notified, whatever follows.
    @Test func defaultsThatNeverSettleAreNotifiedEvery300Milliseconds() {
        var scene = withHeadset()
        for (id, name) in [(70, "one"), (71, "two")] {
            let properties: Properties = [
                .nodeName: name, .mediaClass: "Audio/Sink", .factoryName: "support.null-audio-sink",
            ]
            scene.emit(.nodeProperties(ObjectID(UInt32(id)), properties))
        }
        scene.settle()
        var firstUntold: MonotonicTime?
        for number in 0..<60 {
            firstUntold = firstUntold ?? scene.now
            scene.choose(number % 2 == 0 ? "one" : "two")
            scene.settle()
            if scene.takeChanges().contains(where: { $0.outputs != nil }) { firstUntold = nil }
            let gap = Duration.milliseconds(20 + number * 7 % 40)
            scene.advance(by: gap)
            if scene.takeChanges().contains(where: { $0.outputs != nil }) { firstUntold = nil }
            #expect(firstUntold.map { scene.now.since($0) <= .milliseconds(301) + gap } ?? true)
        }
    }

    @Test func anOutputThatTheProgramHasLeftMayBeRemovedLater() throws {
        var scene = RouteScene(Laptop.events + Headset.events + [.defaultChanged(.output, Headset.sinkName)])
        let session = scene.open(RouteTargets(input: .unused))
        let speaker = try #require(scene.port(.builtInSpeaker))
        let targets = RouteTargets(output: .port(speaker), input: .unused)
        scene.run(scene.routes.setTargets(targets, of: session, graph: scene.registry.graph, now: scene.now))
        scene.settle()
        scene.advance(by: .seconds(10))
        _ = scene.takeEvents()
        scene.emit(.disappeared(ObjectID(Headset.sink)), .disappeared(ObjectID(Headset.device)))
        scene.settle()
        #expect(scene.takeChanges(of: session) == [])
    }
}
