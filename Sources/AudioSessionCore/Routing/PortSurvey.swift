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
        var choices: [Choice] = []
        var ports: [PortDescription] = []
    }

    /// By reference, since it is large, and lists of them are made, sorted and kept.
    private final class Choice: Sendable {
        let usage: PortUsage
        let order: (String, Int, String)

        init(_ usage: PortUsage) { (self.usage, order) = (usage, usage.order) }
    }

    private struct Key: Hashable {
        let node: ObjectID
        let direction: PortDirection
    }

    /// A port, what else its card could serve, and all that this was told from.
    private final class Entry: Sendable {
        let node: Node
        let real: RealNode
        let device: Device?
        let choice: Choice?
        let others: [Choice]

        init(_ node: Node, _ real: RealNode, _ device: Device?, _ direction: PortDirection, _ graph: AudioGraph) {
            (self.node, self.real, self.device) = (node, real, device)
            let usage = graph.usage(of: node, as: real, direction)
            choice = usage.map(Choice.init)
            others = usage.map(graph.otherUsages)?.map(Choice.init) ?? []
        }

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
        (direction == .output ? outputs : inputs).choices.map(\.usage)
    }

    /// - Parameter node: of the graph that was last looked at.
    func port(of node: ObjectID, _ direction: PortDirection) -> PortDescription? {
        entries[Key(node: node, direction: direction)]?.choice?.usage.port
    }

    mutating func update(_ graph: AudioGraph) {
        var count = 0
        var changed: (outputs: Bool, inputs: Bool) = (false, false)
        func note(_ direction: PortDirection) {
            if direction == .output { changed.outputs = true } else { changed.inputs = true }
        }
        for node in graph.nodes.ports {
            for direction in node.mediaClass?.directions ?? [] where node.isPort(direction) {
                count += 1
                let key = Key(node: node.id, direction: direction)
                let real = graph.realNode(behind: node, direction: direction)
                let device = graph.device(of: real.node)
                if entries[key]?.isMade(of: node, real, device) == true { continue }
                entries[key] = Entry(node, real, device, direction, graph)
                note(direction)
            }
        }
        if entries.count != count {
            for key in entries.keys where graph.nodes[key.node]?.isPort(key.direction) != true {
                entries[key] = nil
                note(key.direction)
            }
        }
        if changed.outputs { outputs = list(.output, graph) }
        if changed.inputs { inputs = list(.input, graph) }
    }

    private func list(_ direction: PortDirection, _ graph: AudioGraph) -> Listing {
        let found = graph.nodes.ports.compactMap { entries[Key(node: $0.id, direction: direction)] }
        let candidates = found.compactMap(\.choice) + found.flatMap(\.others)
        var known: Set<String> = []
        let choices = candidates.filter {
            $0.usage.evidence.route?.availability != .no && known.insert($0.usage.port.uid).inserted
        }
        .sorted { $0.order < $1.order }
        return Listing(choices: choices, ports: choices.map(\.usage.port))
    }
}
