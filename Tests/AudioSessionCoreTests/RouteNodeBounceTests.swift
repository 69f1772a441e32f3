import AudioSessionCore
import Testing

/// Nodes that are removed right after they appeared. Streams on them may be moved anywhere first.
@Suite struct RouteNodeBounceTests {
    /// A scene in which a stream plays on the speaker, and then on the headset that appeared.
    private func movedToHeadset() -> (scene: RouteScene, player: FollowerID) {
        var scene = RouteScene(Laptop.events)
        scene.advance(by: .seconds(10))
        let player = scene.play(on: Laptop.analog)
        for event in Headset.events { scene.emit(event) }
        move(to: Headset.sink, Headset.sinkName, from: 901, link: 902, in: &scene)
        scene.settle()
        #expect(scene.routes.route(of: player).outputs.map(\.type) == [.usbAudio])
        _ = scene.takeEvents()
        scene.advance(by: .milliseconds(60))
        return (scene, player)
    }

    private func move(to sink: UInt32, _ name: String, from old: UInt32, link: UInt32, in scene: inout RouteScene) {
        scene.emit(.defaultChanged(.output, name), .disappeared(ObjectID(old)))
        scene.emit(.linkAppeared(Link(id: ObjectID(link), outputNode: ObjectID(900), inputNode: ObjectID(sink))))
    }

    private let speaker = "alsa_output.pci.analog"

    /// The card replaces its node, and meanwhile the session manager has moved the stream to the
    /// speaker.
    @Test(arguments: [0, 10]) func aCardThatIsSwitchedIsHeardNowhereElse(seconds: Int) {
        var (scene, player) = movedToHeadset()
        scene.advance(by: .seconds(seconds))
        scene.emit(.disappeared(ObjectID(Headset.sink)))
        #expect(scene.takeChanges(of: player) == [.gateClosed])
        move(to: Laptop.analog, speaker, from: 902, link: 903, in: &scene)
        for event in Laptop.node(81, "alsa_output.usb-Acme-00.mono", "Audio/Sink", device: Headset.device) {
            scene.emit(event)
        }
        if seconds > 0 { scene.settle() }
        move(to: 81, "alsa_output.usb-Acme-00.mono", from: 903, link: 904, in: &scene)
        #expect(!scene.takeChanges(of: player).contains(.gateOpened))
        scene.settle()
        scene.advance(by: .seconds(2))
        let received = scene.takeChanges(of: player)
        #expect(received.first == .gateOpened && !received.contains(.noisy(.usbAudio)), "\(received)")
        #expect(scene.routes.route(of: player).outputs.map(\.nodeName) == ["alsa_output.usb-Acme-00.mono"])
    }

