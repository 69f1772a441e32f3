/// The ports of all nodes and cards at one moment.
///
/// Classifying a port costs about 100 times more than detecting that its inputs are unchanged. So
/// each survey reuses the unchanged entries of the previous one.
struct PortCatalog: Sendable {
    /// The entries in the order of their keys.
    private var entries: [Entry] = []
    /// The outputs of cards that need another profile.
    private var profilePorts: [ObjectID: ProfilePorts] = [:]
    private var outputs = PortList()
    private var inputs = PortList()

    struct Key: Hashable, Comparable {
        let node: ObjectID
        let direction: PortDirection

        // The order is that of ``MediaClass/directions``.
        static func < (left: Self, right: Self) -> Bool {
            left.node == right.node
                ? left.direction == .output && right.direction == .input : left.node < right.node
        }
    }

    init() {}

    init(of graph: AudioGraph) { update(graph) }

    func available(_ direction: PortDirection) -> [PortDescription] { listing(direction).usages.map(\.port) }

    /// Returns the available ports with the data from which they were derived.
    func availableUsages(_ direction: PortDirection) -> [PortUsage] { listing(direction).usages }

    private func listing(_ direction: PortDirection) -> PortList { direction == .output ? outputs : inputs }

    /// Returns the port of a node of the graph at the last update, and the hardware's node behind
    /// it.
    func end(of node: ObjectID, _ direction: PortDirection) -> (port: PortDescription, hardware: ObjectID)? {
        let key = Key(node: node, direction: direction)
        let index = entries.insertionIndex(after: { $0.key < key })
        return index < entries.count && entries[index].key == key ? entries[index].end : nil
    }

    /// The difference between the ports of former and present entries.
    private struct Changes {
        var outputs = PortList.Change()
        var inputs = PortList.Change()

        mutating func note(_ old: Entry?, _ new: Entry?) {
            guard let entry = new ?? old else { return }
            if let old, let new, new.offersTheSame(as: old) { return }
            let (old, new) = (old?.available ?? [], new?.available ?? [])
            if entry.key.direction == .output { outputs.note(old, new) } else { inputs.note(old, new) }
        }

        mutating func note(_ old: ProfilePorts?, _ new: ProfilePorts?) {
            let (old, new) = (old?.available ?? [], new?.available ?? [])
            if !old.elementsEqual(new, by: ===) { outputs.note(old, new) }
        }
    }

    /// Updates the ports of one device that existed before, whose properties have changed except
    /// for its name.
    mutating func update(_ graph: AudioGraph, device id: ObjectID) {
        guard let device = graph.devices[id] else { return }
        var (changes, comparison) = (Changes(), DeviceComparison(device))
        for index in entries.indices where entries[index].isOf(id) {
            let old = entries[index]
            let entry = old.remade(device, graph, &comparison)
            changes.note(old, entry)
            entries[index] = entry
        }
        updateProfilePorts(device, graph, &comparison, &changes)
        list(changes)
    }

    private mutating func updateProfilePorts(
        _ device: Device, _ graph: AudioGraph, _ comparison: inout DeviceComparison, _ changes: inout Changes
    ) {
        let old = profilePorts[device.id]
        if let old, old.isOf(device) { return }
        let new = graph.profilePorts(of: device, former: old, &comparison)
        changes.note(old, new)
        profilePorts[device.id] = new
    }

    mutating func update(_ graph: AudioGraph) {
        var former = entries[...]
        var changes = Changes()
        entries = []
        entries.reserveCapacity(former.count + 1)
        for node in graph.nodes.ports {
            for direction in node.mediaClass?.directions ?? [] where node.isPort(direction) {
                let key = Key(node: node.id, direction: direction)
                while let gone = former.first, gone.key < key { changes.note(former.removeFirst(), nil) }
                let old = former.first?.key == key ? former.removeFirst() : nil
                let real = graph.realNode(behind: node, direction: direction)
                let device = graph.device(of: real.node)
                let entry =
                    old?.updated(node, real, device, graph) ?? Entry(key, node, real, device, graph, former: old)
                changes.note(old, entry)
                entries.append(entry)
            }
        }
        for gone in former { changes.note(gone, nil) }
        for device in graph.devices.values {
            var comparison = DeviceComparison(device)
            updateProfilePorts(device, graph, &comparison, &changes)
        }
        if profilePorts.count > graph.devices.count {
            for id in profilePorts.keys where !graph.devices.contains(id) {
                changes.note(profilePorts.removeValue(forKey: id), nil)
            }
        }
        list(changes)
    }

    private mutating func list(_ changes: Changes) {
        if !outputs.take(changes.outputs) {
            outputs = PortList(
                of: entries, .output,
                needingProfileChange: profilePorts.sorted { $0.key < $1.key }.flatMap(\.value.available))
        }
        if !inputs.take(changes.inputs) { inputs = PortList(of: entries, .input) }
    }
}
