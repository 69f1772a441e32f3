import AudioSessionCore
import Testing

/// Streams that move later than defaults and targets.
@Suite struct RouteStreamTests {
    private let laptop = ObjectID(Laptop.device)

    /// The session manager sets both defaults, and moves the stream later.
    @Test func aHeadsetWithAMicrophoneIsOneChangeForASessionThatPlays() {
        var scene = RouteScene(Laptop.events)
        let player = scene.play(on: Laptop.analog)
        arrive(in: &scene)
        #expect(scene.takeChanges(of: player) == [])
        scene.moveStream(to: Headset.sink)
        #expect(scene.takeChanges(of: player) == [.change(.newDeviceAvailable, [.builtInSpeaker], [.usbAudio])])
        #expect(scene.types(of: player) == [[.usbAudio], [.usbAudio]])
    }

    /// WirePlumber 0.5 moves one stream after the other.
    @Test func aHeadsetWithAMicrophoneIsOneChangeForACall() {
        var scene = RouteScene(Laptop.events)
        let call = scene.play(on: Laptop.analog)
        record(from: Laptop.microphone, with: call, in: &scene)
        arrive(in: &scene)
        scene.moveStream(to: Headset.sink)
        #expect(scene.takeChanges(of: call) == [])
        record(from: DeskMicrophone.source, with: call, in: &scene)
        #expect(scene.takeChanges(of: call) == [.change(.newDeviceAvailable, [.builtInSpeaker], [.usbAudio])])
        #expect(scene.types(of: call) == [[.usbAudio], [.usbAudio]])
    }

    /// A session manager that does not move the streams is waited for only so long.
    @Test func aStreamThatStaysDelaysAChangeForAtMost300Milliseconds() {
        var scene = RouteScene(Laptop.events)
        let player = scene.play(on: Laptop.analog)
        arrive(in: &scene)
        scene.advance(by: .milliseconds(290))
        #expect(scene.takeChanges(of: player) == [])
        scene.advance(by: .milliseconds(10))
        #expect(scene.takeChanges(of: player).map(\.outputs) == [[.builtInSpeaker]])
        #expect(scene.types(of: player) == [[.usbAudio], [.builtInSpeaker]])
    }

    /// The session manager moves only the streams that played to the former default.
    @Test func aStreamThatPlaysElsewhereThanTheFormerDefaultDelaysNothing() {
        var scene = RouteScene(Laptop.events)
        scene.emit(.deviceRoutes(laptop, Laptop.routes(hdmi: .yes)))
        scene.settle()
        let player = scene.play(on: Laptop.screen)
        arrive(in: &scene)
        #expect(scene.takeChanges(of: player).map(\.outputs) == [[.hdmi]])
        #expect(scene.types(of: player) == [[.usbAudio], [.hdmi]])
    }

