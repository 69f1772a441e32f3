import Testing

@testable import AudioSessionCore

@Suite struct PortSurveyTests {
    /// A survey that reuses unchanged entries equals one that is made from scratch.
    @Test(arguments: RandomRuns.seeds(200)) func anUpdatedSurveyEqualsANewOne(seed: Int) {
        var random = BoardRandom(seed: UInt64(seed))
        var graph = computer
        var survey = PortCatalog(of: graph)
        for step in 0..<60 {
            change(&graph, &random)
            if random.chance(30) { continue }
            survey.update(graph)
            let fresh = PortCatalog(of: graph)
            for direction in [PortDirection.output, .input] {
                #expect(survey.available(direction) == fresh.available(direction), "step \(step)")
                let isSame = survey.availableUsages(direction).elementsEqual(fresh.availableUsages(direction)) {
                    $0.node == $1.node && $0.isEquivalent(to: $1)
                }
                #expect(isSame, "step \(step)")
                let differing = graph.nodes.values.filter {
                    survey.end(of: $0.id, direction)?.port != fresh.end(of: $0.id, direction)?.port
                }
                #expect(differing.isEmpty, "step \(step)")
            }
        }
    }

    /// Changes of a card's routes and profile concern its own ports only, behind filters too.
    @Test(arguments: RandomRuns.seeds(200)) func anUpdateOfOneDeviceEqualsANewSurvey(seed: Int) {
        var random = BoardRandom(seed: UInt64(seed))
        var graph = computer
        var survey = PortCatalog(of: graph)
        for step in 0..<60 {
            let former = graph
            change(&graph, &random)
            let changed = graph.devices.values.filter { $0 != former.devices[$0.id] }
            let isSingle = changed.count == 1 && changed[0].properties == former.devices[changed[0].id]?.properties
            if isSingle, graph.nodes == former.nodes, graph.links == former.links {
                survey.update(graph, device: changed[0].id)
            } else {
                survey.update(graph)
            }
            let fresh = PortCatalog(of: graph)
            for direction in [PortDirection.output, .input] {
                #expect(survey.available(direction) == fresh.available(direction), "step \(step)")
                let differing = graph.nodes.values.filter {
                    survey.end(of: $0.id, direction)?.port != fresh.end(of: $0.id, direction)?.port
                }
                #expect(differing.isEmpty, "step \(step)")
            }
        }
    }

    @Test func changesOfSeveralDevicesAreMerged() {
        let (first, second) = (CatalogInvalidation.device(ObjectID(1)), CatalogInvalidation.device(ObjectID(2)))
        for (old, new, both) in [
            (.nothing, first, first), (first, .nothing, first), (first, first, first), (first, second, .everything),
            (.everything, first, .everything), (first, .everything, .everything), (.nothing, .nothing, .nothing),
        ] as [(CatalogInvalidation, CatalogInvalidation, CatalogInvalidation)] {
            var merged = old
            merged.add(new)
            #expect(merged == both, "\(old) and \(new)")
        }
    }

    /// The ports of a card are reused when a jack is plugged, and all of them when only a volume
    /// changes.
    @Test func aJackChangeReusesOtherPorts() throws {
        var graph = computer
        var survey = PortCatalog(of: graph)
        func usages() -> [ObjectIdentifier] { survey.availableUsages(.output).map(ObjectIdentifier.init) }
        let former = usages()
        graph.devices[ObjectID(31)]?.routes[1].availability = .yes
        survey.update(graph)
        let plugged = usages()
        #expect(plugged.count == former.count + 1)
        #expect(Set(former).isSubset(of: plugged))
        graph.devices[ObjectID(31)]?.activeRoutes[0].volumes = [0.1]
        survey.update(graph)
        #expect(usages() == plugged)
        graph.devices[ObjectID(31)]?.routes[1].availability = .no
        survey.update(graph)
        #expect(usages() == former)
    }

    /// A port is reused on frequent changes, as long as its own jack has the same detection.
    @Test func jacksAndVolumesDoNotChangePorts() throws {
        let card = try #require(computer.devices[ObjectID(31)])
        let changes: [(inout Device) -> Void] = [
            { $0.routes[1].availability = .yes }, { $0.routes[0].availability = .no },
            { $0.routes[1].availability = .unknown }, { $0.activeRoutes[0].volumes = [0.1] },
            { $0.activeRoutes[0].isMuted = true }, { $0.profiles[0].availability = .no },
        ]
        for (number, change) in changes.enumerated() {
            var other = card
            change(&other)
            #expect(other != card && other.isEquivalent(to: card), "\(number)")
        }
        for (direction, type, isReportedByJack) in [
            (PortDirection.output, "headphones", false), (.output, "analog", true), (.input, "mic", true),
        ] {
            var port = PortEvidence(device: card, route: card.routes[1], direction: direction)
            port.route?.portType = type
            var plugged = port
            plugged.route?.availability = .yes
            #expect(plugged.isEquivalent(to: port), "\(type)")
            plugged.route?.availability = .unknown
            #expect(plugged.isEquivalent(to: port) != isReportedByJack, "\(type)")
        }
    }

