import AudioSessionCore
import Testing

/// Events that resemble a loss and are none, and losses that are found only later.
@Suite struct RouteLossTests {
    let laptop = ObjectID(Laptop.device)

    @Test func aCardThatReplacesItsNodeForAnotherJackIsNotLost() {
        var scene = RouteScene(Laptop.events)
        let player = scene.play(on: Laptop.analog)
        _ = scene.takeEvents()
        scene.emit(.deviceRoutes(laptop, Laptop.routes(headphones: .yes, speaker: .no)))
        scene.emit(.disappeared(ObjectID(901)), .disappeared(ObjectID(Laptop.analog)))
        #expect(scene.takeChanges(of: player).first == .gateClosed)
        scene.emit(.deviceActiveRoutes(laptop, Laptop.listening))
        for event in Laptop.node(80, "alsa_output.pci.headphones", "Audio/Sink", device: Laptop.device) {
            scene.emit(event)
        }
        scene.emit(.defaultChanged(.output, "alsa_output.pci.headphones"))
        scene.emit(.linkAppeared(Link(id: ObjectID(905), outputNode: ObjectID(900), inputNode: ObjectID(80))))
        scene.settle()
        #expect(
            scene.takeChanges(of: player) == [
                .gateOpened, .change(.newDeviceAvailable, [.builtInSpeaker], [.headphones]),
            ])
    }

    @Test func aDeviceThatStaysWithoutItsNodeIsLostAtTheDeadline() {
        var scene = RouteScene(Laptop.events + Headset.events + [.defaultChanged(.output, Headset.sinkName)])
        scene.emit(.disappeared(ObjectID(Headset.sink)))
        scene.emit(.defaultChanged(.output, "alsa_output.pci.analog"))
        scene.settle()
        #expect(scene.takeChanges() == [.gateClosed])
        scene.advance(by: .milliseconds(1100))
        scene.settle()
        #expect(
            scene.takeChanges() == [
                .noisy(.usbAudio), .change(.oldDeviceUnavailable, [.usbAudio], [.builtInSpeaker]),
            ])
    }

    /// A built-in port cannot be unplugged, so a comparison of the routes alone would give an
    /// override.
    @Test func aBuiltInSpeakerThatIsRemovedWithItsCardIsLost() {
        var scene = RouteScene(Laptop.events + Headset.events)
        #expect(scene.routes.snapshot.route.outputs.map(\.type) == [.builtInSpeaker])
        scene.emit(.disappeared(ObjectID(Laptop.analog)), .disappeared(laptop))
        scene.emit(.defaultChanged(.output, Headset.sinkName))
        scene.settle()
        #expect(
            scene.takeChanges() == [
                .gateClosed, .noisy(.builtInSpeaker),
                .change(.oldDeviceUnavailable, [.builtInSpeaker], [.usbAudio]),
            ])
    }

    /// A filter stays when the hardware behind it is removed, and the session manager links it
    /// elsewhere.
    @Test(arguments: ["Audio/Sink", "Audio/Sink/Internal"]) func hardwareBehindFiltersIsLostAsWithoutThem(
        inner: String
    ) {
        var scene = RouteScene.filtering(inner)
        let player = scene.play(on: 70)
        #expect(scene.routes.route(of: player).outputs.map(\.type) == [.usbAudio])
        scene.advance(by: .seconds(1))
        #expect(scene.gateTriggers[player] == [ObjectID(70), ObjectID(Headset.sink)])
        _ = scene.takeEvents()
        scene.emit(.disappeared(ObjectID(81)), .disappeared(ObjectID(Headset.sink)))
        #expect(scene.takeChanges(of: player).contains(.gateClosed))
        scene.emit(.disappeared(ObjectID(Headset.device)))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.noisy(.usbAudio)], "the filter has yet to be linked anew")
        scene.lead(73, to: Laptop.analog, link: 82)
        #expect(
            scene.takeChanges(of: player) == [.change(.oldDeviceUnavailable, [.usbAudio], [.builtInSpeaker])])
    }

    @Test func aJackBehindFiltersIsLostAsWithoutThem() {
        var scene = RouteScene.filtering("Audio/Sink/Internal")
        scene.emit(.disappeared(ObjectID(81)))
        scene.lead(73, to: Laptop.analog, link: 82)
        scene.emit(.deviceRoutes(laptop, Laptop.routes(headphones: .yes)))
        scene.emit(.deviceActiveRoutes(laptop, Laptop.listening))
        scene.settle()
        let player = scene.play(on: 70)
        scene.advance(by: .seconds(10))
        _ = scene.takeEvents()
        scene.emit(.deviceRoutes(laptop, Laptop.routes()))
        #expect(scene.takeChanges(of: player).contains(.noisy(.headphones)))
        scene.emit(.deviceActiveRoutes(laptop, Laptop.speaking))
        scene.settle()
        #expect(
            scene.takeChanges(of: player) == [.change(.oldDeviceUnavailable, [.headphones], [.builtInSpeaker])])
    }

    /// The program may run before this one, or be started later, and its links may be known before
    /// its sink.
    @Test(arguments: 0...2) func aJackBehindAProgramForEffectsIsLost(order: Int) {
        func link(_ id: UInt32, _ output: UInt32, _ input: UInt32) -> GraphEvent {
            .linkAppeared(Link(id: ObjectID(id), outputNode: ObjectID(output), inputNode: ObjectID(input)))
        }
        let sink: GraphEvent = .nodeProperties(
            ObjectID(70), [.nodeName: "effects_sink", .mediaClass: "Audio/Sink"])
        let links = [link(80, 70, 500), link(81, 500, Laptop.analog)]
        let effects = order == 1 ? links + [sink] : [sink] + links
        let listening: [GraphEvent] = [
            .deviceRoutes(laptop, Laptop.routes(headphones: .yes)), .deviceActiveRoutes(laptop, Laptop.listening),
        ]
        var scene = RouteScene(Laptop.events + listening + (order == 0 ? effects : []))
        if order > 0 { for event in effects { scene.emit(event) } }
        let player = scene.play(on: 70)
        scene.settle()
        #expect(scene.routes.route(of: player).outputs.map(\.type) == [.headphones])
        scene.advance(by: .seconds(10))
        _ = scene.takeEvents()
        scene.emit(.deviceRoutes(laptop, Laptop.routes()))
        #expect(scene.takeChanges(of: player) == [.gateClosed, .noisy(.headphones)])
        scene.emit(.deviceActiveRoutes(laptop, Laptop.speaking))
        scene.settle()
        #expect(
            scene.takeChanges(of: player) == [.change(.oldDeviceUnavailable, [.headphones], [.builtInSpeaker])])
        scene.emit(.disappeared(ObjectID(81)))
        scene.settle()
        scene.advance(by: .seconds(1))
        #expect(scene.routes.route(of: player).outputs.map(\.type) == [.virtual])
    }

    @Test func aFilterThatIsLinkedElsewhereIsAChange() {
        var scene = RouteScene.filtering("Audio/Sink")
        scene.emit(.disappeared(ObjectID(81)))
        scene.lead(73, to: Laptop.analog, link: 82)
        #expect(scene.takeChanges() == [.change(.routeConfigurationChange, [.usbAudio], [.builtInSpeaker])])
    }

    /// WirePlumber 0.5.8 links no stream that does not run.
    @Test func aStreamThatStaysUnlinkedAfterALossIsNotWaitedFor() {
        var scene = RouteScene(Laptop.events + Headset.events + [.defaultChanged(.output, Headset.sinkName)])
        let player = scene.play(on: Headset.sink)
        scene.advance(by: .seconds(10))
        _ = scene.takeEvents()
        scene.emit(.disappeared(ObjectID(901)), .disappeared(ObjectID(Headset.sink)))
        scene.emit(.disappeared(ObjectID(Headset.device)), .defaultChanged(.output, "alsa_output.pci.analog"))
        scene.settle()
        #expect(
            scene.takeChanges(of: player).filter { $0 != .gateClosed } == [
                .noisy(.usbAudio), .change(.oldDeviceUnavailable, [.usbAudio], [.builtInSpeaker]),
            ])
    }

    @Test func aSinkIsAGateTriggerWhileItIsInUse() {
        var scene = RouteScene.listening()
        let player = scene.play(on: Laptop.analog)
        #expect(scene.gateTriggers[player] == [ObjectID(Laptop.analog)])
        #expect(scene.gateTriggers[.computer] == nil)
        scene.stop(player)
        #expect(scene.gateTriggers[player] == [])
    }

    @Test func aNewOutputIsAGateTriggerOnceItsJackIsStable() {
        var scene = RouteScene.listening()
        for event in Headset.events { scene.emit(event) }
        scene.emit(.defaultChanged(.output, Headset.sinkName))
        scene.settle()
        let player = scene.play(on: Headset.sink)
        #expect(scene.gateTriggers[player] ?? [] == [])
        scene.advance(by: .milliseconds(600))
        #expect(scene.gateTriggers[player] == [ObjectID(Headset.sink)])
        scene.emit(.disappeared(ObjectID(Headset.sink)))
        #expect(scene.takeChanges(of: player).first == .gateClosed)
    }

    /// Two LE Audio earbuds are a set, whose node replaces that of the first one.
    @Test func anEarbudThatTheSecondOneJoinsIsNotLost() {
        let (id, device) = (ObjectID(70), "bluez_card.02_00")
        func route(_ index: Int, _ name: String, _ availability: Availability, number: Int) -> DeviceRoute {
            DeviceRoute(
                index: index, direction: .output, name: name, availability: availability, portType: "bluetooth",
                profiles: [1], devices: [number], device: number)
        }
        func node(_ node: UInt32, _ name: String, number: Int, _ key: PropertyKey, _ value: String) -> GraphEvent {
            .nodeProperties(
                ObjectID(node),
                [
                    .nodeName: name, .mediaClass: "Audio/Sink", .deviceAPI: "bluez5", .deviceID: "70",
                    .cardProfileDevice: String(number), key: value,
                ])
        }
        let properties: Properties = [
            .deviceName: device, .deviceAPI: "bluez5", .mediaClass: "Audio/Device", .deviceBus: "bluetooth",
            .bluezAddress: "02:00",
        ]
        let single = route(1, "bluetooth-output", .yes, number: 1)
        var scene = RouteScene(
            Laptop.events + [
                .deviceAppeared(id, properties), .deviceProperties(id, properties), .deviceRoutes(id, [single]),
                .deviceActiveRoutes(id, [single]),
                .deviceActiveProfile(id, DeviceProfile(index: 1, name: "bap-duplex")),
                node(71, "bluez_output.02_00.1", number: 1, .bluezProfile, "bap-sink"),
                .defaultChanged(.output, "bluez_output.02_00.1"),
            ])
        scene.advance(by: .seconds(10))
        let pair = route(5, "bluetooth-set-output", .yes, number: 3)
        scene.emit(.disappeared(ObjectID(71)))
        scene.emit(node(72, "bluez_output.02_00.3", number: 3, .bluezSet, "/org/bluez/hci0/set_1"))
        scene.emit(.deviceRoutes(id, [route(1, "bluetooth-output", .no, number: 1), pair]))
        scene.emit(.deviceActiveRoutes(id, [pair]))
        scene.emit(.defaultChanged(.output, "bluez_output.02_00.3"))
        scene.settle()
        #expect(
            scene.takeChanges() == [
                .gateClosed, .gateOpened, .change(.routeConfigurationChange, [.bluetoothLE], [.bluetoothLE]),
            ])
    }

    /// The earbud that joins is the leader of the set, which is then a node of another device.
    @Test func anEarbudThatItsLeaderJoinsIsNotLost() {
        let single = Earbud.other.node
        var scene = RouteScene(
            Laptop.events + Earbud.other.connection() + [single, .defaultChanged(.output, Earbud.other.sink)])
        let player = scene.play(on: 81)
        for event in Earbud.leader.connection() { scene.emit(event) }
        scene.settle()
        scene.advance(by: .seconds(10))
        _ = scene.takeEvents()
        scene.emit(.disappeared(ObjectID(901)), .disappeared(ObjectID(81)))
        for event in Earbud.pairing { scene.emit(event) }
        scene.emit(.defaultChanged(.output, Earbud.setName))
        scene.emit(.linkAppeared(Link(id: ObjectID(902), outputNode: ObjectID(900), inputNode: ObjectID(73))))
        scene.settle()
        #expect(
            scene.takeChanges(of: player) == [
                .gateClosed, .gateOpened, .change(.routeConfigurationChange, [.bluetoothLE], [.bluetoothLE]),
            ])
    }

    /// The leader leaves a set, and then the other earbud does as well, or continues alone.
    @Test(arguments: [true, false]) func aSetIsLostWithItsLastEarbud(isLast: Bool) {
        var scene = RouteScene(
            Laptop.events + Earbud.leader.connection() + Earbud.other.connection() + Earbud.pairing
                + [.defaultChanged(.output, Earbud.setName)])
        let player = scene.play(on: 73)
        scene.advance(by: .seconds(10))
        _ = scene.takeEvents()
        scene.emit(.disappeared(ObjectID(82)))
        scene.settle()
        scene.emit(.disappeared(ObjectID(901)), .disappeared(ObjectID(72)), .disappeared(ObjectID(73)))
        scene.emit(.disappeared(Earbud.leader.id))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.gateClosed], "the other earbud is still connected")
        if isLast {
            scene.emit(.disappeared(Earbud.other.id), .defaultChanged(.output, "alsa_output.pci.analog"))
        } else {
            for event in Earbud.other.routes() + [Earbud.other.node] { scene.emit(event) }
            scene.emit(.defaultChanged(.output, Earbud.other.sink))
        }
        let sink = isLast ? Laptop.analog : 81
        scene.emit(.linkAppeared(Link(id: ObjectID(902), outputNode: ObjectID(900), inputNode: ObjectID(sink))))
        scene.settle()
        let lost: [RouteScene.Notification] = [
            .noisy(.bluetoothLE), .change(.oldDeviceUnavailable, [.bluetoothLE], [.builtInSpeaker]),
        ]
        let kept: [RouteScene.Notification] = [
            .gateOpened, .change(.routeConfigurationChange, [.bluetoothLE], [.bluetoothLE]),
        ]
        #expect(scene.takeChanges(of: player) == (isLast ? lost : kept))
    }

    /// Headphones are plugged into a USB device with a speaker, which reports the speaker like an
    /// empty jack then.
    @Test func aSpeakerOnUSBThatAPlugMutesIsNotLost() {
        let id = ObjectID(Headset.device)
        func routes(_ speaker: Availability, _ headphones: Availability) -> [DeviceRoute] {
            let kinds = [("speaker", speaker), ("headphones", headphones)]
            return kinds.enumerated().map { index, kind in
                DeviceRoute(
                    index: index, direction: .output, name: "analog-output-" + kind.0, priority: index,
                    availability: kind.1, portType: kind.0, profiles: [1], devices: [0], device: 0)
            }
        }
        let (unplugged, plugged) = (routes(.unknown, .no), routes(.no, .yes))
        var scene = RouteScene(
            Laptop.events + Headset.events + [
                .deviceRoutes(id, unplugged), .deviceActiveRoutes(id, [unplugged[0]]),
                .defaultChanged(.output, Headset.sinkName),
            ])
        let player = scene.play(on: Headset.sink)
        scene.advance(by: .seconds(10))
        _ = scene.takeEvents()
        scene.emit(.deviceRoutes(id, plugged))
        scene.emit(.deviceActiveRoutes(id, [plugged[1]]))
        scene.settle()
        #expect(scene.takeChanges(of: player) == [.change(.newDeviceAvailable, [.usbAudio], [.usbAudio])])
    }

    /// Another program may have switched the headset's codec, which takes up to some seconds.
    @Test(arguments: [true, false]) func aHeadsetWithoutItsNodeMayReturn(doesReturn: Bool) {
        var scene = RouteScene(
            Laptop.events + Earbud.other.connection()
                + [Earbud.other.node, .defaultChanged(.output, Earbud.other.sink)])
        scene.advance(by: .seconds(10))
        scene.emit(.disappeared(ObjectID(81)), .defaultChanged(.output, "alsa_output.pci.analog"))
        scene.settle()
        scene.advance(by: .seconds(3))
        #expect(scene.takeChanges() == [.gateClosed])
        if doesReturn { scene.emit(Earbud.other.node, .defaultChanged(.output, Earbud.other.sink)) }
        scene.settle()
        scene.advance(by: .milliseconds(2100))
        scene.settle()
        let lost: [RouteScene.Notification] = [
            .noisy(.bluetoothLE), .change(.oldDeviceUnavailable, [.bluetoothLE], [.builtInSpeaker]),
        ]
        #expect(scene.takeChanges() == (doesReturn ? [.gateOpened] : lost))
    }

    /// The card leaves its HDMI profile before this process has read the empty jack.
    @Test func aScreenWhoseNodeGoesBeforeItsJackIsReadIsLost() {
        var scene = RouteScene(
            Laptop.events + [
                .deviceRoutes(laptop, Laptop.routes(hdmi: .yes)), .defaultChanged(.output, "alsa_output.pci.hdmi"),
            ])
        let player = scene.play(on: Laptop.screen)
        scene.advance(by: .seconds(10))
        _ = scene.takeEvents()
        scene.emit(.disappeared(ObjectID(901)), .disappeared(ObjectID(Laptop.screen)))
        scene.emit(.defaultChanged(.output, "alsa_output.pci.analog"))
        let link = Link(id: ObjectID(902), outputNode: ObjectID(900), inputNode: ObjectID(Laptop.analog))
        scene.emit(.linkAppeared(link))
        scene.emit(.deviceRoutes(laptop, Laptop.routes(hdmi: .no)))
        scene.settle()
        #expect(
            scene.takeChanges(of: player).filter { $0 != .gateClosed } == [
                .noisy(.hdmi), .change(.oldDeviceUnavailable, [.hdmi], [.builtInSpeaker]),
            ])
    }
}

