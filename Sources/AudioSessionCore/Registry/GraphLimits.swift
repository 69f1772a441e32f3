/// The limits of the graph for objects of other programs, which bound the memory of this process.
package enum GraphLimits {
    package static let devicesOfOneProcess = 16
    static let devices = 256
    /// The maximum number of routes in one list of one device.
    package static let routes = 256
    /// The maximum number of routes of all devices, some 16 MiB.
    static let allRoutes = 32_768
    static let nodesOfOneProcess = 1024
    static let nodes = 4096
    /// The number of links above which only those are added that ``linksOfOneNode`` permits. The
    /// patchbay of a studio has some hundred, because PipeWire makes a link for each channel.
    static let links = 4096
    /// The number of links that each known node has room for, whatever other programs create.
    static let linksOfOneNode = 8
    /// The maximum number of links before the initial sync ends, until when no node is known.
    static let linksBeforeSync = links + linksOfOneNode * nodes
    /// The maximum length of a name, description or other property, in bytes.
    package static let text = 256
    /// The maximum length of all texts in one list of one device, in bytes.
    package static let textsOfList = 24 * 1024
    /// The maximum length of all properties of one object, in bytes.
    package static let properties = 8 * 1024
}

extension LinkTable {
    /// Whether there is room for a link.
    ///
    /// The client of a link does not count, because PipeWire lets the creator of a link that
    /// lingers choose it. Instead, each known node has room for some links, so that no number of
    /// others hides where a stream plays. Nodes are limited by process, which limits the links too.
    /// - Parameter isKnown: Whether a node is one of those that are limited.
    func hasRoom(for link: Link, isKnown: (ObjectID) -> Bool) -> Bool {
        if count < GraphLimits.links || self[link.id] != nil { return true }
        return [link.outputNode, link.inputNode].contains { node in
            count(at: node) < GraphLimits.linksOfOneNode && isKnown(node)
        }
    }
}

/// The number of objects of some types of each process.
package struct ObjectAccounts: Sendable {
    private var processes = ObjectCounts<TokenOwner.Process>()
    private var clients = ObjectCounts<ObjectID>()
    private let limit: Int
    private let limitOfOneProcess: Int

    /// The number of objects of one client that are added although its process has no room left.
    /// The clients of one process may be different programs, such as those of pipewire-pulse, which
    /// by default has 64 clients at most. Any other program can connect a thousand times, so a
    /// process gets no more than twice its limit.
    private static let share = 8

    /// The owner of all nodes whose creator is unknown, which share the limit of one process.
    /// PipeWire never uses this id for a client.
    static let unknownCreator = TokenOwner.Process.client(ObjectID(.max))

    package init(limit: Int, ofOneProcess limitOfOneProcess: Int) {
        (self.limit, self.limitOfOneProcess) = (limit, limitOfOneProcess)
    }

    /// Adds an object if the limits permit it.
    /// - Parameters:
    ///   - process: The owner; `nil` for an object of the daemon itself.
    ///   - client: The owner's client, if each client is to have room for some objects.
    /// - Returns: Whether the object was added.
    package mutating func admit(
        _ id: ObjectID, of process: TokenOwner.Process?, for client: ObjectID? = nil
    ) -> Bool {
        guard let process, !processes.contains(id) else { return true }
        let hasShare = client.map { clients.count(of: $0) < Self.share } ?? false
        let limitOfProcess = hasShare ? 2 * limitOfOneProcess : limitOfOneProcess
        guard processes.total < limit, processes.count(of: process) < limitOfProcess else { return false }
        if let client { _ = clients.add(id, of: client) }
        return processes.add(id, of: process)
    }

    package mutating func remove(_ id: ObjectID) {
        processes.remove(id)
        clients.remove(id)
    }
}
