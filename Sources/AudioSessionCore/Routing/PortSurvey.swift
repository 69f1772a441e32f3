/// Every port of the machine at one moment.
///
/// To find out what a port is takes a hundred times as long as to see that nothing about it has changed: so each survey
/// takes over from the one before what is made of the same objects, or of objects that tell the same.
struct PortSurvey: Sendable {
    /// In the order of their keys.
    private var entries: [Entry] = []
    private var outputs = Listing()
    private var inputs = Listing()

    /// What could be used now, in order.
    private struct Listing {
        var usages: [PortUsage] = []
        var ports: [PortDescription] = []
        var uids: Set<String> = []
    }

    struct Key: Hashable, Comparable {
        let node: ObjectID
        let direction: PortDirection

        // As ``MediaClass/directions`` has them.
        static func < (left: Self, right: Self) -> Bool {
            left.node == right.node
                ? left.direction == .output && right.direction == .input : left.node < right.node
        }
    }

    init() {}

    init(of graph: AudioGraph) { update(graph) }

    func available(_ direction: PortDirection) -> [PortDescription] { listing(direction).ports }

    func availableUIDs(_ direction: PortDirection) -> Set<String> { listing(direction).uids }

    /// The same, with what they were told from.
    func availableUsages(_ direction: PortDirection) -> [PortUsage] { listing(direction).usages }

    private func listing(_ direction: PortDirection) -> Listing { direction == .output ? outputs : inputs }

    /// - Parameter node: of the graph that was last looked at.
    func port(of node: ObjectID, _ direction: PortDirection) -> PortDescription? {
        let key = Key(node: node, direction: direction)
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].key == key ? entries[low].usage?.port : nil
    }

    /// Which directions offer others than before.
    private struct Changes {
        var outputs = false
        var inputs = false

        mutating func note(_ direction: PortDirection) {
            if direction == .output { outputs = true } else { inputs = true }
        }
    }

    /// Where a single device, which was there before, tells other things of itself, but not what it is called.
    mutating func update(_ graph: AudioGraph, device id: ObjectID) {
        guard let device = graph.devices[id] else { return }
        var changes = Changes()
        for place in entries.indices where entries[place].isOf(id) {
            let old = entries[place]
            let entry = old.remade(device, graph)
            if !entry.offersTheSame(as: old) { changes.note(entry.key.direction) }
            entries[place] = entry
        }
        list(changes)
    }

    mutating func update(_ graph: AudioGraph) {
        var former = entries[...]
        var changes = Changes()
        entries = []
        entries.reserveCapacity(former.count + 1)
        for node in graph.nodes.ports {
            for direction in node.mediaClass?.directions ?? [] where node.isPort(direction) {
                let key = Key(node: node.id, direction: direction)
                while let gone = former.first, gone.key < key { changes.note(former.removeFirst().key.direction) }
                let old = former.first?.key == key ? former.removeFirst() : nil
                let real = graph.realNode(behind: node, direction: direction)
                let device = graph.device(of: real.node)
                let entry =
                    old?.updated(node, real, device, graph) ?? Entry(key, node, real, device, graph, former: old)
                if !(old.map(entry.offersTheSame) ?? false) { changes.note(direction) }
                entries.append(entry)
            }
        }
        for gone in former { changes.note(gone.key.direction) }
        list(changes)
    }

    private mutating func list(_ changes: Changes) {
        if changes.outputs { outputs = list(.output, former: outputs) }
        if changes.inputs { inputs = list(.input, former: inputs) }
    }

    /// - Parameter former: as long as the new one, probably.
    private func list(_ direction: PortDirection, former: Listing) -> Listing {
        var listing = Listing()
        listing.usages.reserveCapacity(former.usages.count)
        listing.uids = Set(minimumCapacity: former.uids.count)
        // What is in use before what could be: two may have the same name.
        for isInUse in [true, false] {
            for entry in entries where entry.key.direction == direction {
                for usage in entry.available where (usage === entry.usage) == isInUse {
                    if listing.uids.insert(usage.port.uid).inserted { listing.usages.append(usage) }
                }
            }
        }
        listing.usages.sort { $0.order < $1.order }
        listing.ports = listing.usages.map(\.port)
        return listing
    }
}
