/// The devices of a graph, in the order of their ids. A computer has a few, for which a search is
/// faster than hashing.
package struct DeviceTable: Sendable, Hashable {
    package private(set) var values: [Device] = []

    package init() {}

    package subscript(id: ObjectID) -> Device? {
        get {
            let place = place(of: id)
            return holds(id, at: place) ? values[place] : nil
        }
        set {
            assert(newValue.map { $0.id == id } ?? true, "in order of their own ids")
            let place = place(of: id)
            switch (holds(id, at: place), newValue) {
            case (true, let device?): values[place] = device
            case (true, nil): values.remove(at: place)
            case (false, let device?): values.insert(device, at: place)
            case (false, nil): break
            }
        }
    }

    package var count: Int { values.count }
    package var isEmpty: Bool { values.isEmpty }

    package func contains(_ id: ObjectID) -> Bool { holds(id, at: place(of: id)) }

    /// Changes a device in place.
    /// - Returns: Whether there is one with this id.
    mutating func change(_ id: ObjectID, _ body: (inout Device) -> Void) -> Bool {
        let place = place(of: id)
        guard holds(id, at: place) else { return false }
        body(&values[place])
        return true
    }

    private func holds(_ id: ObjectID, at place: Int) -> Bool { place < values.count && values[place].id == id }

    private func place(of id: ObjectID) -> Int { values.place(after: { $0.id < id }) }
}
