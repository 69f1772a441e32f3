import AudioSessionCore
import Testing

/// The effect of a sleep of the computer on routes.
@Suite struct RouteSleepTests {
    private let laptop = ObjectID(Laptop.device)

    @Test func gatesCloseBeforeTheSleepAndOpenWhenTheOutputIsStillThere() {
        var scene = RouteScene.listening()
        let player = scene.play(on: Laptop.analog)
        _ = scene.takeEvents()
        scene.sleep()
        scene.sleep()
        #expect(scene.takeChanges(of: player) == [.gateClosed])
        scene.advance(by: .seconds(20))
        scene.settle()
        #expect(scene.takeEvents().isEmpty)
        scene.wake()
        scene.advance(by: .milliseconds(299))
        #expect(scene.takeEvents().isEmpty, "the session manager may still answer what it finds")
        scene.advance(by: .milliseconds(1))
        #expect(scene.takeChanges(of: player) == [.gateOpened])
    }

    /// The announcement and PipeWire's events arrive in either order, before the 300 ms are over.
    @Test(arguments: [Duration?.none, .zero, .milliseconds(250)])
    func aLossDuringTheSleepIsFoundAfterIt(delay: Duration?) {
        var scene = RouteScene.listening()
        let player = scene.play(on: Laptop.analog)
        scene.sleep()
        _ = scene.takeEvents()
        if let delay {
            scene.wake()
            scene.advance(by: delay)
            unplug(&scene)
        } else {
            unplug(&scene)
            #expect(!scene.takeChanges(of: player).contains { $0 != .gateClosed }, "it sleeps")
            scene.wake()
        }
        scene.settle()
        scene.advance(by: .seconds(1))
        #expect(
            scene.takeChanges(of: player).filter { $0 != .gateClosed } == [
                .noisy(.headphones), .change(.wakeFromSleep, [.headphones], [.builtInSpeaker]),
            ])
    }

    /// A session that mixes receives no `becameNoisy`, and finds the loss in the change.
    @Test func aChangeAfterASleepAlsoHasTheReasonThatItReplaces() {
        var scene = RouteScene.listening()
        let player = scene.play(on: Laptop.analog)
        scene.sleep()
        _ = scene.takeEvents()
        unplug(&scene)
        scene.wake()
        scene.settle()
        scene.advance(by: .seconds(1))
        let changes = scene.takeEvents().compactMap { event in
            if case .routeChanged(player, let change) = event { change } else { nil }
        }
        #expect(changes.map(\.reason) == [.wakeFromSleep])
        #expect(changes.map(\.underlyingReason) == [.oldDeviceUnavailable])
    }

    @Test func onlyTheFirstChangeSoonAfterWakingHasThatReason() {
        for (delay, reason) in [
            (Duration.seconds(4), RouteChangeReason.wakeFromSleep), (.seconds(6), .oldDeviceUnavailable),
        ] {
            var scene = RouteScene.listening()
            scene.routes.noteWake(now: scene.now)
            scene.advance(by: delay)
            unplug(&scene)
            scene.settle()
            #expect(
                scene.takeChanges() == [
                    .gateClosed, .noisy(.headphones), .change(reason, [.headphones], [.builtInSpeaker]),
                ])
            scene.advance(by: .milliseconds(500))
            plug(&scene)
            scene.settle()
            #expect(scene.takeChanges() == [.change(.newDeviceAvailable, [.builtInSpeaker], [.headphones])])
        }
    }

    @Test func anOutputPluggedInDuringTheSleepIsUsed() {
        var scene = RouteScene.listening()
        unplug(&scene)
        scene.settle()
        scene.advance(by: .seconds(10))
        let player = scene.play(on: Laptop.analog)
        scene.sleep()
        _ = scene.takeEvents()
        plug(&scene)
        scene.wake()
        scene.advance(by: .seconds(1))
        #expect(
            scene.takeChanges(of: player) == [
                .gateOpened, .change(.wakeFromSleep, [.builtInSpeaker], [.headphones]),
            ])
    }

    @Test func aLossNotifiedBeforeTheSleepIsOneChangeAfterIt() {
        var scene = RouteScene(Laptop.events + Headset.events + [.defaultChanged(.output, Headset.sinkName)])
        let player = scene.play(on: Headset.sink)
        _ = scene.takeEvents()
        scene.emit(.disappeared(ObjectID(901)), .disappeared(ObjectID(Headset.sink)))
        scene.emit(.disappeared(ObjectID(Headset.device)))
        scene.settle()
        #expect(scene.takeChanges(of: player).filter { $0 != .gateClosed } == [.noisy(.usbAudio)])
        scene.sleep()
        scene.emit(.defaultChanged(.output, "alsa_output.pci.analog"))
        scene.settle()
        #expect(!scene.takeChanges(of: player).contains { $0 != .gateClosed })
        scene.wake()
        scene.advance(by: .seconds(1))
        #expect(
            scene.takeChanges(of: player) == [
                .change(.wakeFromSleep, [.usbAudio], [.builtInSpeaker]), .gateOpened,
            ])
    }

    @Test func aPlayerThatBeginsDuringTheSleepIsSilentUntilItsEnd() {
        var scene = RouteScene.listening()
        scene.sleep()
        let id = FollowerID(7)
        _ = scene.takeEvents()
        scene.run(scene.routes.follow(id, graph: scene.registry.graph))
        #expect(scene.takeChanges(of: id) == [.gateClosed])
        scene.wake()
        scene.advance(by: .seconds(1))
        #expect(scene.takeChanges(of: id) == [.gateOpened])
    }

    @Test func aMissingOutputIsTheStrongerReason() {
        var scene = RouteScene(Laptop.events)
        scene.routes.noteWake(now: scene.now)
        scene.emit(.disappeared(ObjectID(Laptop.analog)), .disappeared(laptop))
        scene.emit(.defaultChanged(.output, nil))
        scene.settle()
        scene.advance(by: .seconds(1))
        #expect(scene.takeChanges().last == .change(.noSuitableRouteForCategory, [.builtInSpeaker], []))
    }

    private func unplug(_ scene: inout RouteScene) {
        scene.emit(.deviceRoutes(laptop, Laptop.routes(headphones: .no)))
        scene.emit(.deviceActiveRoutes(laptop, Laptop.speaking))
    }

    private func plug(_ scene: inout RouteScene) {
        scene.emit(.deviceRoutes(laptop, Laptop.routes(headphones: .yes)))
        scene.emit(.deviceActiveRoutes(laptop, Laptop.listening))
    }

    @Test func aLossDuringTheSleepIsFoundThoughItsNumberIsReused() {
        var scene = RouteScene(Laptop.events + Headset.events + [.defaultChanged(.output, Headset.sinkName)])
        let player = scene.play(on: Headset.sink)
        scene.sleep()
        _ = scene.takeEvents()
        for id in [901, Headset.sink, Headset.device] { scene.emit(.disappeared(ObjectID(id))) }
        for event in Laptop.node(Headset.sink, "other", "Stream/Output/Audio", device: nil) { scene.emit(event) }
        scene.emit(.defaultChanged(.output, "alsa_output.pci.analog"))
        let link = Link(id: ObjectID(902), outputNode: ObjectID(900), inputNode: ObjectID(Laptop.analog))
        scene.emit(.linkAppeared(link))
        scene.wake()
        scene.advance(by: .seconds(1))
        #expect(
            scene.takeChanges(of: player).filter { $0 != .gateClosed } == [
                .noisy(.usbAudio), .change(.wakeFromSleep, [.usbAudio], [.builtInSpeaker]),
            ])
    }
}
