import AudioSessionCore
import Testing

@Suite struct PortTypingPortTests {
    private let speaker = Make.route(
        "analog-output-speaker", type: "speaker", priority: 90, devices: [3], device: 3, description: "Lautsprecher")
    private let phones = Make.route(
        "analog-output-headphones", type: "headphones", available: .yes, priority: 99, index: 1, devices: [3])

    @Test(arguments: ["Stream/Output/Audio", "Audio/Sink/Internal", "Video/Source", "Audio/Source"])
    func onlySinksAreOutputs(mediaClass: String) {
        let node = Make.node([.nodeName: "n", .mediaClass: mediaClass])
        #expect(Make.graph([node]).port(for: node, direction: .output) == nil)
    }

    @Test func theDummyOutputIsNoPort() {
        let dummy = Make.node([.nodeName: "auto_null", .mediaClass: "Audio/Sink", .nodeVirtual: "true"])
        var graph = Make.graph([dummy])
        graph.defaultSinkName = "auto_null"
        #expect(graph.port(for: dummy, direction: .output) == nil)
        #expect(graph.defaultPort(.output) == nil)
        #expect(graph.availablePorts(.output).isEmpty)
    }

    @Test func aFilterInFrontOfTheDummyIsNoPort() {
        let dummy = Make.node([.nodeName: "auto_null", .mediaClass: "Audio/Sink"], id: 5)
        let filter = Make.node([.nodeName: "eq", .mediaClass: "Audio/Sink", .nodeLinkGroup: "g"], id: 6)
        let half = Make.node([.nodeName: "eq2", .mediaClass: "Stream/Output/Audio", .nodeLinkGroup: "g"], id: 7)
        #expect(Make.graph([dummy, filter, half], links: [(7, 5)]).port(for: filter, direction: .output) == nil)
    }

    @Test func aDuplexNodeIsTwoPorts() {
        let node = Make.node([.nodeName: "both", .mediaClass: "Audio/Duplex", .nodeVirtual: "true"])
        let graph = Make.graph([node])
        let ports = PortDirection.allCases.compactMap { graph.port(for: node, direction: $0)?.uid }
        #expect(ports == ["both/input", "both/output"])
    }

    @Test func defaultsAreFoundByName() {
        var graph = Make.graph(
            [Make.sink(with: [.audioPosition: "[ FL, FR ]"])], [Make.card(routes: [speaker], active: [speaker])])
        #expect(graph.defaultPort(.output) == nil)
        graph.defaultSinkName = "alsa_output.pci-0000_4b_00.2.analog-stereo"
        graph.defaultSourceName = "gone"
        #expect(graph.defaultPort(.output)?.channels == ["FL", "FR"])
        #expect(graph.defaultPort(.output)?.typeReason.isEmpty == false)
        #expect(graph.defaultPort(.input) == nil)
    }

    @Test func otherRoutesOfACardAreAvailableUnlessTheirJackIsEmpty() {
        var graph = Make.graph([Make.sink()], [Make.card(routes: [speaker, phones], active: [speaker])])
        #expect(graph.availablePorts(.output).map(\.type) == [.headphones, .builtInSpeaker])
        #expect(graph.availablePorts(.output).allSatisfy { $0.nodeName == Make.sink().name })
        var empty = phones
        empty.availability = .no
        graph.devices[ObjectID(31)]?.routes = [speaker, empty]
        #expect(graph.availablePorts(.output).map(\.type) == [.builtInSpeaker])
        #expect(graph.availablePorts(.input).isEmpty)
    }

    @Test func aPortInUseWhoseJackIsEmptyIsNotAvailable() {
        var route = phones
        (route.availability, route.device) = (.no, 3)
        let graph = Make.graph([Make.sink()], [Make.card(active: [route])])
        #expect(graph.availablePorts(.output).isEmpty)
        #expect(graph.port(for: Make.sink(), direction: .output) != nil)
    }

    @Test func cardsAreSortedByName() {
        let other = Make.card([.deviceName: "alsa_card.aaa", .deviceBus: "usb"], id: 32)
        let cable = Make.node([.nodeName: "cable", .mediaClass: "Audio/Sink", .nodeVirtual: "true"], id: 9)
        let nodes = [cable, Make.sink(id: 2), Make.sink("alsa_output.aaa.x", id: 3, device: 32)]
        let graph = Make.graph(nodes, [Make.card(active: [speaker]), other])
        #expect(graph.availablePorts(.output).map(\.type) == [.usbAudio, .builtInSpeaker, .virtual])
    }
}

@Suite struct PortTypingNamingTests {
    private func port(_ node: Node, _ card: Device? = nil, _ direction: PortDirection = .output) -> PortDescription? {
        Make.graph([node], card.map { [$0] } ?? []).port(for: node, direction: direction)
    }

    @Test func builtInPortsAreNamedByTheRoute() {
        let route = Make.route("analog-output-speaker", type: "speaker", device: 3, description: "Lautsprecher")
        let found = port(Make.sink(with: [.nodeDescription: "Audio"]), Make.card(active: [route]))
        #expect(found?.name == "Lautsprecher")
        #expect(found?.uid == "alsa_card.pci-0000_4b_00.2/analog-output-speaker")
        #expect(found?.deviceName == "alsa_card.pci-0000_4b_00.2")
    }

    @Test func screensAreNamedByTheirOwnName() {
        let route = Make.route("hdmi-output-1", type: "hdmi", device: 3, description: "HDMI 2", product: "Vista 27")
        #expect(port(Make.sink(), Make.card(active: [route]))?.name == "Vista 27")
    }

