/// The nodes of a graph, found by id, by what names them, and by their link group without looking at all of them.
package struct NodeTable: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    private var nodes: [ObjectID: Node] = [:]
    // In order, oldest first: mostly one, which a set would hash.
    private var byName: [String: [ObjectID]] = [:]
    private var byLinkGroup: [String: [ObjectID]] = [:]
    private var portIDs: [ObjectID] = []

    package init() {}

    package init(dictionaryLiteral elements: (ObjectID, Node)...) {
        for (id, node) in elements { self[id] = node }
    }

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

    /// The nodes with this `node.name`, `node.description` or `object.serial`, oldest first.
    package func known(as text: String) -> [Node] { nodes(byName[text]) }

    /// What the first node with this `node.name`, oldest first, is good for that is good for anything.
    func first<Use>(named name: String, _ use: (Node) -> Use?) -> Use? {
        for id in byName[name] ?? [] {
            if let node = nodes[id], node.name == name, let found = use(node) { return found }
        }
        return nil
    }

    /// The oldest node with this `node.name` that is a port in a direction.
    func port(named name: String, _ direction: PortDirection) -> Node? {
        first(named: name) { $0.isPort(direction) ? $0 : nil }
    }

    package func inLinkGroup(_ group: String) -> [Node] { nodes(byLinkGroup[group]) }

    /// Those that can be an end point of sound, oldest first. Most nodes of a busy machine are streams.
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
        if node.isPort { portIDs.note(id) }
    }

    private mutating func forget(_ node: Node, _ id: ObjectID) {
        for key in Self.names { if let text = node.properties[key] { byName.forget(id, at: text) } }
        if let group = node.linkGroup { byLinkGroup.forget(id, at: group) }
        portIDs.forget(id)
    }
}

/// The links of a graph, found by id and by the nodes at their ends.
package struct LinkTable: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    private var links: [ObjectID: Link] = [:]
    private var byNode: [ObjectID: [ObjectID]] = [:]

    package init() {}

    package init(dictionaryLiteral elements: (ObjectID, Link)...) {
        for (id, link) in elements { self[id] = link }
    }

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

    /// Links that begin or end at a node.
    package func at(_ node: ObjectID) -> [Link] { byNode[node].map { $0.compactMap { links[$0] } } ?? [] }
}

extension [ObjectID] {
    private func place(of id: ObjectID) -> Int { place(after: { $0 < id }) }

    fileprivate mutating func note(_ id: ObjectID) {
        let place = place(of: id)
        if place == count || self[place] != id { insert(id, at: place) }
    }

    fileprivate mutating func forget(_ id: ObjectID) {
        let place = place(of: id)
        if place < count, self[place] == id { remove(at: place) }
    }
}

extension Dictionary where Value == [ObjectID] {
    fileprivate mutating func forget(_ id: ObjectID, at key: Key) {
        guard let place = index(forKey: key) else { return }
        values[place].forget(id)
        if values[place].isEmpty { remove(at: place) }
    }
}
