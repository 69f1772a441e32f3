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

    /// A built-in port cannot be unplugged, so that a comparison of the routes alone would call this an override.
    @Test func aBuiltInSpeakerThatGoesWithItsCardIsLost() {
        var scene = RouteScene(Laptop.events + Headset.events)
        #expect(scene.routes.snapshot.route.outputs.map(\.type) == [.builtInSpeaker])
        scene.happen(.disappeared(ObjectID(Laptop.analog)), .disappeared(laptop))
        scene.happen(.defaultChanged(.output, Headset.sinkName))
        scene.settle()
        #expect(
            scene.takeChanges() == [
                .gateClosed, .noisy(.builtInSpeaker),
                .change(.oldDeviceUnavailable, [.builtInSpeaker], [.usbAudio]),
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