    @Test func externalDevicesAreNamedByTheirName() {
        let usb: Properties = [.deviceBus: "usb", .deviceDescription: "Dock", .deviceName: "alsa_card.usb-Dock-00"]
        let phones = Make.route("[Out] Headphones", device: 3, description: "Kopfhörer")
        let line = Make.route("[Out] Line", index: 1)
        #expect(port(Make.sink(), Make.card(usb, active: [phones]))?.name == "Dock")
        #expect(
            port(Make.sink(), Make.card(usb, routes: [phones, line], active: [phones]))?.name == "Dock: Kopfhörer")
        #expect(port(Make.sink("alsa_output.usb-A-00.x", with: [.alsaCardName: "Gadget"]))?.name == "Gadget")
    }

    @Test func softwarePortsAreNamedByTheNode() {
        let cable = Make.node([.nodeName: "cable", .mediaClass: "Audio/Sink", .nodeDescription: "My Cable"])
        #expect(port(cable)?.name == "My Cable")
        #expect(port(cable)?.uid == "cable")
        let bare = Make.node([.mediaClass: "Audio/Sink", .nodeVirtual: "true"])
        #expect(port(bare)?.name == "virtual")
    }

    /// With any node names, the two profiles of a headset stay two ports.
    @Test(arguments: ["bluez_output.0a_1b_2c.1", "bluez_output.0a_1b_2c.a2dp-sink", "bluez_output.0a:1b:2c"])
    func bluetoothPortsAreIdentifiedByAddressAndKind(name: String) {
        func uid(_ profile: String, _ address: String?) -> String? {
            var node = Make.node([.nodeName: name, .mediaClass: "Audio/Sink", .bluezProfile: profile])
            node.properties[.bluezAddress] = address
            return port(node)?.uid
        }
        #expect(uid("a2dp-sink", nil) == "0A:1B:2C/A2DP/output")
        #expect(uid("a2dp-sink", "0a:1B:2c") == "0A:1B:2C/A2DP/output")
        #expect(uid("headset-head-unit", nil) == "0A:1B:2C/HFP/output")
        #expect(uid("bap-sink", nil) == "0A:1B:2C/LE/output")
    }

    @Test func aHeadsetIsNamedByItsName() {
        let card = Make.card([.deviceAPI: "bluez5", .deviceDescription: "Earcups", .deviceName: "bluez_card.0A"])
        let route = Make.route("headset-output", type: "headset", device: 3, description: "Headset")
        let found = port(
            Make.sink("bluez_output.0A.1", with: [.bluezProfile: "a2dp-sink"]),
            Make.card(card.properties, active: [route]))
        #expect(found?.name == "Earcups")
        let described = Make.node([.nodeDescription: "Pods", .mediaClass: "Audio/Sink", .bluezProfile: "a2dp-sink"])
        #expect(port(described)?.uid == "Pods/A2DP/output")
    }

    /// Two nodes of the headset play to one route, for games and for chat.
    @Test func theOutputsOfAGamingHeadsetAreTwoPorts() {
        let routes = [0, 1].map {
            Make.route("usb-gaming-headset-output-stereo", device: $0, description: "Headphones")
        }
        func sink(_ id: UInt32, _ number: Int, _ part: String) -> Node {
            Make.sink(
                "alsa_output.usb-Acme-00.stereo-\(part)", id: id, number: number,
                with: [.deviceProfileName: "stereo-\(part)", .nodeDescription: "Acme \(part)"])
        }
        let sinks = [sink(1, 0, "game"), sink(2, 1, "chat")]
        let card = Make.card([.deviceName: "card", .deviceAPI: "alsa", .deviceBus: "usb"], active: routes)
        let ports = Make.graph(sinks, [card]).availablePorts(.output)
        let uid = "card/usb-gaming-headset-output-stereo/stereo-"
        #expect(Set(ports.map(\.uid)) == [uid + "game", uid + "chat"])
        #expect(Set(ports.map(\.name)) == ["Acme game", "Acme chat"])
        let single = Make.graph([sinks[0]], [Make.card(card.properties, active: [routes[0]])]).availablePorts(.output)
        #expect(single.map(\.uid) == ["card/usb-gaming-headset-output-stereo"])
    }

    /// The number in an old AirPlay name is the order of discovery.
    @Test func airPlayPortsAreIdentifiedByTheReceiver() {
        func uid(_ name: String) -> String? {
            port(Make.node([.nodeName: name, .mediaClass: "Audio/Sink", .nodeDescription: "Kitchen"]))?.uid
        }
        #expect(uid("raop-sink-812-3") == uid("raop-sink-99-1"))
        for address in ["10.0.0.9", "192.168.178.21"] {
            #expect(uid("raop_sink.Kitchen.local.\(address).7000") == "raop_sink.Kitchen.local.ipv4.7000")
        }
        #expect(uid("raop_sink.Kitchen.local.fe80::1.7000") == "raop_sink.Kitchen.local.ipv6.7000")
        for other in ["raop_sink.Kitchen.ipv4", "raop_sink.10.0.0.9.7000", "raop_sink.", "raop_sink.a.b.7000"] {
            #expect(uid(other) == other)
        }
    }

    @Test func routesWithoutNamesHaveAUIDToo() {
        let card = Make.card(active: [Make.route("", type: "hdmi", index: 3, device: 3)])
        #expect(port(Make.sink(), card)?.uid == "alsa_card.pci-0000_4b_00.2/output 3")
        #expect(port(Make.sink(), card)?.routeName == nil)
        let described = Make.node([.nodeDescription: "Speaker", .mediaClass: "Audio/Sink"])
        #expect(port(described)?.uid == "Speaker/output")
    }
}
