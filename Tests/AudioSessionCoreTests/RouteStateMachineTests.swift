import AudioSessionCore
import Testing

@Suite struct RouteStateMachineTests {
    let laptop = ObjectID(Laptop.device)

    @Test func theFirstRouteIsNoEvent() {
        var scene = RouteScene(Laptop.events)
        #expect(scene.routes.route(of: .computer).outputs.map(\.type) == [.builtInSpeaker])
        #expect(scene.routes.route(of: .computer).inputs.map(\.type) == [.builtInMic])
        #expect(scene.takeEvents().isEmpty)
    }

    @Test func pluggingHeadphonesIsOneNewDevice() {
        var scene = RouteScene(Laptop.events)
        scene.emit(.deviceRoutes(laptop, Laptop.routes(headphones: .yes)))
        scene.settle()
        #expect(scene.takeEvents() == [.availablePortsChanged], "the session manager has not chosen yet")
        scene.emit(.deviceActiveRoutes(laptop, Laptop.listening))
        scene.settle()
        #expect(scene.takeChanges() == [.change(.newDeviceAvailable, [.builtInSpeaker], [.headphones])])
    }

    @Test func pluggingWhilePlayingNeverClosesTheGate() {
        var scene = RouteScene(Laptop.events)
        let player = scene.play(on: Laptop.analog)
        scene.emit(.deviceRoutes(laptop, Laptop.routes(headphones: .yes, speaker: .no)))
        scene.emit(.deviceActiveRoutes(laptop, Laptop.listening))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.change(.newDeviceAvailable, [.builtInSpeaker], [.headphones])])
    }

    @Test func anEmptyJackClosesTheGateAtOnceAndIsNotifiedWithTheSpeakers() {
        var scene = RouteScene.listening()
        let player = scene.play(on: Laptop.analog)
        scene.emit(.deviceRoutes(laptop, Laptop.routes()))
        #expect(scene.takeChanges(of: player) == [.gateClosed, .noisy(.headphones)])
        scene.settle()
        #expect(scene.takeChanges(of: player).isEmpty)
        scene.emit(.deviceActiveRoutes(laptop, Laptop.speaking))
        #expect(scene.takeChanges(of: player).isEmpty, "more may be on its way")
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.change(.oldDeviceUnavailable, [.headphones], [.builtInSpeaker])])
    }

    @Test func aSessionManagerThatChoosesNothingIsWaitedForUpToALimit() {
        var scene = RouteScene.listening()
        scene.emit(.deviceRoutes(laptop, Laptop.routes()))
        scene.settle()
        #expect(scene.takeChanges() == [.gateClosed, .noisy(.headphones)])
        scene.advance(by: .seconds(2))
        #expect(scene.takeChanges() == [.change(.noSuitableRouteForCategory, [.headphones], [])])
    }

    @Test func aPulledUSBHeadsetIsLostAtTheBarrier() {
        var scene = RouteScene(Laptop.events + Headset.events + [.defaultChanged(.output, Headset.sinkName)])
        let player = scene.play(on: Headset.sink)
        _ = scene.takeEvents()
        scene.emit(.disappeared(ObjectID(901)), .disappeared(ObjectID(Headset.sink)))
        #expect(scene.takeChanges(of: player) == [.gateClosed])
        scene.emit(.disappeared(ObjectID(Headset.device)))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.noisy(.usbAudio)])
        scene.emit(.defaultChanged(.output, "alsa_output.pci.analog"))
        scene.emit(.linkAppeared(Link(id: ObjectID(902), outputNode: ObjectID(900), inputNode: ObjectID(41))))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.change(.oldDeviceUnavailable, [.usbAudio], [.builtInSpeaker])])
    }

    @Test func removingTheLastOutputLeavesNoSuitableRoute() {
        var scene = RouteScene(Laptop.events)
        for id in [Laptop.analog, Laptop.screen, Laptop.microphone, Laptop.device] {
            scene.emit(.disappeared(ObjectID(id)))
        }
        scene.settle()
        #expect(
            scene.takeChanges() == [
                .gateClosed, .noisy(.builtInSpeaker), .change(.noSuitableRouteForCategory, [.builtInSpeaker], []),
            ])
    }

    @Test func theFirstOutputIsANewDevice() {
        var scene = RouteScene(Array(Laptop.events.prefix(2)))
        for event in Laptop.card() { scene.emit(event) }
        scene.emit(.defaultChanged(.output, "alsa_output.pci.analog"))
        scene.emit(.defaultChanged(.input, "alsa_input.pci.mic"))
        scene.settle()
        #expect(scene.takeChanges() == [.change(.newDeviceAvailable, [], [.builtInSpeaker])])
    }

    @Test func aScreenIsInUseByTheDefaultAndByTheStreamsLinks() {
        var scene = RouteScene(Laptop.events)
        let player = scene.play(on: Laptop.analog)
        scene.emit(.deviceRoutes(laptop, Laptop.routes(hdmi: .yes)))
        scene.emit(.defaultChanged(.output, "alsa_output.pci.hdmi"))
        scene.settle()
        let received = scene.takeEvents()
        #expect(received.contains { if case .routeChanged(.computer, _) = $0 { true } else { false } })
        #expect(!received.contains { if case .routeChanged(player, _) = $0 { true } else { false } })
        scene.emit(.disappeared(ObjectID(901)))
        scene.emit(.linkAppeared(Link(id: ObjectID(903), outputNode: ObjectID(900), inputNode: ObjectID(42))))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.change(.newDeviceAvailable, [.builtInSpeaker], [.hdmi])])
    }

    @Test func aStreamBetweenTwoLinksHasNotMovedYet() {
        var scene = RouteScene(Laptop.events + Headset.events)
        let player = scene.play(on: Headset.sink)
        scene.advance(by: .seconds(10))
        _ = scene.takeEvents()
        scene.emit(.disappeared(ObjectID(901)))
        scene.settle()
        #expect(scene.takeChanges(of: player).isEmpty)
        scene.emit(.linkAppeared(Link(id: ObjectID(904), outputNode: ObjectID(900), inputNode: ObjectID(42))))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.change(.override, [.usbAudio], [.hdmi])])
    }

    /// The change might follow from a jack, and more of it would follow.
    @Test func choosingAnotherPortOfTheSameCardIsAConfigurationChange() {
        var scene = RouteScene.listening()
        scene.advance(by: .seconds(10))
        scene.emit(.deviceActiveRoutes(laptop, Laptop.speaking))
        scene.settle()
        scene.advance(by: .milliseconds(110))
        #expect(
            scene.takeChanges() == [.change(.routeConfigurationChange, [.headphones], [.builtInSpeaker])])
    }

    @Test func choosingAnotherDeviceIsAnOverride() {
        var scene = RouteScene(Laptop.events + Headset.events)
        scene.choose(Headset.sinkName)
        scene.settle()
        #expect(scene.takeChanges() == [.change(.override, [.builtInSpeaker], [.usbAudio])])
    }

    /// A session manager overrides neither when it moves by itself, nor when it restores its choice
    /// after a restart.
    @Test func aSessionManagerThatMovesByItselfOverridesNothing() {
        var scene = RouteScene(Laptop.events + Headset.events)
        scene.emit(.defaultChanged(.output, Headset.sinkName))
        scene.settle()
        #expect(scene.takeChanges() == [.change(.routeConfigurationChange, [.builtInSpeaker], [.usbAudio])])
        scene.emit(.configuredDefaultChanged(.output, Headset.sinkName))
        scene.advance(by: .seconds(3))
        scene.emit(.defaultChanged(.output, "alsa_output.pci.analog"))
        scene.settle()
        #expect(scene.takeChanges() == [.change(.routeConfigurationChange, [.usbAudio], [.builtInSpeaker])])
    }

    /// A barrier takes as long as the event itself.
    @Test func aDefaultChosenWithoutOtherChangesIsNotifiedAtOnce() {
        var scene = RouteScene(Laptop.events + Headset.events)
        scene.choose(Headset.sinkName)
        #expect(scene.takeChanges() == [.change(.override, [.builtInSpeaker], [.usbAudio])])
        scene.settle()
        scene.advance(by: .seconds(10))
        #expect(scene.takeChanges().isEmpty)
    }

    /// The default may be the answer to that, and more of it may follow.
    @Test(arguments: [true, false]) func aDefaultAfterANewPortIsNotifiedAtTheBarrier(isSettled: Bool) {
        var scene = RouteScene(Laptop.events)
        for event in Headset.events { scene.emit(event) }
        scene.settle()
        if isSettled { scene.advance(by: .seconds(4)) }
        scene.choose(Headset.sinkName)
        #expect(scene.takeChanges().count == (isSettled ? 1 : 0))
        scene.emit(.defaultChanged(.input, "alsa_input.pci.mic"))
        scene.settle()
        #expect(scene.takeChanges().count == (isSettled ? 0 : 1))
    }

    /// The session manager may react to a jack that the registry still queries.
    @Test func aDefaultWhileACardIsAskedMayBeTheAnswerToItsJack() {
        var scene = RouteScene(Laptop.events)
        scene.emit(.deviceRoutes(laptop, Laptop.routes(hdmi: .yes)))
        scene.emit(.defaultChanged(.output, "alsa_output.pci.hdmi"))
        scene.settle()
        scene.advance(by: .seconds(10))
        _ = scene.takeEvents()
        scene.isAsking = true
        scene.emit(.defaultChanged(.output, "alsa_output.pci.analog"))
        #expect(scene.takeEvents().isEmpty)
        scene.emit(.deviceRoutes(laptop, Laptop.routes()))
        scene.isAsking = false
        scene.settle()
        #expect(
            scene.takeChanges() == [
                .gateClosed, .noisy(.hdmi), .change(.oldDeviceUnavailable, [.hdmi], [.builtInSpeaker]),
            ])
    }

    /// The default is sent on another connection.
    @Test func aDefaultThatArrivesBeforeItsLossIsOneLoss() {
        var scene = RouteScene(Laptop.events + Headset.events + [.defaultChanged(.output, Headset.sinkName)])
        scene.emit(.defaultChanged(.output, "alsa_output.pci.analog"))
        #expect(scene.takeChanges() == [], "the user has not chosen it")
        scene.emit(.disappeared(ObjectID(Headset.sink)), .disappeared(ObjectID(Headset.device)))
        scene.settle()
        #expect(
            scene.takeChanges() == [
                .gateClosed, .noisy(.usbAudio), .change(.oldDeviceUnavailable, [.usbAudio], [.builtInSpeaker]),
            ])
        scene.advance(by: .seconds(10))
        #expect(scene.takeChanges().isEmpty)
    }

    /// The user has chosen the speaker and pulls the headset.
    @Test func aLossRightAfterAChoiceIsALoss() {
        var scene = RouteScene(Laptop.events + Headset.events + [.defaultChanged(.output, Headset.sinkName)])
        scene.choose("alsa_output.pci.analog")
        #expect(scene.takeChanges() == [.change(.override, [.usbAudio], [.builtInSpeaker])])
        scene.emit(.disappeared(ObjectID(Headset.sink)), .disappeared(ObjectID(Headset.device)))
        #expect(scene.takeChanges() == [.noisy(.usbAudio)])
        scene.settle()
        scene.advance(by: .seconds(10))
        #expect(scene.takeChanges().isEmpty)
    }

    @Test func anOutputThatIsNoLongerInUseMayBeRemovedLater() {
        var scene = RouteScene(Laptop.events + Headset.events + [.defaultChanged(.output, Headset.sinkName)])
        scene.emit(.defaultChanged(.output, "alsa_output.pci.analog"))
        scene.settle()
        _ = scene.takeChanges()
        scene.emit(.disappeared(ObjectID(Headset.sink)), .disappeared(ObjectID(Headset.device)))
        scene.settle()
        scene.advance(by: .seconds(10))
        #expect(scene.takeChanges().isEmpty)
    }

    @Test func aDefaultWhileACardIsSwitchedIsNoOverride() {
        var scene = RouteScene(Laptop.events + Headset.events)
        _ = scene.routes.expectSwitch(of: "card", now: scene.now)
        scene.emit(.defaultChanged(.output, Headset.sinkName))
        #expect(scene.takeChanges().isEmpty)
        scene.settle()
        #expect(scene.takeChanges().count == 1)
    }

    @Test func aDefaultWithoutItsNodeIsWaitedFor() {
        var scene = RouteScene(Laptop.events)
        scene.emit(.defaultChanged(.output, Headset.sinkName))
        scene.settle()
        #expect(scene.takeChanges().isEmpty)
        for event in Headset.events { scene.emit(event) }
        scene.settle()
        #expect(scene.takeChanges().map(\.outputs) == [[.usbAudio]])
    }

    /// A player that continues elsewhere has opened its gate, and no event would open it again.
    @Test func furtherEventsOfALostPortCloseNoGate() {
        var scene = RouteScene(Laptop.events)
        scene.emit(.deviceRoutes(laptop, Laptop.routes(headphones: .yes)))
        scene.emit(.deviceActiveRoutes(laptop, Laptop.listening))
        scene.settle()
        let player = scene.play(on: Laptop.analog)
        scene.advance(by: .seconds(1))
        _ = scene.takeEvents()
        scene.emit(.deviceRoutes(laptop, Laptop.routes()))
        #expect(scene.takeEvents().contains(.closeGate(player)))
        scene.emit(.deviceRoutes(laptop, Laptop.routes()))
        #expect(!scene.takeEvents().contains(.closeGate(player)))
        #expect(scene.gateTriggers[player, default: []].isEmpty)
    }

    @Test func theListIsNotifiedAtOnceAndThenOnlyAtTheBarrier() {
        var scene = RouteScene(Laptop.events)
        scene.emit(.deviceRoutes(laptop, Laptop.routes(hdmi: .yes)))
        #expect(scene.takeEvents() == [.availablePortsChanged])
        #expect(scene.routes.snapshot.outputs.map(\.type) == [.builtInSpeaker, .hdmi])
        scene.emit(.deviceRoutes(laptop, Laptop.routes(headphones: .yes, hdmi: .yes)))
        scene.emit(.deviceRoutes(laptop, Laptop.routes(headphones: .yes)))
        #expect(scene.takeEvents().isEmpty, "more may follow")
        scene.settle()
        #expect(scene.takeEvents() == [.availablePortsChanged])
        #expect(scene.routes.snapshot.outputs.map(\.type) == [.builtInSpeaker, .headphones])
    }

    /// The defaults are read over another connection, which costs another round trip.
    @Test func onlyARouteThatMayChangeWaitsForTheDefaults() {
        func barriers(after event: GraphEvent, in scene: inout RouteScene) -> [RouteAction] {
            let change = scene.registry.apply(event)
            var actions =
                change.map { scene.routes.receive($0, graph: scene.registry.graph, now: scene.now) } ?? []
            if actions.last == .evaluate {
                actions = scene.routes.evaluate(graph: scene.registry.graph, now: scene.now)
            }
            return actions.filter(\.isBarrier)
        }
        var scene = RouteScene.listening()
        let more = GraphEvent.deviceRoutes(laptop, Laptop.routes(headphones: .yes, hdmi: .yes))
        #expect(barriers(after: more, in: &scene) == [.barrier(.ports)])
        let unplugged = GraphEvent.deviceRoutes(laptop, Laptop.routes(hdmi: .yes))
        #expect(barriers(after: unplugged, in: &scene).isEmpty, "one is pending")
        #expect(barriers(after: .barrier(.ports), in: &scene) == [.barrier(.routes)])

        scene = RouteScene.listening()
        #expect(barriers(after: unplugged, in: &scene) == [.barrier(.routes)])
    }

    @Test func theListIsNotifiedBeforeRoutesAreEvaluatedUnlessAnOutputIsLost() {
        var scene = RouteScene.listening()
        func receive(_ routes: [DeviceRoute]) -> [RouteAction] {
            scene.registry.apply(.deviceRoutes(laptop, routes)).map {
                scene.routes.receive($0, graph: scene.registry.graph, now: scene.now)
            } ?? []
        }
        #expect(receive(Laptop.routes(headphones: .yes, hdmi: .yes)) == [.availablePortsChanged, .evaluate])
        #expect(scene.routes.evaluate(graph: scene.registry.graph, now: scene.now) == [.barrier(.ports)])
        let barrier = scene.registry.apply(.barrier(.ports))
        _ = barrier.map { scene.routes.receive($0, graph: scene.registry.graph, now: scene.now) }

        let actions = receive(Laptop.routes(hdmi: .yes))
        let noisy = actions.firstIndex { if case .becameNoisy = $0 { true } else { false } }
        let list = actions.firstIndex(of: .availablePortsChanged)
        #expect(noisy ?? .max < list ?? -1)
        #expect(!actions.contains(.evaluate))
    }

    /// A card that mutes its speaker reports it like an empty jack.
    @Test func theListIsNotifiedFirstAlsoIfThePlugMutesTheSpeaker() {
        var scene = RouteScene(Laptop.events)
        let event = GraphEvent.deviceRoutes(laptop, Laptop.routes(headphones: .yes, speaker: .no))
        let change = scene.registry.apply(event)
        let actions = change.map { scene.routes.receive($0, graph: scene.registry.graph, now: scene.now) }
        #expect(actions == [.availablePortsChanged, .evaluate])
    }

    @Test func unpluggingAnUnusedOutputOnlyChangesTheList() {
        var scene = RouteScene(Laptop.events)
        scene.emit(.deviceRoutes(laptop, Laptop.routes(hdmi: .yes)))
        scene.settle()
        scene.emit(.deviceRoutes(laptop, Laptop.routes()))
        scene.settle()
        #expect(scene.takeEvents() == [.availablePortsChanged, .availablePortsChanged])
    }

    @Test func anUnknownJackIsNoEmptyJack() {
        var scene = RouteScene.listening()
        scene.emit(.deviceRoutes(laptop, Laptop.routes(headphones: .unknown)))
        scene.settle()
        scene.advance(by: .seconds(2))
        #expect(scene.takeChanges().isEmpty)
    }

    @Test func aRouteChosenWithAnEmptyJackIsNotLost() {
        var scene = RouteScene(Laptop.events)
        scene.emit(.deviceActiveRoutes(laptop, Laptop.listening))
        scene.settle()
        scene.advance(by: .seconds(2))
        _ = scene.takeEvents()
        scene.emit(.deviceRoutes(laptop, Laptop.routes()))
        scene.settle()
        #expect(scene.takeChanges().isEmpty)
    }

    /// The jack's sink stays, and stays the default until the session manager has chosen.
    @Test func anEmptyJackOfASinkOfItsOwnIsOneChange() {
        var scene = RouteScene(
            Laptop.events + [
                .deviceRoutes(laptop, Laptop.routes(hdmi: .yes)), .defaultChanged(.output, "alsa_output.pci.hdmi"),
            ])
        scene.advance(by: .seconds(10))
        scene.emit(.deviceRoutes(laptop, Laptop.routes(hdmi: .no)))
        scene.settle()
        #expect(scene.takeChanges() == [.gateClosed, .noisy(.hdmi)])
        scene.emit(.defaultChanged(.output, "alsa_output.pci.analog"), after: .milliseconds(20))
        scene.settle()
        #expect(scene.takeChanges() == [.change(.oldDeviceUnavailable, [.hdmi], [.builtInSpeaker])])
    }

    @Test func aPortThatReturnsBeforeAnotherChoiceIsNotifiedAsNew() {
        var scene = RouteScene.listening()
        scene.advance(by: .seconds(10))
        let player = scene.play(on: Laptop.analog)
        _ = scene.takeEvents()
        scene.emit(.deviceRoutes(laptop, Laptop.routes(headphones: .no)))
        scene.stop(player)
        scene.emit(.deviceRoutes(laptop, Laptop.routes(headphones: .yes)), after: .milliseconds(200))
        scene.settle()
        scene.advance(by: .seconds(2))
        let received = scene.takeEvents()
        for id in [player, .computer] {
            #expect(received.contains { if case .routeRegained(id) = $0 { true } else { false } })
            #expect(!received.contains { if case .routeChanged(id, _) = $0 { true } else { false } })
        }
    }

    @Test func aJackThatWasEmptyWhenItsRouteBeganIsLostLater() {
        var scene = RouteScene(Laptop.events)
        scene.emit(.deviceActiveRoutes(laptop, Laptop.listening))
        scene.settle()
        scene.advance(by: .seconds(2))
        let player = scene.play(on: Laptop.analog)
        scene.emit(.deviceRoutes(laptop, Laptop.routes(headphones: .yes)))
        scene.settle()
        scene.advance(by: .seconds(10))
        _ = scene.takeEvents()
        scene.emit(.deviceRoutes(laptop, Laptop.routes(headphones: .no)))
        #expect(scene.takeChanges(of: player) == [.gateClosed, .noisy(.headphones)])
    }
}
