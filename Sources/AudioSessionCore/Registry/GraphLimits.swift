/// How much of the graph is kept of what other programs make, so that none of them can fill the memory of all others.
package enum GraphLimits {
    package static let devicesOfOneProcess = 16
    static let devices = 256
    /// Of one list of one device.
    package static let routes = 256
    /// Of all devices: some 16 MiB.
    static let allRoutes = 32_768
    static let nodesOfOneProcess = 1024
    static let nodes = 4096
    /// Bytes of a name, a description or another property.
    package static let text = 256
    /// Bytes of all texts in one list of one device.
    package static let textsOfList = 24 * 1024
    /// Bytes of all properties of one object.
    package static let properties = 8 * 1024
}

/// How many objects of one type each process has in the graph.
struct ObjectAccounts: Sendable {
    private var owners: [ObjectID: TokenOwner.Process] = [:]
    private var counts: [TokenOwner.Process: Int] = [:]
    private let limit: Int
    private let limitOfOneProcess: Int

    init(limit: Int, ofOneProcess limitOfOneProcess: Int) {
        (self.limit, self.limitOfOneProcess) = (limit, limitOfOneProcess)
    }

    /// - Parameter process: `nil` for an object of the daemon itself.
    /// - Returns: whether there is room for the object.
    mutating func admit(_ id: ObjectID, of process: TokenOwner.Process?) -> Bool {
        guard let process, owners[id] == nil else { return true }
        guard owners.count < limit, counts[process] ?? 0 < limitOfOneProcess else { return false }
        owners[id] = process
        counts[process, default: 0] += 1
        return true
    }

    mutating func remove(_ id: ObjectID) {
        guard let process = owners.removeValue(forKey: id) else { return }
        counts[process] = counts[process].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
}