/// Two LE Audio earbuds, which are two devices. Their set is a node of the leader.
private enum Earbud: UInt32 {
    case leader = 70
    case other = 80

    static let setName = "bluez_output.70.3"

    var id: ObjectID { ObjectID(rawValue) }
    var sink: String { "bluez_output.\(rawValue).1" }

    /// The events of the device without its nodes.
    func connection() -> [GraphEvent] {
        let properties: Properties = [
            .deviceName: "bluez_card.\(rawValue)", .deviceAPI: "bluez5", .mediaClass: Device.mediaClass,
            .deviceBus: "bluetooth", .bluezAddress: "02:\(rawValue)",
        ]
        return [
            .deviceAppeared(id, properties), .deviceProperties(id, properties),
            .deviceActiveProfile(id, DeviceProfile(index: 1, name: "bap-sink")),
        ] + routes()
    }

    /// The routes of the earbud alone, or of the leader with its set.
    func routes(isInSet: Bool = false) -> [GraphEvent] {
        func route(_ index: Int, _ name: String, _ availability: Availability, number: Int) -> DeviceRoute {
            DeviceRoute(
                index: index, direction: .output, name: name, availability: availability, portType: "bluetooth",
                profiles: [1], devices: [number], device: number)
        }
        let single = route(1, "bluetooth-output", isInSet ? .no : .yes, number: 1)
        guard isInSet else { return [.deviceRoutes(id, [single]), .deviceActiveRoutes(id, [single])] }
        let pair = self == .leader ? [route(4, "bluetooth-set-output", .yes, number: 3)] : []
        return [.deviceRoutes(id, [single] + pair), .deviceActiveRoutes(id, pair)]
    }

