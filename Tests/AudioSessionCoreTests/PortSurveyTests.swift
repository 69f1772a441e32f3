import Testing

@testable import AudioSessionCore

@Suite struct PortSurveyTests {
    /// Whatever is taken over from the survey before, one that is made anew finds the same.
    @Test(arguments: 1...200) func itIsAsIfMadeAnew(seed: Int) {
        var random = BoardRandom(seed: UInt64(seed))
        var graph = machine
        var survey = PortSurvey(of: graph)
        for step in 0..<60 {
            change(&graph, &random)
            if random.chance(30) { continue }
            survey.update(graph)
            let fresh = PortSurvey(of: graph)
            for direction in [PortDirection.output, .input] {
                #expect(survey.available(direction) == fresh.available(direction), "step \(step)")
                #expect(survey.availableUIDs(direction) == fresh.availableUIDs(direction), "step \(step)")
                #expect(
                    survey.availableUsages(direction).map(\.evidence)
                        == fresh.availableUsages(direction).map(\.evidence), "step \(step)")
                for node in graph.nodes.values {
                    #expect(survey.port(of: node.id, direction) == fresh.port(of: node.id, direction), "step \(step)")
                }
            }
        }
    }

    /// The port itself is not made again for what happens every day.
    @Test func aJackLeavesThePortsTheyWere() throws {
        var graph = machine
        var survey = PortSurvey(of: graph)
        let former = try #require(survey.availableUsages(.output).first { $0.port.routeName == "speaker" })
        graph.devices[ObjectID(31)]?.routes[1].availability = .yes
        survey.update(graph)
        let usages = survey.availableUsages(.output)
        #expect(usages.contains { $0.port.routeName == "headphones" })
        #expect(usages.first { $0.port.routeName == "speaker" }?.port == former.port)
    }

    /// Two cards with jacks, one on USB, whose ports are named after how many there are, and a filter before the first.
    private var machine: AudioGraph {
        let routes = [
            Make.route("speaker", type: "speaker", priority: 100, profiles: [1], devices: [3]),
            Make.route(
                "headphones", type: "headphones", available: .no, priority: 90, index: 1, profiles: [1], devices: [3]),
            Make.route("mic", .input, type: "mic", index: 2, profiles: [1], devices: [4]),
        ]
        let usb: Properties = [.deviceAPI: "alsa", .deviceBus: "usb", .deviceName: "usb", .deviceDescription: "Box"]
        let profile = DeviceProfile(index: 1, name: "HiFi")
        return Make.graph(
            [
                Make.sink(), Make.sink("alsa_input.pci", id: 78, number: 4),
                Make.sink("alsa_output.usb", id: 79, device: 32),
                Make.sink(
                    "filter", id: 80, number: nil, with: [.nodeLinkGroup: "group", .mediaClass: "Audio/Duplex"]),
                Make.node([.nodeName: "half", .mediaClass: "Stream/Output/Audio", .nodeLinkGroup: "group"], id: 81),
            ],
            [
                Make.card(routes: routes, active: Array(routes.prefix(1)), profiles: [profile], profile: profile),
                Make.card(usb, id: 32, routes: routes, profiles: [profile], profile: profile),
            ], links: [(81, 77)])
    }

    private func change(_ graph: inout AudioGraph, _ random: inout BoardRandom) {
        let id = ObjectID(random.chance(50) ? 31 : 32)
        guard var card = graph.devices[id], let place = card.routes.indices.randomElement(using: &random) else {
            graph.devices = machine.devices
            return
        }
        switch Int.random(in: 0..<14, using: &random) {
        case 0...3: card.routes[place].availability = [.no, .yes, .unknown].randomElement(using: &random) ?? .no
        case 4:
            card.activeRoutes = [card.routes[place]]
            card.activeRoutes[0].device = random.chance(50) ? 3 : nil
            card.activeRoutes[0].volumes = [0.5]
        case 5: card.activeRoutes = []
        case 6: card.routes[place].portType = ["speaker", "line", "hdmi", nil].randomElement(using: &random) ?? nil
        case 7: card.routes[place].description += "!"
        case 8: card.routes.swapAt(0, place)
        case 9: card.activeProfile = random.chance(50) ? nil : DeviceProfile(index: 2, name: "off")
        case 10: card.properties[.deviceDescription] = random.chance(50) ? "Crate" : nil
        case 11:
            let node = ObjectID(UInt32.random(in: 77...81, using: &random))
            graph.nodes[node] = graph.nodes[node] == nil ? machine.nodes[node] : nil
        case 12: graph.links[ObjectID(900)] = random.chance(50) ? nil : machine.links[ObjectID(900)]
        default: return graph.devices[id] = random.chance(50) ? nil : machine.devices[id]
        }
        graph.devices[id] = card
    }
}
