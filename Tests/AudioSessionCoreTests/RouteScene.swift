import AudioSessionCore
import Testing

/// A machine in a test: it lets events happen, runs the registry and the routes over them, and refuses the impossible.
struct RouteScene {
    private var lastFollower: UInt64 = 0
    /// What each follower's gate is to be closed for, without asking.
    private(set) var guards: [FollowerID: [ObjectID]] = [:]
    var registry = RegistryStateMachine()
    var routes: RouteStateMachine
    var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
    /// What was told since the last ``takeEvents()``, gates included.
    private(set) var told: [RouteAction] = []
    private var pendingBarriers: [Barrier] = []
    private var wakeTime: MonotonicTime?

    init(_ events: [GraphEvent]) {
        var registry = RegistryStateMachine()
        var barriers = registry.start()
        for event in events { barriers += registry.receive(event) }
        while !registry.isSynchronized {
            let commands = barriers
            barriers = []
            for case .barrier(let barrier) in commands { barriers += registry.receive(.barrier(barrier)) }
        }
        self.registry = registry
        routes = RouteStateMachine(graph: registry.graph, now: now)
    }

    /// One event, one millisecond after the last.
    mutating func happen(_ events: GraphEvent..., after delay: Duration = .milliseconds(1)) {
        for event in events {
            now = now + delay
            told += routes.endangered(by: event, now: now).map { .closeGate($0) }
            for case .barrier(let barrier) in registry.receive(event) { pendingBarriers.append(barrier) }
            run(routes.receive(event, graph: registry.graph, now: now))
        }
    }

    /// The daemon answers everything that it was asked.
    mutating func settle() {
        while !pendingBarriers.isEmpty {
            let barrier = pendingBarriers.removeFirst()
            happen(.barrier(barrier), after: .microseconds(50))
        }
    }

    /// Time passes; deadlines on the way fire.
    mutating func pass(_ duration: Duration) {
        let end = now + duration
        while let wake = wakeTime, wake <= end {
            now = max(now, wake)
            wakeTime = nil
            run(routes.deadlinePassed(graph: registry.graph, now: now))
        }
        now = end
    }

    mutating func takeEvents() -> [RouteAction] {
        defer { told = [] }
        return told
    }

    /// Plays with one stream on this node.
    mutating func play(on sink: UInt32, stream: UInt32 = 900, link: UInt32 = 901) -> FollowerID {
        lastFollower += 1
        let id = FollowerID(lastFollower)
        routes.follow(id, graph: registry.graph)
        run(routes.setStreams([ObjectID(stream)], of: id, graph: registry.graph, now: now))
        happen(.linkAppeared(Link(id: ObjectID(link), outputNode: ObjectID(stream), inputNode: ObjectID(sink))))
        settle()
        return id
    }

    mutating func run(_ actions: [RouteAction]) {
        for action in actions {
            switch action {
            case .barrier:
                #expect(!pendingBarriers.contains(.routes), "asked for a barrier while one is under way")
                pendingBarriers.append(.routes)
            case .wake(let time): wakeTime = time
            case .guardNodes(let id, let nodes): guards[id] = nodes
            default: told.append(action)
            }
        }
    }
}

extension RouteScene {
    /// Changes of the machine's route that were told since last asked: reason, outputs before and after.
    mutating func takeChanges(of id: FollowerID = .machine) -> [Told] {
        takeEvents().compactMap { action in
            switch action {
            case .closeGate(id): .gateClosed
            case .openGate(id): .gateOpened
            case .becameNoisy(id, let port, _): .noisy(port.type)
            case .routeChanged(id, let change):
                .change(change.reason, change.previous.outputs.map(\.type), change.current.outputs.map(\.type))
            default: nil
            }
        }
    }

    enum Told: Equatable {
        case gateClosed, gateOpened
        case noisy(PortType)
        case change(RouteChangeReason, [PortType], [PortType])
    }
}

// MARK: - Machines

/// A laptop's card: speaker and headphones on one sink, a screen on another, two microphones.
enum Laptop {
    static let manager: UInt32 = 30
    static let device: UInt32 = 40
    static let analog: UInt32 = 41
    static let screen: UInt32 = 42
    static let microphone: UInt32 = 43

