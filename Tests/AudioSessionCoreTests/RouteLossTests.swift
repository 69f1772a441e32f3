import AudioSessionCore
import Testing

/// What looks like a loss and is none, and what is one in the end.
@Suite struct RouteLossTests {
    let laptop = ObjectID(Laptop.device)

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
        #expect(!scene.told.contains(.readDefaults), "there is nothing that could be the default")
        #expect(scene.takeChanges(of: player) == [.gateClosed, .gateClosed])
        // It does not link the stream that ran before it: the player makes another one.
        if doesBring { for event in Laptop.events.dropFirst(2) { scene.happen(event) } }
        scene.settle()
        scene.pass(.seconds(4))
        let lost: [RouteScene.Told] = [
            .noisy(.builtInSpeaker), .change(.noSuitableRouteForCategory, [.builtInSpeaker], []),
        ]
        #expect(scene.takeChanges(of: player) == (doesBring ? [.gateOpened] : lost))
    }

    /// PipeWire may have kept back what the session manager said.
    @Test func defaultsThatAreNotToldWhenTheSessionManagerIsBackAreReadOnceMore() {
        var scene = RouteScene(Laptop.events)
        let player = scene.play(on: Laptop.analog)
        let all = [31, Laptop.manager, 901, Laptop.analog, Laptop.screen, Laptop.microphone, Laptop.device]
        for id in all { scene.happen(.disappeared(ObjectID(id))) }
        scene.settle()
        _ = scene.takeEvents()
        for event in Laptop.events.dropLast(2) { scene.happen(event) }
        scene.settle()
        scene.pass(.milliseconds(1500))
        #expect(scene.told.count { $0 == .readDefaults } == 1, "of two who wait")
        #expect(scene.registry.readDefaults() == [.bind(ObjectID(31), .metadata)])
        #expect(scene.takeChanges(of: player).isEmpty)
        for event in Laptop.events.suffix(2) { scene.happen(event) }
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.gateOpened])
    }

    @Test func aSessionManagerThatIsBackMayOpenItsDevicesAgain() {
        var scene = RouteScene(Laptop.events)
        let player = scene.play(on: Laptop.analog)
        let all = [31, Laptop.manager, 901, Laptop.analog, Laptop.screen, Laptop.microphone, Laptop.device]
        for id in all { scene.happen(.disappeared(ObjectID(id))) }
        scene.settle()
        for event in Laptop.events { scene.happen(event) }
        scene.settle()
        #expect(scene.takeChanges(of: player).last == .gateOpened)
        scene.happen(.disappeared(ObjectID(Laptop.analog)))
        scene.settle()
        scene.pass(.seconds(2))
        let closed = scene.takeChanges(of: player)
        #expect(!closed.isEmpty && closed.allSatisfy { $0 == .gateClosed })
        for event in Laptop.events {
            switch event {
            case .nodeAppeared(let node) where node.id == ObjectID(Laptop.analog): scene.happen(event)
            case .nodeProperties(ObjectID(Laptop.analog), _): scene.happen(event)
            default: break
            }
        }
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.gateOpened])
    }

    @Test func whatIsPulledRightAfterASessionManagersReturnIsLostAtOnce() {
        var scene = RouteScene(Laptop.events + Headset.events + [.defaultChanged(.output, Headset.sinkName)])
        let player = scene.play(on: Headset.sink)
        scene.happen(.disappeared(ObjectID(31)))
        scene.happen(Laptop.events[1])
        scene.settle()
        _ = scene.takeChanges(of: player)
        scene.happen(.disappeared(ObjectID(Headset.sink)), .disappeared(ObjectID(Headset.device)))
        scene.settle()
        #expect(scene.takeChanges(of: player).contains(.noisy(.usbAudio)))
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
        var scene = RouteScene.listening()
        let player = scene.play(on: Laptop.analog)
        #expect(scene.guards[player] == [ObjectID(Laptop.analog)])
        #expect(scene.guards[.machine] == nil)
        scene.stop(player)
        #expect(scene.guards[player] == [])
    }

    @Test func whatWasPluggedInJustNowIsGuardedWhenItsContactsRest() {
        var scene = RouteScene.listening()
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
}
