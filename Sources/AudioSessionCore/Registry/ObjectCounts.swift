/// Objects by their owner, with the number of each owner's.
struct ObjectCounts<Owner: Sendable & Hashable>: Sendable {
    private var owners: [ObjectID: Owner] = [:]
    private var counts: [Owner: Int] = [:]

    var total: Int { owners.count }

    func contains(_ id: ObjectID) -> Bool { owners[id] != nil }

    func count(of owner: Owner) -> Int { counts[owner] ?? 0 }

    /// Adds an object, unless it was added before.
    /// - Returns: Whether the object was added.
    mutating func add(_ id: ObjectID, of owner: Owner) -> Bool {
        guard owners[id] == nil else { return false }
        owners[id] = owner
        counts.add(1, to: owner)
        return true
    }

    /// Removes an object of any type.
    /// - Returns: Its owner; `nil` if it was not added.
    @discardableResult
    mutating func remove(_ id: ObjectID) -> Owner? {
        guard let owner = owners.removeValue(forKey: id) else { return nil }
        counts.add(-1, to: owner)
        return owner
    }
}
