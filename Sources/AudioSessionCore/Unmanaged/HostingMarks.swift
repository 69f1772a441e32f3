/// The marks of programs that host their descendants.
package struct HostingMarks: Sendable {
    private var marks: [ObjectID: (mark: HostingMark, client: ObjectID?)] = [:]
    /// No program takes the capacity of others.
    private var accounts = ObjectAccounts(limit: 1024, ofOneProcess: 16)

    package init() {}

    /// Adds an object if it is such a mark.
    package mutating func note(_ id: ObjectID, _ properties: Properties, _ clients: [ObjectID: Client]) {
        guard let mark = HostingMark(properties) else { return }
        let client = properties.objectID(.clientID)
        let owner = client.map { TokenOwner(client: $0, processID: clients[$0]?.processID) }
        if accounts.admit(id, of: owner?.process) { marks[id] = (mark, client) }
    }

    package mutating func remove(_ id: ObjectID) {
        guard marks.removeValue(forKey: id) != nil else { return }
        accounts.remove(id)
    }

    /// Returns the processes that host others.
    package func processes(_ clients: [ObjectID: Client]) -> Set<Int> {
        Set(marks.values.filter { $0.mark.counts(of: $0.client.flatMap { clients[$0] }) }.map(\.mark.process))
    }
}