    /// The streams move later than the targets that their session sets.
    @Test(arguments: [RouteChangeReason.override, .categoryChange])
    func aChoiceThatMovesAStreamIsOneChange(reason: RouteChangeReason) throws {
        var scene = RouteScene(
            Laptop.events + Headset.events + DeskMicrophone.events + [
                .defaultChanged(.output, Headset.sinkName), .defaultChanged(.input, DeskMicrophone.sourceName),
            ])
        let player = scene.play(on: Headset.sink)
        scene.rest()
        let speaker = try #require(scene.port(.builtInSpeaker))
        let microphone = try #require(scene.port(.builtInMic))
        let targets = RouteTargets(output: .port(speaker), input: .port(microphone))
        let graph = scene.registry.graph
        scene.routes.expect(reason, to: [speaker.uid, microphone.uid], of: player, now: scene.now)
        scene.run(
            reason == .override
                ? scene.routes.setTargets(targets, of: player, graph: graph, now: scene.now)
                : scene.routes.changeCategory(targets, of: player, graph: graph, now: scene.now))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [])
        scene.moveStream(to: Laptop.analog)
        #expect(scene.takeChanges(of: player) == [.change(reason, [.usbAudio], [.builtInSpeaker])])
        #expect(scene.types(of: player) == [[.builtInMic], [.builtInSpeaker]])
    }

    @Test func aRecordingThatTheUserMovesIsAnOverride() {
        var scene = RouteScene(Laptop.events + DeskMicrophone.events)
        let session = scene.open(RouteTargets(output: .unused))
        for source in [Laptop.microphone, DeskMicrophone.source] {
            _ = scene.takeEvents()
            record(from: source, playing: [], with: session, in: &scene)
            scene.advance(by: .seconds(10))
        }
        #expect(scene.takeChanges(of: session) == [.change(.override, [], [])])
        #expect(scene.types(of: session) == [[.usbAudio], []])
    }

    /// WirePlumber 0.5 puts a smart filter between streams and the default, which stays the
    /// hardware.
    @Test func aHeadsetBehindASmartFilterIsNew() {
        var scene = RouteScene(Laptop.events)
        addFilter(to: &scene)
        scene.lead(71, to: Laptop.analog, link: 80)
        let player = scene.play(on: 70)
        scene.rest()
        for event in Headset.events { scene.emit(event) }
        scene.settle()
        scene.emit(.defaultChanged(.output, Headset.sinkName))
        scene.settle()
        scene.emit(.disappeared(ObjectID(80)))
        scene.lead(71, to: Headset.sink, link: 81)
        #expect(scene.takeChanges(of: player) == [.change(.newDeviceAvailable, [.builtInSpeaker], [.usbAudio])])
    }

    /// WirePlumber 0.5 also puts a smart filter in front of its target.
    @Test func aTargetBehindASmartFilterIsReached() throws {
        var scene = RouteScene(Laptop.events + Headset.events)
        addFilter(to: &scene)
        scene.lead(71, to: Headset.sink, link: 80)
        let player = scene.play(on: Laptop.analog)
        scene.rest()
        let graph = scene.registry.graph
        let headset = try #require(graph.availablePorts(.output).first { $0.nodeName == Headset.sinkName })
        scene.routes.expect(.override, to: [headset.uid], of: player, now: scene.now)
        let targets = RouteTargets(output: .port(headset))
        scene.run(scene.routes.setTargets(targets, of: player, graph: graph, now: scene.now))
        scene.moveStream(to: 70)
        #expect(scene.takeChanges(of: player) == [.change(.override, [.builtInSpeaker], [.usbAudio])])
        #expect(scene.gateTriggers[player] == [ObjectID(70), ObjectID(Headset.sink)])
    }

    /// The session manager may restore another target that the user once chose.
    @Test func aStreamThatHasLeftItsTargetIsNotWaitedFor() throws {
        var scene = RouteScene(Laptop.events + Headset.events)
        scene.emit(.deviceRoutes(laptop, Laptop.routes(hdmi: .yes)))
        scene.settle()
        let player = scene.play(on: Headset.sink)
        let headset = try #require(scene.port(.usbAudio))
        let targets = RouteTargets(output: .port(headset))
        scene.run(scene.routes.setTargets(targets, of: player, graph: scene.registry.graph, now: scene.now))
        scene.settle()
        scene.rest()
        scene.routes.expect(.override, to: [], of: player, now: scene.now)
        scene.run(scene.routes.setTargets(RouteTargets(), of: player, graph: scene.registry.graph, now: scene.now))
        scene.moveStream(to: Laptop.screen)
        #expect(scene.takeChanges(of: player) == [.change(.override, [.usbAudio], [.hdmi])])
    }

    /// The card switches back to the headphones later.
    @Test func aCategoryThatEndsAnOverrideIsOneChange() throws {
        var scene = RouteScene.listening()
        scene.emit(.deviceActiveRoutes(laptop, Laptop.speaking))
        scene.settle()
        scene.advance(by: .seconds(10))
        let speaker = try #require(scene.port(.builtInSpeaker))
        let session = scene.open(RouteTargets(output: .port(speaker), input: .unused))
        _ = scene.takeEvents()
        let targets = RouteTargets(output: .systemDefault, input: .unused)
        scene.run(scene.routes.changeCategory(targets, of: session, graph: scene.registry.graph, now: scene.now))
        scene.settle()
        #expect(scene.takeChanges(of: session) == [])
        scene.emit(.deviceActiveRoutes(laptop, Laptop.listening))
        scene.settle()
        #expect(scene.takeChanges(of: session) == [.change(.categoryChange, [.builtInSpeaker], [.headphones])])
    }

    /// The recorder stops later.
    @Test func aCategoryThatDoesNotRecordIsOneChange() {
        var scene = RouteScene(Laptop.events)
        let session = scene.open(RouteTargets())
        record(from: Laptop.microphone, playing: [], with: session, in: &scene)
        scene.rest()
        let (graph, targets) = (scene.registry.graph, RouteTargets(output: .systemDefault, input: .unused))
        scene.run(scene.routes.changeCategory(targets, of: session, graph: graph, now: scene.now))
        #expect(scene.types(of: session) == [[], [.builtInSpeaker]])
        scene.run(scene.routes.setStreams([], of: session, graph: graph, now: scene.now))
        scene.settle()
        #expect(scene.takeChanges(of: session).count == 1)
    }

    @Test func aCategoryThatDoesNotPlayWaitsForNoStream() {
        var scene = RouteScene(Laptop.events)
        scene.emit(.deviceRoutes(laptop, Laptop.routes(hdmi: .yes)))
        scene.settle()
        let player = scene.play(on: Laptop.screen)
        scene.rest()
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
            scene.emit(.nodeProperties(ObjectID(id), properties))
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

    /// After a while, a headset with a microphone appears, and becomes the default in both
    /// directions.
    private func arrive(in scene: inout RouteScene) {
        scene.rest()
        for event in Headset.events + DeskMicrophone.events { scene.emit(event) }
        scene.settle()
        scene.emit(.defaultChanged(.output, Headset.sinkName), .defaultChanged(.input, DeskMicrophone.sourceName))
        scene.settle()
    }
}

extension RouteScene {
    /// Lets so much time pass that nothing counts as new.
    fileprivate mutating func rest() {
        advance(by: .seconds(10))
        _ = takeEvents()
    }

    /// The session manager moves the stream of ``play(on:stream:link:)``.
    fileprivate mutating func moveStream(to sink: UInt32) {
        emit(.disappeared(ObjectID(901)))
        emit(.linkAppeared(Link(id: ObjectID(902), outputNode: ObjectID(900), inputNode: ObjectID(sink))))
        settle()
    }
}
