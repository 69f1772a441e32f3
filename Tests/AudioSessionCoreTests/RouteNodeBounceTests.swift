import AudioSessionCore
import Testing

/// Nodes that go right after they came: whoever plays to one may be sent anywhere first.
@Suite struct RouteNodeBounceTests {
    /// Somebody plays on the speaker, and then on the headset that came.
    private func movedToHeadset() -> (scene: RouteScene, player: FollowerID) {
        var scene = RouteScene(Laptop.events)
        scene.pass(.seconds(10))
        let player = scene.play(on: Laptop.analog)
        for event in Headset.events { scene.happen(event) }
        move(to: Headset.sink, Headset.sinkName, from: 901, link: 902, in: &scene)
        scene.settle()
        #expect(scene.routes.route(of: player).outputs.map(\.type) == [.usbAudio])
        _ = scene.takeEvents()
        scene.pass(.milliseconds(60))
        return (scene, player)
    }

    private func move(to sink: UInt32, _ name: String, from old: UInt32, link: UInt32, in scene: inout RouteScene) {
        scene.happen(.defaultChanged(.output, name), .disappeared(ObjectID(old)))
        scene.happen(.linkAppeared(Link(id: ObjectID(link), outputNode: ObjectID(900), inputNode: ObjectID(sink))))
    }

    private let speaker = "alsa_output.pci.analog"

    /// Its card shows another node, and meanwhile the session manager has sent the sound to the speaker.
    @Test(arguments: [0, 10]) func aCardThatIsSwitchedIsHeardNowhereElse(seconds: Int) {
        var (scene, player) = movedToHeadset()
        scene.pass(.seconds(seconds))
        scene.happen(.disappeared(ObjectID(Headset.sink)))
        #expect(scene.takeChanges(of: player) == [.gateClosed])
        move(to: Laptop.analog, speaker, from: 902, link: 903, in: &scene)
        for event in Laptop.node(81, "alsa_output.usb-Acme-00.mono", "Audio/Sink", device: Headset.device) {
            scene.happen(event)
        }
        if seconds > 0 { scene.settle() }
        move(to: 81, "alsa_output.usb-Acme-00.mono", from: 903, link: 904, in: &scene)
        #expect(!scene.takeChanges(of: player).contains(.gateOpened))
        scene.settle()
        scene.pass(.seconds(2))
        let told = scene.takeChanges(of: player)
        #expect(told.first == .gateOpened && !told.contains(.noisy(.usbAudio)), "\(told)")
        #expect(scene.routes.route(of: player).outputs.map(\.nodeName) == ["alsa_output.usb-Acme-00.mono"])
    }

