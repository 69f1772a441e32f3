import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import Testing

/// A kind of output that is removed and returns.
struct Returning: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let cards: [VirtualCardDescription]
    let sink: String
    let type: PortType
    let way: Way

    enum Way: Sendable {
        /// The plug is pulled out of a jack of the first card.
        case jack(String)
        /// The second card is removed as a whole.
        case card
        /// A sink without a card, as network modules create.
        case node
    }

    /// Speaker and headphones are both on the one sink.
    var sharesSink: Bool { sink == Sinks.analog }

    static let jack = Returning(
        testDescription: "a jack of the one sink", cards: [.builtIn().with("headphones")], sink: Sinks.analog,
        type: .headphones, way: .jack("headphones"))
    static let splitSinks = Returning(
        testDescription: "split sinks", cards: [.splitSinks().with("headphones")], sink: Sinks.headphones,
        type: .headphones, way: .jack("headphones"))
    static let usb = Returning(
        testDescription: "USB", cards: [.builtIn(), .usb()], sink: Sinks.usb, type: .usbAudio, way: .card)
    static let bluetooth = Returning(
        testDescription: "Bluetooth", cards: [.builtIn(), .bluetooth()], sink: Sinks.bluetooth,
        type: .bluetoothA2DP, way: .card)
    static let screen = Returning(
        testDescription: "a screen", cards: [.builtIn().with("hdmi")], sink: Sinks.hdmi, type: .hdmi,
        way: .jack("hdmi"))
    static let network = Returning(
        testDescription: "the network", cards: [.builtIn()], sink: "tunnel.living-room.local.speakers",
        type: .network, way: .node)

    static let all = [jack, splitSinks, usb, bluetooth, screen, network]

    /// Prepares a stage with the output in use.
    func withStage(_ body: (Stage) async throws -> Void) async throws {
        try await Stage.with(cards) { stage in
            guard case .node = way else { return try await body(stage) }
            try await makeNode(stage)
            try await stage.managerLog.wait(for: "the sink") { $0.routeChanges.last?.current.isOn(type) == true }
            let tap = try await SinkTap(sink: sink, remote: stage.pipeWire.remote)
            try await body(stage.adding(tap))
            await tap.close()
        }
    }

    func lose(on stage: Stage) async throws {
        switch way {
        case .jack(let port): try await stage.card.unplug(port)
        case .card: try await stage.cards[1].remove()
        case .node:
            let node = try #require(await stage.manager.graph.nodes.values.first { $0.name == sink })
            _ = try await stage.pipeWire.run("pw-cli", ["destroy", "\(node.id.rawValue)"])
        }
    }

    func regain(on stage: Stage) async throws {
        switch way {
        case .jack(let port): try await stage.card.plug(port)
        case .card: try await stage.cards[1].add()
        case .node: try await makeNode(stage)
        }
    }

    /// The object lingers, because the program that creates it ends at once.
    private func makeNode(_ stage: Stage) async throws {
        let properties = [
            "factory.name=support.null-audio-sink", "node.name=\(sink)", "node.description=\"Living Room\"",
            "media.class=Audio/Sink", "node.network=true", "node.virtual=true", "priority.session=3000",
            "object.linger=true", "audio.position=[FL FR]", "monitor.passthrough=true",
        ]
        let made = try await stage.pipeWire.run(
            "pw-cli", ["create-node", "adapter", "{ \(properties.joined(separator: " ")) }"])
        #expect(made.status == 0, "\(made.output)")
    }
}

extension VirtualCardDescription {
    /// The card with a jack that has been plugged in for long, so that an opening contact does not
    /// count as bouncing.
    func with(_ port: String) -> Self {
        var card = self
        for index in card.routes.indices where card.routes[index].port == port {
            card.routes[index].availability = .yes
        }
        return card
    }

    /// The laptop's card in a newer description (UCM): the headphones have a sink of their own.
    static func splitSinks() -> Self {
        var card = builtIn()
        if var headphones = card.nodes.first(where: { $0.id == "hdmi" }) {
            headphones.id = "headphones"
            headphones.number = 11
            headphones.name = Sinks.headphones
            headphones.description = "Built-in Audio Headphones"
            headphones.priority = 1200
            headphones.properties["device.profile.name"] = "HiFi: Headphones: sink"
            card.nodes.append(headphones)
        }
        for index in card.profiles.indices where card.profiles[index].name == "HiFi" {
            card.profiles[index].nodes.append("headphones")
        }
        for index in card.routes.indices {
            switch card.routes[index].port {
            case "speaker": card.routes[index].name = "[Out] Speaker"
            case "headphones":
                card.routes[index].name = "[Out] Headphones"
                card.routes[index].nodes = ["headphones"]
            default: break
            }
        }
        return card
    }
}
