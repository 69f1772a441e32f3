import AudioSessionCore
import Testing

/// The session manager restarts. Its devices are removed with it, and reappear one by one after it.
@Suite struct RouteRestartTests {
    @Test func aRestartOfTheSessionManagerLosesNothing() {
        var scene = RouteScene(Laptop.events)
        let player = scene.play(on: Laptop.analog)
        _ = scene.takeEvents()
        for id in [901, Laptop.analog, Laptop.screen, Laptop.microphone, Laptop.device, 31, Laptop.manager] {
            scene.emit(.disappeared(ObjectID(id)))
        }
        scene.settle()
        scene.advance(by: .seconds(8))
        #expect(scene.takeChanges(of: player) == [.gateClosed])
        for event in Laptop.events { scene.emit(event) }
        scene.emit(.linkAppeared(Link(id: ObjectID(906), outputNode: ObjectID(900), inputNode: ObjectID(41))))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.gateOpened])
    }

    @Test(arguments: [true, false]) func devicesMayReappearAfterTheirSessionManager(doesBring: Bool) {
        var scene = RouteScene(Laptop.events)
        let player = scene.play(on: Laptop.analog)
        _ = scene.takeEvents()
        for id in [31, Laptop.manager, 901, Laptop.analog, Laptop.screen, Laptop.microphone, Laptop.device] {
            scene.emit(.disappeared(ObjectID(id)))
        }
        scene.settle()
        for event in Laptop.events.prefix(2) { scene.emit(event) }
        scene.settle()
        scene.advance(by: .seconds(9))
        #expect(!scene.received.contains(.readDefaults), "there is nothing that could be the default")
        #expect(scene.takeChanges(of: player) == [.gateClosed])
        // It does not link the stream that ran before it: the player creates another one.
        if doesBring { for event in Laptop.events.dropFirst(2) { scene.emit(event) } }
        scene.settle()
        scene.advance(by: .seconds(2))
        let lost: [RouteScene.Notification] = [
            .noisy(.builtInSpeaker), .change(.noSuitableRouteForCategory, [.builtInSpeaker], []),
        ]
        #expect(scene.takeChanges(of: player) == (doesBring ? [.gateOpened] : lost))
    }

    /// PipeWire may have withheld what the session manager sent.
    @Test func missingDefaultsOfAReturnedSessionManagerAreReadAgain() {
        var scene = RouteScene(Laptop.events)
        let player = scene.play(on: Laptop.analog)
        let all = [31, Laptop.manager, 901, Laptop.analog, Laptop.screen, Laptop.microphone, Laptop.device]
        for id in all { scene.emit(.disappeared(ObjectID(id))) }
        scene.settle()
        _ = scene.takeEvents()
        for event in Laptop.events.dropLast(2) { scene.emit(event) }
        scene.settle()
        scene.advance(by: .milliseconds(1500))
        #expect(scene.received.count { $0 == .readDefaults } == 1, "two followers wait")
        #expect(scene.registry.readDefaults() == [.readDefaults(of: ObjectID(31))])
        #expect(scene.takeChanges(of: player).isEmpty)
        for event in Laptop.events.suffix(2) { scene.emit(event) }
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.gateOpened])
    }

    @Test func aReturnedSessionManagerMayReopenItsDevices() {
        var scene = RouteScene(Laptop.events)
        let player = scene.play(on: Laptop.analog)
        let all = [31, Laptop.manager, 901, Laptop.analog, Laptop.screen, Laptop.microphone, Laptop.device]
        for id in all { scene.emit(.disappeared(ObjectID(id))) }
        scene.settle()
        for event in Laptop.events { scene.emit(event) }
        scene.settle()
        #expect(scene.takeChanges(of: player).last == .gateOpened)
        scene.emit(.disappeared(ObjectID(Laptop.analog)))
        scene.settle()
        scene.advance(by: .seconds(2))
        let closed = scene.takeChanges(of: player)
        #expect(!closed.isEmpty && closed.allSatisfy { $0 == .gateClosed })
        for event in Laptop.events {
            switch event {
            case .nodeAppeared(let node) where node.id == ObjectID(Laptop.analog): scene.emit(event)
            case .nodeProperties(ObjectID(Laptop.analog), _): scene.emit(event)
            default: break
            }
        }
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.gateOpened])
    }

    @Test func anOutputPulledRightAfterASessionManagersReturnIsLostAtOnce() {
        var scene = RouteScene(Laptop.events + Headset.events + [.defaultChanged(.output, Headset.sinkName)])
        let player = scene.play(on: Headset.sink)
        scene.emit(.disappeared(ObjectID(31)))
        scene.emit(Laptop.events[1])
        scene.settle()
        _ = scene.takeChanges(of: player)
        scene.emit(.disappeared(ObjectID(Headset.sink)), .disappeared(ObjectID(Headset.device)))
        scene.settle()
        #expect(scene.takeChanges(of: player).contains(.noisy(.usbAudio)))
    }

    /// The player creates another stream meanwhile, and the old one's links are removed.
    @Test func aReturnedSinkIsNotLostWhenItsOldNumberIsRemoved() {
        var scene = RouteScene(Laptop.events)
        let player = scene.play(on: Laptop.analog)
        _ = scene.takeEvents()
        for id in [31, Laptop.manager, 901, Laptop.analog, Laptop.screen, Laptop.microphone, Laptop.device] {
            scene.emit(.disappeared(ObjectID(id)))
        }
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.gateClosed])
        for event in Laptop.events.prefix(2) + Laptop.card(analog: 141) + Laptop.events.suffix(2) {
            scene.emit(event)
        }
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.gateOpened])
        scene.stop(player)
        #expect(scene.takeChanges(of: player).isEmpty, "the removal of the old stream is no loss")
        scene.advance(by: .seconds(2))
        scene.settle()
        #expect(scene.takeChanges(of: player).isEmpty)
        scene.link(player, stream: 910, to: 141)
        #expect(scene.takeChanges(of: player).isEmpty)
        #expect(scene.gateTriggers[player] == [ObjectID(141)])
        scene.emit(.disappeared(ObjectID(141)))
        #expect(scene.takeChanges(of: player).first == .gateClosed)
    }

    // MARK: A microphone that appears after the output

    private static let computer =
        Laptop.events + Headset.events + DeskMicrophone.events + [
            .defaultChanged(.output, Headset.sinkName), .defaultChanged(.input, DeskMicrophone.sourceName),
        ]

    /// A player on the headset, after the session manager returned with all but the headset's
    /// microphone. `isOther` adds the laptop's microphone as the default until then.
    private static func without(microphone isOther: Bool) -> (scene: RouteScene, player: FollowerID) {
        var scene = RouteScene(computer)
        scene.advance(by: .seconds(10))
        let player = scene.play(on: Headset.sink)
        let all = [
            31, Laptop.manager, 901, Laptop.analog, Laptop.screen, Laptop.microphone, Laptop.device, Headset.sink,
            Headset.device, DeskMicrophone.source, DeskMicrophone.device,
        ]
        for id in all { scene.emit(.disappeared(ObjectID(id))) }
        scene.settle()
        scene.advance(by: .seconds(1))
        _ = scene.takeEvents()
        for event in Laptop.events.prefix(2) + (isOther ? Laptop.card() : []) + Headset.card(device: 160, sink: 161) {
            scene.emit(event)
        }
        if isOther { scene.emit(.defaultChanged(.input, "alsa_input.pci.mic")) }
        scene.emit(.defaultChanged(.output, Headset.sinkName))
        scene.emit(.linkAppeared(Link(id: ObjectID(906), outputNode: ObjectID(900), inputNode: ObjectID(161))))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.gateOpened])
        return (scene, player)
    }

    /// Listeners are notified of the available ports, and of no route of the player or the
    /// computer. The microphone may reuse its old numbers.
    @Test(arguments: [true, false], [0, 100]) func aMicrophoneThatReturnsLaterIsNoChange(isOther: Bool, more: UInt32)
    {
        var (scene, player) = Self.without(microphone: isOther)
        scene.advance(by: .seconds(2))
        scene.settle()
        for event in DeskMicrophone.card(device: 63 + more, source: 64 + more) { scene.emit(event) }
        scene.settle()
        scene.emit(.defaultChanged(.input, DeskMicrophone.sourceName))
        scene.settle()
        scene.advance(by: .seconds(10))
        scene.settle()
        #expect(scene.takeEvents().filter { $0 != .availablePortsChanged } == [])
        #expect(scene.routes.route(of: player).inputs.map(\.type) == [.usbAudio])
        #expect(scene.gateTriggers[player] == [ObjectID(161)])
        #expect(scene.wakeTime == nil)
    }

    @Test(arguments: [true, false]) func aMicrophoneThatDoesNotReturnIsNotifiedAtTheDeadline(isOther: Bool) {
        var (scene, player) = Self.without(microphone: isOther)
        scene.advance(by: .milliseconds(9900))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [])
        scene.advance(by: .milliseconds(100))
        scene.settle()
        let reason: RouteChangeReason = isOther ? .oldDeviceUnavailable : .noSuitableRouteForCategory
        #expect(scene.takeChanges(of: player) == [.change(reason, [.usbAudio], [.usbAudio])])
        #expect(scene.routes.route(of: player).inputs.map(\.type) == (isOther ? [.builtInMic] : []))
        #expect(scene.wakeTime == nil)
    }

    /// Listeners are notified at once if the output is settled, and after the limit of any change
    /// if it never is.
    @Test(arguments: [true, false]) func anotherOutputIsNotifiedWithoutWaitingForTheMicrophone(isLinked: Bool) {
        var (scene, player) = Self.without(microphone: true)
        scene.advance(by: .seconds(1))
        scene.emit(.defaultChanged(.output, "alsa_output.pci.analog"))
        scene.emit(.disappeared(ObjectID(906)))
        if isLinked {
            scene.emit(.linkAppeared(Link(id: ObjectID(907), outputNode: ObjectID(900), inputNode: ObjectID(41))))
        }
        scene.settle()
        scene.advance(by: .milliseconds(isLinked ? 150 : 1100))
        scene.settle()
        #expect(scene.takeChanges(of: player).compactMap(\.outputs) == [[.builtInSpeaker]])
    }

    @Test func aMicrophoneThatIsChosenMeanwhileIsNotifiedAtOnce() {
        var (scene, player) = Self.without(microphone: false)
        for event in Laptop.card() { scene.emit(event) }
        scene.settle()
        scene.advance(by: .milliseconds(1100))
        scene.routes.expect(.override, to: ["alsa_card.pci/analog-input-internal-mic"], of: player, now: scene.now)
        scene.emit(.defaultChanged(.input, "alsa_input.pci.mic"))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [], "the default is no choice of the user")
        let graph = scene.registry.graph
        let port = graph.availablePorts(.input).first { $0.type == .builtInMic }
        let targets = RouteTargets(input: port.map(RouteTarget.port) ?? .unused)
        scene.run(scene.routes.setTargets(targets, of: player, graph: graph, now: scene.now))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.change(.override, [.usbAudio], [.usbAudio])])
        #expect(scene.routes.route(of: player).inputs.map(\.type) == [.builtInMic])
    }

    @Test func aMicrophoneThatIsRemovedAfterItsReturnIsNotifiedAtOnce() {
        var (scene, player) = Self.without(microphone: true)
        for event in DeskMicrophone.card(device: 163, source: 164) { scene.emit(event) }
        scene.emit(.defaultChanged(.input, DeskMicrophone.sourceName))
        scene.settle()
        scene.advance(by: .seconds(1))
        _ = scene.takeEvents()
        scene.emit(.disappeared(ObjectID(164)), .disappeared(ObjectID(163)))
        scene.emit(.defaultChanged(.input, "alsa_input.pci.mic"))
        scene.settle()
        scene.advance(by: .milliseconds(1100))
        scene.settle()
        #expect(scene.takeChanges(of: player).compactMap(\.outputs) == [[.usbAudio]])
        #expect(scene.routes.route(of: player).inputs.map(\.type) == [.builtInMic])
    }

    /// The other node is a stream, for example.
    @Test func anotherNodeMayReuseTheNumberOfAnAwaitedMicrophone() {
        var (scene, player) = Self.without(microphone: true)
        for event in Laptop.node(DeskMicrophone.source, "music", "Stream/Output/Audio", device: nil) {
            scene.emit(event)
        }
        scene.emit(.defaultChanged(.output, Headset.sinkName))
        scene.settle()
        scene.advance(by: .seconds(2))
        #expect(scene.takeChanges(of: player) == [])
    }

    @Test func aSessionOpenedMeanwhileGetsTheSameNotifications() {
        var (scene, _) = Self.without(microphone: true)
        let late = scene.play(on: 161, stream: 950, link: 951)
        #expect(scene.routes.route(of: late).inputs.map(\.type) == [.usbAudio])
        for event in DeskMicrophone.card(device: 163, source: 164) { scene.emit(event) }
        scene.emit(.defaultChanged(.input, DeskMicrophone.sourceName))
        scene.settle()
        scene.advance(by: .seconds(10))
        #expect(scene.takeChanges(of: late) == [])
    }

    /// The cards appear in another order. The first gets the number of the one that was in use.
    @Test func anotherCardWithTheNumberOfTheLostOneIsNotTheLostOne() {
        var scene = RouteScene(Self.computer)
        scene.advance(by: .seconds(10))
        let player = scene.play(on: Headset.sink)
        _ = scene.takeEvents()
        for id in [31, Laptop.manager, 901, Laptop.analog, Laptop.device, Headset.sink, Headset.device] {
            scene.emit(.disappeared(ObjectID(id)))
        }
        scene.settle()
        for event in Laptop.events.prefix(2) + Laptop.card(analog: 141, device: Headset.device) {
            scene.emit(event)
        }
        scene.emit(.defaultChanged(.output, "alsa_output.pci.analog"))
        scene.emit(.defaultChanged(.input, DeskMicrophone.sourceName))
        scene.emit(.linkAppeared(Link(id: ObjectID(906), outputNode: ObjectID(900), inputNode: ObjectID(141))))
        scene.settle()
        scene.advance(by: .seconds(3))
        #expect(!scene.takeChanges(of: player).contains(.gateOpened))
    }

    // MARK: Without a return

    @Test func aComputerThatOnlyRecordsWaitsForItsSessionManager() {
        var scene = RouteScene(
            Laptop.events.prefix(2) + DeskMicrophone.events + [.defaultChanged(.input, DeskMicrophone.sourceName)])
        for id in [31, Laptop.manager, DeskMicrophone.source, DeskMicrophone.device] {
            scene.emit(.disappeared(ObjectID(id)))
        }
        scene.settle()
        scene.advance(by: .milliseconds(4900))
        #expect(scene.takeChanges() == [])
        scene.advance(by: .milliseconds(100))
        scene.settle()
        #expect(scene.takeChanges() == [.change(.oldDeviceUnavailable, [], [])])
        #expect(scene.wakeTime == nil)
    }

    /// The daemon keeps the defaults itself.
    @Test func withoutASessionManagerNoReturnIsAwaited() {
        let defaults = GraphEvent.metadataAppeared(ObjectID(31), [.metadataName: "default"])
        var scene = RouteScene([defaults] + Self.computer.dropFirst(2))
        scene.advance(by: .seconds(10))
        let player = scene.play(on: Headset.sink)
        _ = scene.takeEvents()
        for id in [DeskMicrophone.source, DeskMicrophone.device] { scene.emit(.disappeared(ObjectID(id))) }
        scene.emit(.defaultChanged(.input, "alsa_input.pci.mic"))
        scene.settle()
        scene.advance(by: .milliseconds(1100))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.change(.oldDeviceUnavailable, [.usbAudio], [.usbAudio])])
        for id in [Headset.sink, Headset.device] { scene.emit(.disappeared(ObjectID(id))) }
        scene.settle()
        scene.advance(by: .milliseconds(1100))
        #expect(scene.takeChanges(of: player).contains(.noisy(.usbAudio)))
    }
}
