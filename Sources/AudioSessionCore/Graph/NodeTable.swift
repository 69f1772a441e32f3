/// The nodes of a graph, indexed by id, by name, and by link group.
package struct NodeTable: Sendable, Hashable {
    private var nodes: [ObjectID: Node] = [:]
    // The ids in order, the oldest first. Usually there is one, for which hashing a set would cost
    // more.
    private var byName: [String: [ObjectID]] = [:]
    private var byLinkGroup: [String: [ObjectID]] = [:]
    private var membersBySet: [String: [ObjectID]] = [:]
    private var portIDs: [ObjectID] = []
    private(set) var virtualDeviceCount = 0

    package subscript(id: ObjectID) -> Node? {
        get { nodes[id] }
        set {
            if let old = nodes[id] { forget(old, id) }
            nodes[id] = newValue
            if let newValue { note(newValue, id) }
        }
    }

    package func contains(_ id: ObjectID) -> Bool { nodes.index(forKey: id) != nil }

    package var values: Dictionary<ObjectID, Node>.Values { nodes.values }
    package var count: Int { nodes.count }
    package var isEmpty: Bool { nodes.isEmpty }

    /// Returns the nodes with this `node.name`, `node.description` or `object.serial`, the oldest
    /// first.
    package func known(as text: String) -> [Node] { nodes(byName[text]) }

    /// Returns the result of `use` for the oldest node with this `node.name` for which it is not
    /// `nil`.
    func first<Use>(named name: String, _ use: (Node) -> Use?) -> Use? {
        for id in byName[name] ?? [] {
            if let node = nodes[id], node.name == name, let found = use(node) { return found }
        }
        return nil
    }

    /// Returns the oldest node with this `node.name` that is a port in a direction.
    func port(named name: String, _ direction: PortDirection) -> Node? {
        first(named: name) { $0.isPort(direction) ? $0 : nil }
    }

    /// Returns the nodes of a link group; none of a group that is larger than those of filters,
    /// because each node of the group would be compared with all others.
    package func inLinkGroup(_ group: String) -> [Node] {
        guard let ids = byLinkGroup[group], ids.count <= Self.mostOfLinkGroup else { return [] }
        return nodes(ids)
    }

    /// Returns the members of a Bluetooth LE set, the oldest first; no more than an actual set has.
    func members(ofSet set: String) -> [Node] {
        nodes(membersBySet[set].map { Array($0.prefix(Self.mostOfSet)) })
    }

    private static let mostOfLinkGroup = 16
    private static let mostOfSet = 16

    /// The nodes that can be ports, the oldest first. Most nodes of a busy computer are streams.
    package var ports: [Node] { nodes(portIDs) }

    private func nodes(_ ids: [ObjectID]?) -> [Node] {
        guard let ids else { return [] }
        var found: [Node] = []
        found.reserveCapacity(ids.count)
        for id in ids { if let node = nodes[id] { found.append(node) } }
        return found
    }

    private static let names: [PropertyKey] = [.nodeName, .nodeDescription, .objectSerial]

    private mutating func note(_ node: Node, _ id: ObjectID) {
        for key in Self.names {
            if let text = node.properties[key] { byName[text, default: []].note(id) }
        }
        if let group = node.linkGroup { byLinkGroup[group, default: []].note(id) }
        if node.isSetMember, let set = node.bluetoothSet { membersBySet[set, default: []].note(id) }
        if node.isPort { portIDs.note(id) }
        if node.isVirtualDevice { virtualDeviceCount += 1 }
    }

    private mutating func forget(_ node: Node, _ id: ObjectID) {
        for key in Self.names { if let text = node.properties[key] { byName.forget(id, at: text) } }
        if let group = node.linkGroup { byLinkGroup.forget(id, at: group) }
        if node.isSetMember, let set = node.bluetoothSet { membersBySet.forget(id, at: set) }
        portIDs.forget(id)
        if node.isVirtualDevice { virtualDeviceCount -= 1 }
    }
}

/// The links of a graph, indexed by id and by their nodes.
package struct LinkTable: Sendable, Hashable {
    private var links: [ObjectID: Link] = [:]
    private var byNode: [ObjectID: [ObjectID]] = [:]

    package subscript(id: ObjectID) -> Link? {
        get { links[id] }
        set {
            if let old = links[id] { for node in [old.outputNode, old.inputNode] { byNode.forget(id, at: node) } }
            links[id] = newValue
            guard let newValue else { return }
            for node in [newValue.outputNode, newValue.inputNode] { byNode[node, default: []].note(id) }
        }
    }

    package var values: Dictionary<ObjectID, Link>.Values { links.values }
    package var count: Int { links.count }

    /// Returns the number of links that begin or end at a node.
    func count(at node: ObjectID) -> Int { byNode[node]?.count ?? 0 }

    /// Returns the links that begin or end at a node.
    package func at(_ node: ObjectID) -> [Link] { byNode[node].map { $0.compactMap { links[$0] } } ?? [] }
}

extension [ObjectID] {
    private func insertionIndex(of id: ObjectID) -> Int { insertionIndex(after: { $0 < id }) }

    fileprivate mutating func note(_ id: ObjectID) {
        let index = insertionIndex(of: id)
        if index == count || self[index] != id { insert(id, at: index) }
    }

    fileprivate mutating func forget(_ id: ObjectID) {
        let index = insertionIndex(of: id)
        if index < count, self[index] == id { remove(at: index) }
    }
}

extension Dictionary where Value == [ObjectID] {
    fileprivate mutating func forget(_ id: ObjectID, at key: Key) {
        guard let index = self.index(forKey: key) else { return }
        values[index].forget(id)
        if values[index].isEmpty { remove(at: index) }
    }
}