    @Test func allOtherChangesConcernPorts() throws {
        let card = try #require(computer.devices[ObjectID(31)])
        let changes: [(inout Device) -> Void] = [
            { $0.id = ObjectID(1) }, { $0.properties[.deviceBus] = "usb" }, { $0.activeProfile = nil },
            { $0.activeProfile?.name = "off" }, { $0.profiles[0].index = 9 }, { $0.profiles = [] },
            { $0.routes.swapAt(0, 1) }, { $0.routes.removeLast() }, { $0.routes[0].index = 9 },
            { $0.routes[0].direction = .input }, { $0.routes[0].name += "!" }, { $0.routes[0].priority += 1 },
            { $0.routes[0].portType = nil }, { $0.routes[0].description += "!" },
            { $0.routes[0].availabilityGroup = "Jack" }, { $0.routes[0].productName = "Screen" },
            { $0.routes[0].profiles = [] }, { $0.routes[0].devices = [] }, { $0.routes[0].device = 1 },
        ]
        for (number, change) in changes.enumerated() {
            var other = card
            change(&other)
            #expect(!other.isEquivalent(to: card), "\(number)")
        }
    }

    /// Two cards with jacks, one on USB, with ports numbered by their count, a filter before the
    /// first, and a headset.
    private var computer: AudioGraph {
        let routes = [
            Make.route("speaker", type: "speaker", priority: 100, profiles: [1], devices: [3]),
            Make.route(
                "headphones", type: "headphones", available: .no, priority: 90, index: 1, profiles: [1], devices: [3]),
            Make.route("mic", .input, type: "mic", index: 2, profiles: [1], devices: [4]),
        ]
        let usb: Properties = [.deviceAPI: "alsa", .deviceBus: "usb", .deviceName: "usb", .deviceDescription: "Box"]
        let bluetooth: Properties = [
            .deviceAPI: "bluez5", .deviceName: "bluez_card.00_11_22_33_44_55", .deviceDescription: "Ears",
        ]
        let profile = DeviceProfile(index: 1, name: "HiFi")
        return Make.graph(
            [
                Make.sink(), Make.sink("alsa_input.pci", id: 78, number: 4),
                Make.sink("alsa_output.usb", id: 79, device: 32),
                Make.sink(
                    "filter", id: 80, number: nil, with: [.nodeLinkGroup: "group", .mediaClass: "Audio/Duplex"]),
                Make.node([.nodeName: "half", .mediaClass: "Stream/Output/Audio", .nodeLinkGroup: "group"], id: 81),
                Make.sink("bluez_output.00_11_22_33_44_55.1", id: 82, device: 33, number: 1),
            ],
            [
                Make.card(routes: routes, active: Array(routes.prefix(1)), profiles: [profile], profile: profile),
                Make.card(usb, id: 32, routes: routes, profiles: [profile], profile: profile),
                Make.card(bluetooth, id: 33, routes: [Make.route("headphone-output", devices: [1])]),
            ], links: [(81, 77)])
    }

    private func change(_ graph: inout AudioGraph, _ random: inout BoardRandom) {
        let id = ObjectID(UInt32.random(in: 31...33, using: &random))
        guard var card = graph.devices[id], let place = card.routes.indices.randomElement(using: &random) else {
            graph.devices = computer.devices
            return
        }
        switch Int.random(in: 0..<19, using: &random) {
        case 0...3: card.routes[place].availability = [.no, .yes, .unknown].randomElement(using: &random) ?? .no
        case 4:
            card.activeRoutes = [card.routes[place]]
            card.activeRoutes[0].device = random.chance(50) ? 3 : nil
            card.activeRoutes[0].volumes = [0.5]
        case 5: card.activeRoutes = []
        case 6:
            card.routes[place].portType =
                ["speaker", "analog", "line", "hdmi", nil].randomElement(using: &random) ?? nil
        case 7: card.routes[place].description += "!"
        case 8: card.routes.swapAt(0, place)
        case 9: card.activeProfile = random.chance(50) ? nil : DeviceProfile(index: 2, name: "off")
        case 10: card.properties[.deviceDescription] = random.chance(50) ? "Crate" : nil
        case 11: card.routes[place].productName = random.chance(50) ? "Television" : nil
        case 12: card.routes[place].priority = Int.random(in: 0..<200, using: &random)
        case 13: card.routes[place].profiles = random.chance(50) ? [1] : [2]
        case 14: change(nodeOf: &graph, &random)
        case 15: graph.links[ObjectID(900)] = random.chance(50) ? nil : computer.links[ObjectID(900)]
        case 16: card.profiles = random.chance(50) ? [] : [DeviceProfile(index: 2, name: "output:x+input:y")]
        case 17:
            card.routes.append(card.routes[place])
            card.routes[card.routes.count - 1].availability = random.chance(50) ? .no : .yes
        default: return graph.devices[id] = random.chance(50) ? nil : computer.devices[id]
        }
        graph.devices[id] = card
    }

    private func change(nodeOf graph: inout AudioGraph, _ random: inout BoardRandom) {
        let id = ObjectID(UInt32.random(in: 77...82, using: &random))
        guard var node = graph.nodes[id] else { return graph.nodes[id] = computer.nodes[id] }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: node.properties[.nodeDescription] = random.chance(50) ? "Words" : nil
        case 1:
            let classes = ["Audio/Sink", "Audio/Source", "Audio/Duplex", "Stream/Output/Audio"]
            node.properties[.mediaClass] = classes.randomElement(using: &random)
        case 2: node.properties[.targetObject] = random.chance(50) ? "alsa_output.usb" : nil
        case 3: node.properties[.audioPosition] = random.chance(50) ? "FL,FR" : "MONO"
        default: return graph.nodes[id] = nil
        }
        graph.nodes[id] = node
    }
}

extension PortUsage {
    fileprivate func isEquivalent(to other: PortUsage) -> Bool {
        switch (evidence.device, other.evidence.device) {
        case (let device?, let otherDevice?) where !device.isEquivalent(to: otherDevice): false
        case (nil, .some), (.some, nil): false
        default: evidence.isEquivalent(to: other.evidence)
        }
    }
}