    static func routes(
        headphones: Availability = .no, hdmi: Availability = .no, speaker: Availability = .unknown,
        headset: Availability = .no
    ) -> [DeviceRoute] {
        [
            route(0, .output, "analog-output-speaker", "speaker", 10_000, speaker, device: 0),
            route(1, .output, "analog-output-headphones", "headphones", 9_900, headphones, device: 0),
            route(2, .output, "hdmi-output-0", "hdmi", 5_900, hdmi, device: 1),
            route(3, .input, "analog-input-internal-mic", "mic", 8_900, .unknown, device: 2),
            route(4, .input, "analog-input-headset-mic", "headset", 8_800, headset, device: 2),
        ]
    }

    static func active(_ names: String..., in routes: [DeviceRoute] = routes()) -> [DeviceRoute] {
        names.compactMap { name in
            guard var route = routes.first(where: { $0.name == name }) else { return nil }
            route.device = route.devices.first
            return route
        }
    }

    static let speaking = active("analog-output-speaker", "hdmi-output-0", "analog-input-internal-mic")
    static let listening = active("analog-output-headphones", "hdmi-output-0", "analog-input-internal-mic")

    static var events: [GraphEvent] {
        [
            .clientAppeared(Client(id: ObjectID(manager), applicationName: "WirePlumber")),
            .metadataAppeared(ObjectID(31), [.metadataName: "default", .clientID: "30"]),
        ] + card() + [
            .defaultChanged(.output, "alsa_output.pci.analog"), .defaultChanged(.input, "alsa_input.pci.mic"),
        ]
    }

    /// - Parameter analog: the number of its first sink.
    static func card(analog: UInt32 = analog) -> [GraphEvent] {
        let id = ObjectID(device)
        let properties: Properties = [
            .deviceName: "alsa_card.pci", .deviceAPI: "alsa", .mediaClass: "Audio/Device", .deviceBus: "pci",
            .deviceDescription: "Built-in Audio",
        ]
        return [
            .deviceAppeared(id, properties), .deviceProperties(id, properties), .deviceRoutes(id, routes()),
            .deviceActiveRoutes(id, speaking), .deviceActiveProfile(id, DeviceProfile(index: 1, name: "HiFi")),
        ] + node(analog, "alsa_output.pci.analog", "Audio/Sink", device: device, number: 0)
            + node(screen, "alsa_output.pci.hdmi", "Audio/Sink", device: device, number: 1)
            + node(microphone, "alsa_input.pci.mic", "Audio/Source", device: device, number: 2)
    }

    static func node(
        _ id: UInt32, _ name: String, _ mediaClass: String, device: UInt32?, number: Int = 0
    ) -> [GraphEvent] {
        var properties: Properties = [
            .nodeName: name, .mediaClass: mediaClass, .cardProfileDevice: String(number), .deviceAPI: "alsa",
            .nodeDescription: name,
        ]
        if let device {
            properties[.deviceID] = String(device)
        } else {
            properties[.deviceAPI] = nil
            properties[.cardProfileDevice] = nil
        }
        return [
            .nodeAppeared(Node(id: ObjectID(id), properties: properties)),
            .nodeProperties(ObjectID(id), properties),
        ]
    }

    private static func route(
        _ index: Int, _ direction: PortDirection, _ name: String, _ type: String, _ priority: Int,
        _ availability: Availability, device: Int
    ) -> DeviceRoute {
        DeviceRoute(
            index: index, direction: direction, name: name, description: name, priority: priority,
            availability: availability, portType: type, availabilityGroup: name, profiles: [1], devices: [device])
    }
}

/// A USB headset: one sink, one source.
enum Headset {
    static let device: UInt32 = 60
    static let sink: UInt32 = 61
    static let sinkName = "alsa_output.usb-Acme-00.analog"

    static var events: [GraphEvent] {
        let id = ObjectID(device)
        let properties: Properties = [
            .deviceName: "alsa_card.usb-Acme-00", .deviceAPI: "alsa", .mediaClass: "Audio/Device",
            .deviceBus: "usb", .deviceDescription: "Acme Headset",
        ]
        let route = DeviceRoute(
            index: 0, direction: .output, name: "analog-output", description: "Analog Output", priority: 9_900,
            portType: "analog", profiles: [1], devices: [0], device: 0)
        return [
            .deviceAppeared(id, properties), .deviceProperties(id, properties), .deviceRoutes(id, [route]),
            .deviceActiveRoutes(id, [route]), .deviceActiveProfile(id, DeviceProfile(index: 1, name: "stereo")),
        ] + Laptop.node(sink, sinkName, "Audio/Sink", device: device)
    }
}
