import AudioSessionCore
import Testing

@Suite struct RouteStateMachineTests {
    let laptop = ObjectID(Laptop.device)

    @Test func theFirstRouteIsNoEvent() {
        var scene = RouteScene(Laptop.events)
        #expect(scene.routes.route(of: .machine).outputs.map(\.type) == [.builtInSpeaker])
        #expect(scene.routes.route(of: .machine).inputs.map(\.type) == [.builtInMic])
        #expect(scene.takeEvents().isEmpty)
    }

    @Test func pluggingHeadphonesIsOneNewDevice() {
        var scene = RouteScene(Laptop.events)
        scene.happen(.deviceRoutes(laptop, Laptop.routes(headphones: .yes)))
        scene.settle()
        #expect(scene.takeEvents() == [.availablePortsChanged], "the session manager has not chosen yet")
        scene.happen(.deviceActiveRoutes(laptop, Laptop.listening))
        scene.settle()
        #expect(scene.takeChanges() == [.change(.newDeviceAvailable, [.builtInSpeaker], [.headphones])])
    }

    @Test func pluggingWhilePlayingNeverClosesTheGate() {
        var scene = RouteScene(Laptop.events)
        let player = scene.play(on: Laptop.analog)
        scene.happen(.deviceRoutes(laptop, Laptop.routes(headphones: .yes, speaker: .no)))
        scene.happen(.deviceActiveRoutes(laptop, Laptop.listening))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.change(.newDeviceAvailable, [.builtInSpeaker], [.headphones])])
    }

    @Test func anEmptyJackClosesTheGateAtOnceAndIsToldWhenTheSpeakersWereChosen() {
        var scene = listening()
        let player = scene.play(on: Laptop.analog)
        scene.happen(.deviceRoutes(laptop, Laptop.routes()))
        #expect(scene.takeChanges(of: player) == [.gateClosed, .gateClosed, .noisy(.headphones)])
        scene.settle()
        #expect(scene.takeChanges(of: player).isEmpty)
        scene.happen(.deviceActiveRoutes(laptop, Laptop.speaking))
        #expect(scene.takeChanges(of: player).isEmpty, "more may be on its way")
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.change(.oldDeviceUnavailable, [.headphones], [.builtInSpeaker])])
    }

    @Test func aSessionManagerThatChoosesNothingIsNotWaitedForForEver() {
        var scene = listening()
        scene.happen(.deviceRoutes(laptop, Laptop.routes()))
        scene.settle()
        #expect(scene.takeChanges() == [.gateClosed, .noisy(.headphones)])
        scene.pass(.seconds(2))
        #expect(scene.takeChanges() == [.change(.noSuitableRouteForCategory, [.headphones], [])])
    }

    @Test func aPulledUSBHeadsetIsLostWhenTheDaemonHasSaidAll() {
        var scene = RouteScene(Laptop.events + Headset.events + [.defaultChanged(.output, Headset.sinkName)])
        let player = scene.play(on: Headset.sink)
        _ = scene.takeEvents()
        scene.happen(.disappeared(ObjectID(901)), .disappeared(ObjectID(Headset.sink)))
        #expect(scene.takeChanges(of: player) == [.gateClosed, .gateClosed])
        scene.happen(.disappeared(ObjectID(Headset.device)))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.noisy(.usbAudio)])
        scene.happen(.defaultChanged(.output, "alsa_output.pci.analog"))
        scene.happen(.linkAppeared(Link(id: ObjectID(902), outputNode: ObjectID(900), inputNode: ObjectID(41))))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.change(.oldDeviceUnavailable, [.usbAudio], [.builtInSpeaker])])
    }

    @Test func theLastOutputToGoLeavesNoSuitableRoute() {
        var scene = RouteScene(Laptop.events)
        for id in [Laptop.analog, Laptop.screen, Laptop.microphone, Laptop.device] {
            scene.happen(.disappeared(ObjectID(id)))
        }
        scene.settle()
        #expect(
            scene.takeChanges() == [
                .gateClosed, .noisy(.builtInSpeaker), .change(.noSuitableRouteForCategory, [.builtInSpeaker], []),
            ])
    }

    @Test func theFirstOutputToComeIsANewDevice() {
        var scene = RouteScene(Array(Laptop.events.prefix(2)))
        for event in Laptop.card() { scene.happen(event) }
        scene.happen(.defaultChanged(.output, "alsa_output.pci.analog"))
        scene.happen(.defaultChanged(.input, "alsa_input.pci.mic"))
        scene.settle()
        #expect(scene.takeChanges() == [.change(.newDeviceAvailable, [], [.builtInSpeaker])])
    }

    @Test func aScreenTakesOverByTheDefaultAndByTheStreamsLinks() {
        var scene = RouteScene(Laptop.events)
        let player = scene.play(on: Laptop.analog)
        scene.happen(.deviceRoutes(laptop, Laptop.routes(hdmi: .yes)))
        scene.happen(.defaultChanged(.output, "alsa_output.pci.hdmi"))
        scene.settle()
        let told = scene.takeEvents()
        #expect(told.contains { if case .routeChanged(.machine, _) = $0 { true } else { false } })
        #expect(!told.contains { if case .routeChanged(player, _) = $0 { true } else { false } })
        scene.happen(.disappeared(ObjectID(901)))
        scene.happen(.linkAppeared(Link(id: ObjectID(903), outputNode: ObjectID(900), inputNode: ObjectID(42))))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.change(.newDeviceAvailable, [.builtInSpeaker], [.hdmi])])
    }

    @Test func aStreamBetweenTwoLinksHasNotMovedYet() {
        var scene = RouteScene(Laptop.events + Headset.events)
        let player = scene.play(on: Headset.sink)
        scene.pass(.seconds(10))
        _ = scene.takeEvents()
        scene.happen(.disappeared(ObjectID(901)))
        scene.settle()
        #expect(scene.takeChanges(of: player).isEmpty)
        scene.happen(.linkAppeared(Link(id: ObjectID(904), outputNode: ObjectID(900), inputNode: ObjectID(42))))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.change(.override, [.usbAudio], [.hdmi])])
    }

    @Test func choosingAnotherPortOfTheSameCardIsAConfigurationChange() {
        var scene = listening()
        scene.pass(.seconds(10))
        scene.happen(.deviceActiveRoutes(laptop, Laptop.speaking))
        scene.settle()
        #expect(
            scene.takeChanges() == [.change(.routeConfigurationChange, [.headphones], [.builtInSpeaker])])
    }

    @Test func choosingAnotherDeviceIsAnOverride() {
        var scene = RouteScene(Laptop.events + Headset.events)
        scene.happen(.defaultChanged(.output, Headset.sinkName))
        scene.settle()
        #expect(scene.takeChanges() == [.change(.override, [.builtInSpeaker], [.usbAudio])])
    }

    /// A player that goes on elsewhere has opened its gate, and nobody would open it again.
    @Test func moreNewsOfAPortThatIsLostCloseNoGate() {
        var scene = RouteScene(Laptop.events)
        scene.happen(.deviceRoutes(laptop, Laptop.routes(headphones: .yes)))
        scene.happen(.deviceActiveRoutes(laptop, Laptop.listening))
        scene.settle()
        let player = scene.play(on: Laptop.analog)
        scene.pass(.seconds(1))
        _ = scene.takeEvents()
        scene.happen(.deviceRoutes(laptop, Laptop.routes()))
        #expect(scene.takeEvents().contains(.closeGate(player)))
        scene.happen(.deviceRoutes(laptop, Laptop.routes()))
        #expect(!scene.takeEvents().contains(.closeGate(player)))
        #expect(scene.guards[player, default: []].isEmpty)
    }

    @Test func theListIsToldAtOnceAndThenOnlyAtTheBarrier() {
        var scene = RouteScene(Laptop.events)
        scene.happen(.deviceRoutes(laptop, Laptop.routes(hdmi: .yes)))
        #expect(scene.takeEvents() == [.availablePortsChanged])
        #expect(scene.routes.availableOutputs.map(\.type) == [.builtInSpeaker, .hdmi])
        scene.happen(.deviceRoutes(laptop, Laptop.routes(headphones: .yes, hdmi: .yes)))
        scene.happen(.deviceRoutes(laptop, Laptop.routes(headphones: .yes)))
        #expect(scene.takeEvents().isEmpty, "more may follow")
        scene.settle()
        #expect(scene.takeEvents() == [.availablePortsChanged])
        #expect(scene.routes.availableOutputs.map(\.type) == [.builtInSpeaker, .headphones])
    }

    @Test func unpluggingWhatNobodyUsesOnlyChangesTheList() {
        var scene = RouteScene(Laptop.events)
        scene.happen(.deviceRoutes(laptop, Laptop.routes(hdmi: .yes)))
        scene.settle()
        scene.happen(.deviceRoutes(laptop, Laptop.routes()))
        scene.settle()
        #expect(scene.takeEvents() == [.availablePortsChanged, .availablePortsChanged])
    }

    @Test func anUnknownJackIsNoEmptyJack() {
        var scene = listening()
        scene.happen(.deviceRoutes(laptop, Laptop.routes(headphones: .unknown)))
        scene.settle()
        scene.pass(.seconds(2))
        #expect(scene.takeChanges().isEmpty)
    }

    @Test func aRouteThatWasChosenWithAnEmptyJackIsNotLostByIt() {
        var scene = RouteScene(Laptop.events)
        scene.happen(.deviceActiveRoutes(laptop, Laptop.listening))
        scene.settle()
        scene.pass(.seconds(2))
        _ = scene.takeEvents()
        scene.happen(.deviceRoutes(laptop, Laptop.routes()))
        scene.settle()
        #expect(scene.takeChanges().isEmpty)
    }

    /// Its sink stays, and stays the default until the session manager has chosen.
    @Test func anEmptyJackOfASinkOfItsOwnIsOneChange() {
        var scene = RouteScene(
            Laptop.events + [
                .deviceRoutes(laptop, Laptop.routes(hdmi: .yes)), .defaultChanged(.output, "alsa_output.pci.hdmi"),
            ])
        scene.pass(.seconds(10))
        scene.happen(.deviceRoutes(laptop, Laptop.routes(hdmi: .no)))
        scene.settle()
        #expect(scene.takeChanges() == [.gateClosed, .noisy(.hdmi)])
        scene.happen(.defaultChanged(.output, "alsa_output.pci.analog"), after: .milliseconds(20))
        scene.settle()
        #expect(scene.takeChanges() == [.change(.oldDeviceUnavailable, [.hdmi], [.builtInSpeaker])])
    }

    @Test func whatIsBackBeforeAnythingElseWasChosenIsToldToBeBack() {
        var scene = listening()
        scene.pass(.seconds(10))
        let player = scene.play(on: Laptop.analog)
        _ = scene.takeEvents()
        scene.happen(.deviceRoutes(laptop, Laptop.routes(headphones: .no)))
        scene.stop(player)
        scene.happen(.deviceRoutes(laptop, Laptop.routes(headphones: .yes)), after: .milliseconds(200))
        scene.settle()
        scene.pass(.seconds(2))
        let told = scene.takeEvents()
        for id in [player, .machine] {
            #expect(told.contains { if case .routeRegained(id, _) = $0 { true } else { false } })
            #expect(!told.contains { if case .routeChanged(id, _) = $0 { true } else { false } })
        }
    }

    // MARK: Bouncing jacks

    @Test func aJackThatBouncesOutIsOneLossAndOneChange() {
        var scene = listening()
        scene.pass(.seconds(10))
        let player = scene.play(on: Laptop.analog)
        _ = scene.takeEvents()
        for index in 0..<5 {
            scene.happen(
                .deviceRoutes(laptop, Laptop.routes(headphones: index % 2 == 0 ? .no : .yes)),
                after: .milliseconds(10))
            if index == 0 { scene.stop(player) }
            scene.happen(.deviceActiveRoutes(laptop, index % 2 == 0 ? Laptop.speaking : Laptop.listening))
        }
        scene.settle()
        scene.pass(.seconds(2))
        #expect(!scene.told.contains { if case .routeRegained = $0 { true } else { false } })
        let told = scene.takeEvents()
        #expect(told.filter { if case .becameNoisy(player, _, _) = $0 { true } else { false } }.count == 1)
        #expect(told.filter { if case .routeChanged(player, _) = $0 { true } else { false } }.count == 1)
        #expect(scene.routes.route(of: player).outputs.map(\.type) == [.builtInSpeaker])
    }

    /// The session manager may be so fast that it chooses anew at every contact.
    @Test func aJackThatBouncesOutSlowlyIsOneLossAndOneChange() {
        var scene = listening()
        let player = scene.play(on: Laptop.analog)
        _ = scene.takeEvents()
        for index in 0..<5 {
            scene.happen(
                .deviceRoutes(laptop, Laptop.routes(headphones: index % 2 == 0 ? .no : .yes)),
                after: .milliseconds(9))
            scene.happen(.deviceActiveRoutes(laptop, index % 2 == 0 ? Laptop.speaking : Laptop.listening))
            scene.settle()
            if index == 0 { scene.stop(player) }
        }
        scene.pass(.seconds(2))
        #expect(!scene.told.contains { if case .routeRegained = $0 { true } else { false } })
        let change = RouteScene.Told.change(.oldDeviceUnavailable, [.headphones], [.builtInSpeaker])
        #expect(scene.takeChanges(of: player) == [.gateClosed, .gateClosed, .noisy(.headphones), change])
    }

    /// Contact is made again before anybody has noted that the port went: the speaker is no more than a station.
    @Test func aJackThatBouncesBeforeTheDaemonHasSaidAllIsOneLossAndOneChange() {
        var scene = listening()
        let player = scene.play(on: Laptop.analog)
        _ = scene.takeEvents()
        scene.happen(.deviceRoutes(laptop, Laptop.routes(headphones: .no)))
        scene.stop(player)
        scene.happen(.deviceActiveRoutes(laptop, Laptop.speaking), after: .milliseconds(8))
        scene.happen(.deviceRoutes(laptop, Laptop.routes(headphones: .yes)))
        scene.settle()
        scene.happen(.deviceActiveRoutes(laptop, Laptop.listening), after: .milliseconds(8))
        scene.settle()
        scene.happen(.deviceRoutes(laptop, Laptop.routes(headphones: .no)), after: .milliseconds(8))
        scene.happen(.deviceActiveRoutes(laptop, Laptop.speaking), after: .milliseconds(8))
        scene.settle()
        scene.pass(.seconds(2))
        #expect(!scene.told.contains { if case .routeRegained = $0 { true } else { false } })
        let change = RouteScene.Told.change(.oldDeviceUnavailable, [.headphones], [.builtInSpeaker])
        #expect(scene.takeChanges(of: player) == [.gateClosed, .gateClosed, .noisy(.headphones), change])
        #expect(scene.routes.route(of: .machine).outputs.map(\.type) == [.builtInSpeaker])
    }

    @Test func aJackThatBouncesInNeverStopsTheMusic() {
        var scene = RouteScene(Laptop.events)
        scene.pass(.seconds(10))
        let player = scene.play(on: Laptop.analog)
        _ = scene.takeEvents()
        for index in 0..<5 {
            scene.happen(
                .deviceRoutes(laptop, Laptop.routes(headphones: index % 2 == 0 ? .yes : .no)), after: .milliseconds(9)
            )
            scene.happen(.deviceActiveRoutes(laptop, index % 2 == 0 ? Laptop.listening : Laptop.speaking))
            scene.settle()
        }
        scene.pass(.seconds(2))
        #expect(scene.takeChanges(of: player) == [.change(.newDeviceAvailable, [.builtInSpeaker], [.headphones])])
    }

    /// The session manager is behind: it chooses the speaker when contact has been made again, and lost again.
    @Test func aJackThatBouncesInUnderALateSessionManagerIsOneChange() {
        var scene = RouteScene(Laptop.events)
        scene.pass(.seconds(10))
        let player = scene.play(on: Laptop.analog)
        _ = scene.takeEvents()
        func jack(_ availability: Availability) -> GraphEvent {
            .deviceRoutes(laptop, Laptop.routes(headphones: availability))
        }
        for event in [
            jack(.yes), .deviceActiveRoutes(laptop, Laptop.listening), jack(.no), jack(.yes),
            .deviceActiveRoutes(laptop, Laptop.speaking), jack(.no), jack(.yes),
            .deviceActiveRoutes(laptop, Laptop.listening),
        ] {
            scene.happen(event, after: .milliseconds(5))
            scene.settle()
        }
        scene.pass(.seconds(2))
        #expect(scene.takeChanges(of: player) == [.change(.newDeviceAvailable, [.builtInSpeaker], [.headphones])])
    }

    // MARK: What looks like a loss and is none

    @Test func aCardThatShowsAnotherNodeForAnotherJackIsNotLost() {
        var scene = RouteScene(Laptop.events)
        let player = scene.play(on: Laptop.analog)
        _ = scene.takeEvents()
        scene.happen(.deviceRoutes(laptop, Laptop.routes(headphones: .yes, speaker: .no)))
        scene.happen(.disappeared(ObjectID(901)), .disappeared(ObjectID(Laptop.analog)))
        #expect(scene.takeChanges(of: player).first == .gateClosed)
        scene.happen(.deviceActiveRoutes(laptop, Laptop.listening))
        for event in Laptop.node(80, "alsa_output.pci.headphones", "Audio/Sink", device: Laptop.device) {
            scene.happen(event)
        }
        scene.happen(.defaultChanged(.output, "alsa_output.pci.headphones"))
        scene.happen(.linkAppeared(Link(id: ObjectID(905), outputNode: ObjectID(900), inputNode: ObjectID(80))))
        scene.settle()
        #expect(
            scene.takeChanges(of: player) == [
                .gateOpened, .change(.newDeviceAvailable, [.builtInSpeaker], [.headphones]),
            ])
    }

    @Test func aRestartOfTheSessionManagerLosesNothing() {
        var scene = RouteScene(Laptop.events)
        let player = scene.play(on: Laptop.analog)
        _ = scene.takeEvents()
        for id in [901, Laptop.analog, Laptop.screen, Laptop.microphone, Laptop.device, 31, Laptop.manager] {
            scene.happen(.disappeared(ObjectID(id)))
        }
        scene.settle()
        scene.pass(.seconds(8))
        #expect(scene.takeChanges(of: player) == [.gateClosed, .gateClosed])
        for event in Laptop.events { scene.happen(event) }
        scene.happen(.linkAppeared(Link(id: ObjectID(906), outputNode: ObjectID(900), inputNode: ObjectID(41))))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.gateOpened])
    }

    @Test(arguments: [true, false]) func aSessionManagerThatIsBackBringsItsDevicesLater(doesBring: Bool) {
        var scene = RouteScene(Laptop.events)
        let player = scene.play(on: Laptop.analog)
        _ = scene.takeEvents()
        for id in [31, Laptop.manager, 901, Laptop.analog, Laptop.screen, Laptop.microphone, Laptop.device] {
            scene.happen(.disappeared(ObjectID(id)))
        }
        scene.settle()
        for event in Laptop.events.prefix(2) { scene.happen(event) }
        scene.settle()
        scene.pass(.seconds(2))
        #expect(scene.takeChanges(of: player) == [.gateClosed, .gateClosed])
        // It does not link the stream that ran before it: the player makes another one.
        if doesBring { for event in Laptop.events.dropFirst(2) { scene.happen(event) } }
        scene.settle()
        scene.pass(.seconds(2))
        let lost: [RouteScene.Told] = [
            .noisy(.builtInSpeaker), .change(.noSuitableRouteForCategory, [.builtInSpeaker], []),
        ]
        #expect(scene.takeChanges(of: player) == (doesBring ? [.gateOpened] : lost))
    }

    /// The player makes another stream meanwhile, and the old one's links are gone.
    @Test func aSinkThatIsBackWithItsSessionManagerIsNotMissedAgainByItsOldNumber() {
        var scene = RouteScene(Laptop.events)
        let player = scene.play(on: Laptop.analog)
        _ = scene.takeEvents()
        for id in [31, Laptop.manager, 901, Laptop.analog, Laptop.screen, Laptop.microphone, Laptop.device] {
            scene.happen(.disappeared(ObjectID(id)))
        }
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.gateClosed, .gateClosed])
        for event in Laptop.events.prefix(2) + Laptop.card(analog: 141) + Laptop.events.suffix(2) {
            scene.happen(event)
        }
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.gateOpened])
        scene.stop(player)
        #expect(scene.takeChanges(of: player).isEmpty, "it is no loss that the old stream goes")
        scene.pass(.seconds(2))
        scene.settle()
        #expect(scene.takeChanges(of: player).isEmpty)
        scene.link(player, stream: 910, to: 141)
        #expect(scene.takeChanges(of: player).isEmpty)
        #expect(scene.guards[player] == [ObjectID(141)])
        scene.happen(.disappeared(ObjectID(141)))
        #expect(scene.takeChanges(of: player).first == .gateClosed)
    }

    @Test func aDeviceThatStaysWithoutItsNodeIsLostInTheEnd() {
        var scene = RouteScene(Laptop.events + Headset.events + [.defaultChanged(.output, Headset.sinkName)])
        scene.happen(.disappeared(ObjectID(Headset.sink)))
        scene.happen(.defaultChanged(.output, "alsa_output.pci.analog"))
        scene.settle()
        #expect(scene.takeChanges() == [.gateClosed])
        scene.pass(.milliseconds(1100))
        scene.settle()
        #expect(
            scene.takeChanges() == [
                .noisy(.usbAudio), .change(.oldDeviceUnavailable, [.usbAudio], [.builtInSpeaker]),
            ])
    }

    @Test func aSinkInUseIsGuardedUntilItIsNot() {
        var scene = listening()
        let player = scene.play(on: Laptop.analog)
        #expect(scene.guards[player] == [ObjectID(Laptop.analog)])
        #expect(scene.guards[.machine] == nil)
        scene.stop(player)
        #expect(scene.guards[player] == [])
    }

    @Test func whatWasPluggedInJustNowIsGuardedWhenItsContactsRest() {
        var scene = listening()
        for event in Headset.events { scene.happen(event) }
        scene.happen(.defaultChanged(.output, Headset.sinkName))
        scene.settle()
        let player = scene.play(on: Headset.sink)
        #expect(scene.guards[player] ?? [] == [])
        scene.pass(.milliseconds(600))
        #expect(scene.guards[player] == [ObjectID(Headset.sink)])
        scene.happen(.disappeared(ObjectID(Headset.sink)))
        #expect(scene.takeChanges(of: player).first == .gateClosed)
    }

    private func listening() -> RouteScene {
        var scene = RouteScene(Laptop.events)
        scene.happen(.deviceRoutes(laptop, Laptop.routes(headphones: .yes)))
        scene.happen(.deviceActiveRoutes(laptop, Laptop.listening))
        scene.settle()
        scene.pass(.seconds(10))
        _ = scene.takeEvents()
        return scene
    }
}

extension RouteScene {
    /// The player falls silent, as it does at a loss.
    mutating func stop(_ player: FollowerID) {
        run(routes.setStreams([], of: player, graph: registry.graph, now: now).filter { $0 != .barrier })
    }

    /// The player makes another stream, and the session manager links it.
    mutating func link(_ player: FollowerID, stream: UInt32, to sink: UInt32) {
        run(routes.setStreams([ObjectID(stream)], of: player, graph: registry.graph, now: now))
        happen(.linkAppeared(Link(id: ObjectID(stream + 1), outputNode: ObjectID(stream), inputNode: ObjectID(sink))))
        settle()
    }
}