    /// A plug with a loose contact: sound continues where it was, as soon as that is available.
    @Test func anOutputThatIsPulledRightAfterThePlugStopsNoMusic() {
        var (scene, player) = movedToHeadset()
        scene.emit(.disappeared(ObjectID(Headset.sink)), .disappeared(ObjectID(Headset.device)))
        scene.settle()
        move(to: Laptop.analog, speaker, from: 902, link: 903, in: &scene)
        scene.settle()
        scene.advance(by: .seconds(2))
        #expect(
            scene.takeChanges(of: player) == [
                .gateClosed, .gateOpened, .change(.oldDeviceUnavailable, [.usbAudio], [.builtInSpeaker]),
            ])
    }

    /// The session manager moves the stream elsewhere, or nowhere.
    @Test func anOutputThatDoesNotReturnIsLost() {
        var (scene, player) = movedToHeadset()
        scene.emit(.disappeared(ObjectID(Headset.sink)), .disappeared(ObjectID(Headset.device)))
        move(to: Laptop.screen, "alsa_output.pci.hdmi", from: 902, link: 903, in: &scene)
        scene.settle()
        scene.advance(by: .seconds(2))
        scene.settle()
        let received = scene.takeChanges(of: player)
        #expect(received.starts(with: [.gateClosed, .noisy(.usbAudio)]) && !received.contains(.gateOpened))
    }

    /// A scene in which one stream is linked to both outputs.
    private func onHeadphonesAndHeadset() -> (scene: RouteScene, player: FollowerID) {
        var scene = RouteScene.listening()
        for event in Headset.events { scene.emit(event) }
        let player = scene.play(on: Laptop.analog)
        scene.emit(
            .linkAppeared(Link(id: ObjectID(905), outputNode: ObjectID(900), inputNode: ObjectID(Headset.sink))))
        scene.settle()
        scene.advance(by: .seconds(10))
        #expect(scene.routes.route(of: player).outputs.map(\.type) == [.headphones, .usbAudio])
        _ = scene.takeEvents()
        return (scene, player)
    }

    /// The second is removed before the route without the first is notified.
    @Test func twoOutputsRemovedOneAfterTheOtherAreBothLost() {
        var (scene, player) = onHeadphonesAndHeadset()
        scene.emit(.deviceRoutes(ObjectID(Laptop.device), Laptop.routes(headphones: .no)))
        #expect(scene.takeChanges(of: player) == [.gateClosed, .noisy(.headphones)])
        scene.emit(.disappeared(ObjectID(905)), .disappeared(ObjectID(Headset.sink)))
        scene.emit(.disappeared(ObjectID(Headset.device)))
        scene.emit(.deviceActiveRoutes(ObjectID(Laptop.device), Laptop.speaking))
        scene.settle()
        scene.advance(by: .seconds(3))
        #expect(
            scene.takeChanges(of: player) == [
                .gateClosed, .noisy(.usbAudio),
                .change(.oldDeviceUnavailable, [.headphones, .usbAudio], [.builtInSpeaker]),
            ])
    }

    @Test func noneOfTwoOutputsIsLostTwice() {
        var (scene, player) = onHeadphonesAndHeadset()
        scene.emit(.deviceRoutes(ObjectID(Laptop.device), Laptop.routes(headphones: .no)))
        scene.emit(.disappeared(ObjectID(905)), .disappeared(ObjectID(Headset.sink)))
        scene.emit(.disappeared(ObjectID(Headset.device)))
        scene.settle()
        scene.emit(.deviceActiveRoutes(ObjectID(Laptop.device), Laptop.speaking))
        scene.settle()
        scene.advance(by: .seconds(3))
        let received = scene.takeChanges(of: player)
        #expect(received.filter { $0 == .noisy(.headphones) }.count == 1, "\(received)")
        #expect(received.filter { $0 == .noisy(.usbAudio) }.count == 1, "\(received)")
        #expect(received.last == .change(.oldDeviceUnavailable, [.headphones, .usbAudio], [.builtInSpeaker]))
    }

    /// A headset bounces, and then the headphones are pulled that it would fall back to. The list
    /// of ports waits until the loss is decided.
    @Test func aPullDuringABounceIsNotNotifiedBeforeTheLoss() {
        var scene = RouteScene.listening()
        for event in Headset.events { scene.emit(event) }
        scene.emit(.defaultChanged(.output, Headset.sinkName))
        scene.settle()
        scene.advance(by: .milliseconds(300))
        #expect(scene.takeEvents().last { $0 != .availablePortsChanged } != nil)
        scene.emit(.disappeared(ObjectID(Headset.sink)))
        scene.settle()
        _ = scene.takeEvents()
        scene.emit(.deviceRoutes(ObjectID(Laptop.device), Laptop.routes(headphones: .no)), after: .milliseconds(20))
        #expect(!scene.takeEvents().contains(.availablePortsChanged))
        scene.settle()
        scene.advance(by: .seconds(3))
        scene.settle()
        let received = scene.takeEvents()
        let loss = received.firstIndex { if case .becameNoisy(.computer, _, _) = $0 { true } else { false } }
        #expect(loss != nil && received.firstIndex(of: .availablePortsChanged) ?? 0 > loss ?? .max, "\(received)")
    }
}