    /// A plug with a loose contact: sound goes on where it was, as soon as it is there.
    @Test func whatIsPulledRightAfterItWasPluggedInStopsNoMusic() {
        var (scene, player) = movedToHeadset()
        scene.happen(.disappeared(ObjectID(Headset.sink)), .disappeared(ObjectID(Headset.device)))
        scene.settle()
        move(to: Laptop.analog, speaker, from: 902, link: 903, in: &scene)
        scene.settle()
        scene.pass(.seconds(2))
        #expect(
            scene.takeChanges(of: player) == [
                .gateClosed, .gateOpened, .change(.oldDeviceUnavailable, [.usbAudio], [.builtInSpeaker]),
            ])
    }

    /// The session manager sends it elsewhere, or nowhere.
    @Test func whatDoesNotGoBackIsLost() {
        var (scene, player) = movedToHeadset()
        scene.happen(.disappeared(ObjectID(Headset.sink)), .disappeared(ObjectID(Headset.device)))
        move(to: Laptop.screen, "alsa_output.pci.hdmi", from: 902, link: 903, in: &scene)
        scene.settle()
        scene.pass(.seconds(2))
        scene.settle()
        let told = scene.takeChanges(of: player)
        #expect(told.starts(with: [.gateClosed, .noisy(.usbAudio)]) && !told.contains(.gateOpened))
    }

    /// Somebody has linked one stream to both.
    private func onHeadphonesAndHeadset() -> (scene: RouteScene, player: FollowerID) {
        var scene = RouteScene.listening()
        for event in Headset.events { scene.happen(event) }
        let player = scene.play(on: Laptop.analog)
        scene.happen(
            .linkAppeared(Link(id: ObjectID(905), outputNode: ObjectID(900), inputNode: ObjectID(Headset.sink))))
        scene.settle()
        scene.pass(.seconds(10))
        #expect(scene.routes.route(of: player).outputs.map(\.type) == [.headphones, .usbAudio])
        _ = scene.takeEvents()
        return (scene, player)
    }

    /// The second goes before it is told where the sound goes without the first.
    @Test func ofTwoOutputsThatGoOneAfterTheOtherBothAreLost() {
        var (scene, player) = onHeadphonesAndHeadset()
        scene.happen(.deviceRoutes(ObjectID(Laptop.device), Laptop.routes(headphones: .no)))
        #expect(scene.takeChanges(of: player) == [.gateClosed, .noisy(.headphones)])
        scene.happen(.disappeared(ObjectID(905)), .disappeared(ObjectID(Headset.sink)))
        scene.happen(.disappeared(ObjectID(Headset.device)))
        scene.happen(.deviceActiveRoutes(ObjectID(Laptop.device), Laptop.speaking))
        scene.settle()
        scene.pass(.seconds(3))
        #expect(
            scene.takeChanges(of: player) == [
                .gateClosed, .noisy(.usbAudio),
                .change(.oldDeviceUnavailable, [.headphones, .usbAudio], [.builtInSpeaker]),
            ])
    }

    @Test func noneOfTwoOutputsIsLostTwice() {
        var (scene, player) = onHeadphonesAndHeadset()
        scene.happen(.deviceRoutes(ObjectID(Laptop.device), Laptop.routes(headphones: .no)))
        scene.happen(.disappeared(ObjectID(905)), .disappeared(ObjectID(Headset.sink)))
        scene.happen(.disappeared(ObjectID(Headset.device)))
        scene.settle()
        scene.happen(.deviceActiveRoutes(ObjectID(Laptop.device), Laptop.speaking))
        scene.settle()
        scene.pass(.seconds(3))
        let told = scene.takeChanges(of: player)
        #expect(told.filter { $0 == .noisy(.headphones) }.count == 1, "\(told)")
        #expect(told.filter { $0 == .noisy(.usbAudio) }.count == 1, "\(told)")
        #expect(told.last == .change(.oldDeviceUnavailable, [.headphones, .usbAudio], [.builtInSpeaker]))
    }

    /// A headset bounces, and then the headphones are pulled that sound would go back to. The list of ports waits until it is known
    /// what is lost.
    @Test func aJackThatIsPulledWhileSomethingBouncesIsNotToldBeforeTheLoss() {
        var scene = RouteScene.listening()
        for event in Headset.events { scene.happen(event) }
        scene.happen(.defaultChanged(.output, Headset.sinkName))
        scene.settle()
        scene.pass(.milliseconds(300))
        #expect(scene.takeEvents().last { $0 != .availablePortsChanged } != nil)
        scene.happen(.disappeared(ObjectID(Headset.sink)))
        scene.settle()
        _ = scene.takeEvents()
        scene.happen(.deviceRoutes(ObjectID(Laptop.device), Laptop.routes(headphones: .no)), after: .milliseconds(20))
        #expect(!scene.takeEvents().contains(.availablePortsChanged))
        scene.settle()
        scene.pass(.seconds(3))
        scene.settle()
        let told = scene.takeEvents()
        let loss = told.firstIndex { if case .becameNoisy(.machine, _, _) = $0 { true } else { false } }
        #expect(loss != nil && told.firstIndex(of: .availablePortsChanged) ?? 0 > loss ?? .max, "\(told)")
    }
}