    /// The node of the earbud alone.
    var node: GraphEvent {
        appearance(1, sink, .sink, [.cardProfileDevice: "1", .bluezProfile: "bap-sink"])
    }

    /// The events of the set: its node, the nodes of its members, and the routes of both devices.
    static var pairing: [GraphEvent] {
        let path = "/org/bluez/hci0/set_1"
        let members = [other, leader].map { earbud in
            earbud.appearance(2, earbud.sink, .internalSink, [.bluezSet: path, .bluezInternal: "true"])
        }
        return members + [leader.appearance(3, setName, .sink, [.cardProfileDevice: "3", .bluezSet: path])]
            + other.routes(isInSet: true) + leader.routes(isInSet: true)
    }

    private func appearance(
        _ number: UInt32, _ name: String, _ mediaClass: MediaClass, _ more: [PropertyKey: String]
    ) -> GraphEvent {
        var properties = Properties(more)
        properties[.nodeName] = name
        properties[.mediaClass] = mediaClass.rawValue
        properties[.deviceAPI] = "bluez5"
        properties[.deviceID] = String(rawValue)
        return .nodeProperties(ObjectID(rawValue + number), properties)
    }
}

extension RouteScene {
    /// The laptop with a USB headset, and two filters before the headset, of which the first is the
    /// default.
    fileprivate static func filtering(_ inner: String) -> RouteScene {
        func node(_ id: UInt32, _ group: String, _ mediaClass: String) -> GraphEvent {
            let name = "filter.\(id)"
            return .nodeProperties(
                ObjectID(id),
                [.nodeName: name, .mediaClass: mediaClass, .nodeLinkGroup: group, .nodeVirtual: "true"])
        }
        func link(_ id: UInt32, _ output: UInt32, _ input: UInt32) -> GraphEvent {
            .linkAppeared(Link(id: ObjectID(id), outputNode: ObjectID(output), inputNode: ObjectID(input)))
        }
        var scene = RouteScene(
            Laptop.events + Headset.events + [
                node(70, "first", "Audio/Sink"), node(71, "first", "Stream/Output/Audio"), node(72, "second", inner),
                node(73, "second", "Stream/Output/Audio"), link(80, 71, 72), link(81, 73, Headset.sink),
                .defaultChanged(.output, "filter.70"),
            ])
        scene.advance(by: .seconds(10))
        #expect(scene.routes.snapshot.route.outputs.map(\.type) == [.usbAudio])
        _ = scene.takeEvents()
        return scene
    }

    mutating func lead(_ filter: UInt32, to sink: UInt32, link: UInt32) {
        emit(
            .linkAppeared(
                Link(id: ObjectID(link), outputNode: ObjectID(filter), inputNode: ObjectID(sink))))
        settle()
    }
}
