import EventLedger

/// The kind of an event that the driver causes.
enum Kind: String, CaseIterable, Sendable {
    case nodes, kill, `default`, jack, volume, session

    /// The argument for the peer that selects what it watches.
    var argument: String { self == .kill ? "nodes" : rawValue }

    /// The kinds that change the available ports or the route.
    static let ofPorts: Set<Kind> = [.nodes, .kill, .default, .jack]

    /// Milliseconds between two events, chosen at random, and enough for the session manager to
    /// react.
    var gap: ClosedRange<Double> {
        switch self {
        case .nodes, .volume: 4...12
        case .kill, .session: 6...16
        case .jack: 25...45
        case .default: 15...30
        }
    }
}

/// The programs that receive the event.
struct Observer: Sendable {
    let name: String
    let program: String
    let options: [String]
    let kinds: Set<Kind>
    private let levels: Set<Sighting.Level>
    /// For kinds that need objects with their parameters.
    private let fullOnly: Set<Kind>
    /// For kinds in which the peer reports only typed ports.
    private let typedOnly: Set<Kind>

    /// The first is the floor. A peer is left out of the kinds that it cannot report.
    static let all: [Observer] = [
        Observer(name: floor, program: "peer-pipewire", kinds: Set(Kind.allCases)),
        Observer(
            name: floor, program: "peer-pipewire", options: ["typed"], kinds: Kind.ofPorts, typedOnly: Kind.ofPorts),
        Observer(name: hop, program: "peer-hop", kinds: Set(Kind.allCases)),
        Observer(name: hop, program: "peer-hop", options: ["typed"], kinds: Kind.ofPorts, typedOnly: Kind.ofPorts),
        Observer(
            name: "AudioSessions, callback", program: "peer-audiosessions", options: ["callback"],
            kinds: Set(Kind.allCases), levels: [.full], typedOnly: Kind.ofPorts),
        Observer(
            name: "AudioSessions, nice 0", program: "peer-audiosessions", options: ["ordinary"],
            kinds: Set(Kind.allCases), levels: [.full], typedOnly: Kind.ofPorts),
        Observer(
            name: "AudioSessions, its thread", program: "peer-audiosessions", options: ["thread"],
            kinds: Set(Kind.allCases), levels: [.full], typedOnly: Kind.ofPorts),
        Observer(
            name: "AudioSessions, async", program: "peer-audiosessions", options: ["async"],
            kinds: Set(Kind.allCases), levels: [.full], typedOnly: Kind.ofPorts),
        // It has no class for the objects that carry sessions.
        Observer(
            name: "libwireplumber", program: "peer-wireplumber", kinds: Set(Kind.allCases).subtracting([.session]),
            fullOnly: [.jack, .volume]),
        Observer(name: "libpulse", program: "peer-pulse", kinds: [.nodes, .kill, .default, .jack, .volume]),
        Observer(name: "GStreamer", program: "peer-gstreamer", kinds: [.nodes, .kill], levels: [.full]),
        Observer(name: "D-Bus signal", program: "peer-dbus", kinds: [.session]),
        // These peers must be detected.
        Observer(name: slow, program: "peer-pipewire", options: ["slow", "2000"], kinds: [.nodes]),
        Observer(name: liar, program: "peer-pipewire", options: ["lie"], kinds: [.nodes]),
    ]

    init(
        name: String, program: String, options: [String] = [], kinds: Set<Kind>,
        levels: Set<Sighting.Level> = [.bare, .full], fullOnly: Set<Kind> = [], typedOnly: Set<Kind> = []
    ) {
        self.name = name
        self.program = program
        self.options = options
        self.kinds = kinds
        self.levels = levels
        self.fullOnly = fullOnly
        self.typedOnly = typedOnly
    }

    /// The distinction from another peer of the same name.
    var label: String { options == ["typed"] ? "\(name), typed" : name }

    /// The levels that it must report for each event.
    func levels(for kind: Kind) -> Set<Sighting.Level> {
        if typedOnly.contains(kind) { return [.typed] }
        return fullOnly.contains(kind) ? [.full] : levels
    }

    /// Each peer once. One with more than one level has the same name.
    static let names = all.map(\.name).reduce(into: [String]()) { names, name in
        if !names.contains(name) { names.append(name) }
    }

    static let floor = "C client (floor)"
    static let hop = "C client, Swift hop"
    static let slow = "C client, 2 ms late"
    static let liar = "C client that lies"
}
