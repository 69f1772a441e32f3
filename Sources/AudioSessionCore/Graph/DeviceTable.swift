/// The devices of a graph, in the order of their ids. A computer has a few, for which a search is
/// faster than hashing.
package struct DeviceTable: Sendable, Hashable {
    package private(set) var values: [Device] = []

    package init() {}

    package subscript(id: ObjectID) -> Device? {
        get {
            let index = insertionIndex(of: id)
            return holds(id, at: index) ? values[index] : nil
        }
        set {
            assert(newValue.map { $0.id == id } ?? true, "in order of their own ids")
            let index = insertionIndex(of: id)
            switch (holds(id, at: index), newValue) {
            case (true, let device?): values[index] = device
            case (true, nil): values.remove(at: index)
            case (false, let device?): values.insert(device, at: index)
            case (false, nil): break
            }
        }
    }

    package var count: Int { values.count }
    package var isEmpty: Bool { values.isEmpty }

    package func contains(_ id: ObjectID) -> Bool { holds(id, at: insertionIndex(of: id)) }

    /// Changes a device in place.
    /// - Returns: Whether there is one with this id.
    mutating func change(_ id: ObjectID, _ body: (inout Device) -> Void) -> Bool {
        let index = insertionIndex(of: id)
        guard holds(id, at: index) else { return false }
        body(&values[index])
        return true
    }

    private func holds(_ id: ObjectID, at index: Int) -> Bool { index < values.count && values[index].id == id }

    private func insertionIndex(of id: ObjectID) -> Int { values.insertionIndex(after: { $0.id < id }) }
}
