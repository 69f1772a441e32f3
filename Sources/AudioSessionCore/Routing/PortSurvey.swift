/// Every port of the machine at one moment.
///
/// To find out what a port is takes a hundred times as long as to see that nothing about it has changed: so each survey
/// takes over from the one before what is made of the same objects.
struct PortSurvey: Sendable {
    private var entries: [Key: Entry] = [:]
    private var outputs = Listing()
    private var inputs = Listing()

    /// What could be used now, in order.
    private struct Listing {
        var usages: [PortUsage] = []
        var ports: [PortDescription] = []
    }

    private struct Key: Hashable {
        let node: ObjectID
        let direction: PortDirection
    }

    /// A port, what else its card could serve, and all that this was told from.
    private struct Entry {
        let node: Node
        let real: RealNode
        let device: Device?
        let usage: PortUsage?
        let others: [PortUsage]

        // Mostly these are the very same objects, which takes no comparing of texts.
        func isMade(of node: Node, _ real: RealNode, _ device: Device?) -> Bool {
            self.node == node && self.real == real && self.device == device
        }
    }

    init() {}

    init(of graph: AudioGraph) { update(graph) }

    func available(_ direction: PortDirection) -> [PortDescription] {
        direction == .output ? outputs.ports : inputs.ports
    }

    /// The same, with what they were told from.
    func availableUsages(_ direction: PortDirection) -> [PortUsage] {
        direction == .output ? outputs.usages : inputs.usages
    }

    /// - Parameter node: of the graph that was last looked at.
    func port(of node: ObjectID, _ direction: PortDirection) -> PortDescription? {
        entries[Key(node: node, direction: direction)]?.usage?.port
    }

    mutating func update(_ graph: AudioGraph) {
        var next: [Key: Entry] = [:]
        var isNew = false
        for node in graph.nodes.ports {
            for direction in node.mediaClass?.directions ?? [] where node.isPort(direction) {
                let key = Key(node: node.id, direction: direction)
                let real = graph.realNode(behind: node, direction: direction)
                let device = graph.device(of: real.node)
                if let old = entries[key], old.isMade(of: node, real, device) {
                    next[key] = old
                } else {
                    next[key] = Self.entry(node, real, device, direction, graph)
                    isNew = true
                }
            }
        }
        guard isNew || next.count != entries.count else { return }
        entries = next
        outputs = list(.output, graph)
        inputs = list(.input, graph)
    }

    private static func entry(
        _ node: Node, _ real: RealNode, _ device: Device?, _ direction: PortDirection, _ graph: AudioGraph
    ) -> Entry {
        let usage = graph.usage(of: node, as: real, direction)
        return Entry(
            node: node, real: real, device: device, usage: usage, others: usage.map(graph.otherUsages) ?? [])
    }

    private func list(_ direction: PortDirection, _ graph: AudioGraph) -> Listing {
        let found = graph.nodes.ports.compactMap { entries[Key(node: $0.id, direction: direction)] }
        let candidates = found.compactMap(\.usage) + found.flatMap(\.others)
        var known: Set<String> = []
        let usages = candidates.filter {
            $0.evidence.route?.availability != .no && known.insert($0.port.uid).inserted
        }
        .sorted { $0.order < $1.order }
        return Listing(usages: usages, ports: usages.map(\.port))
    }
}
