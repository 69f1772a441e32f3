/// The nodes of a graph, found by id, by what names them, and by their link group without looking at all of them.
package struct NodeTable: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    private var nodes: [ObjectID: Node] = [:]
    private var byName: [String: Set<ObjectID>] = [:]
    private var byLinkGroup: [String: Set<ObjectID>] = [:]
    private var portIDs: Set<ObjectID> = []

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

    package var values: Dictionary<ObjectID, Node>.Values { nodes.values }
    package var count: Int { nodes.count }
    package var isEmpty: Bool { nodes.isEmpty }

    /// The nodes with this `node.name`, `node.description` or `object.serial`, oldest first.
    package func known(as text: String) -> [Node] { nodes(byName[text]) }

    package func inLinkGroup(_ group: String) -> [Node] { nodes(byLinkGroup[group]) }

    /// Those that can be an end point of sound, oldest first. Most nodes of a busy machine are streams.
    package var ports: [Node] { nodes(portIDs) }

    private func nodes(_ ids: Set<ObjectID>?) -> [Node] { ids.map { $0.sorted().compactMap { nodes[$0] } } ?? [] }

    private static let names: [PropertyKey] = [.nodeName, .nodeDescription, .objectSerial]

    private mutating func note(_ node: Node, _ id: ObjectID) {
        for key in Self.names {
            if let text = node.properties[key] { byName[text, default: []].insert(id) }
        }
        if let group = node.properties[.nodeLinkGroup] { byLinkGroup[group, default: []].insert(id) }
        if node.isPort { portIDs.insert(id) }
    }

    private mutating func forget(_ node: Node, _ id: ObjectID) {
        for key in Self.names { if let text = node.properties[key] { byName.remove(id, from: text) } }
        if let group = node.properties[.nodeLinkGroup] { byLinkGroup.remove(id, from: group) }
        portIDs.remove(id)
    }
}

/// The links of a graph, found by id and by the nodes at their ends.
package struct LinkTable: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    private var links: [ObjectID: Link] = [:]
    private var byNode: [ObjectID: Set<ObjectID>] = [:]

    package init() {}

    package init(dictionaryLiteral elements: (ObjectID, Link)...) {
        for (id, link) in elements { self[id] = link }
    }

    package subscript(id: ObjectID) -> Link? {
        get { links[id] }
        set {
            if let old = links[id] { for node in [old.outputNode, old.inputNode] { byNode.remove(id, from: node) } }
            links[id] = newValue
            guard let newValue else { return }
            for node in [newValue.outputNode, newValue.inputNode] { byNode[node, default: []].insert(id) }
        }
    }

    package var values: Dictionary<ObjectID, Link>.Values { links.values }

    /// Links that begin or end at a node.
    package func at(_ node: ObjectID) -> [Link] { byNode[node].map { $0.sorted().compactMap { links[$0] } } ?? [] }
}

extension Dictionary where Value == Set<ObjectID> {
    fileprivate mutating func remove(_ id: ObjectID, from key: Key) {
        self[key]?.remove(id)
        if self[key]?.isEmpty == true { self[key] = nil }
    }
}
