/// The sessions of this process, in the order in which they were opened.
struct OwnSessions: Sendable {
    private(set) var all: [OwnSession] = []
    private var positions: [AudioSessionID: Int] = [:]

    /// Accesses a session. Setting requires that the session exists.
    subscript(id: AudioSessionID) -> OwnSession? {
        get { positions[id].map { all[$0] } }
        set {
            guard let position = positions[id], let newValue else { return }
            all[position] = newValue
        }
    }

    mutating func append(_ session: OwnSession) {
        positions[session.id] = all.count
        all.append(session)
    }

    mutating func remove(_ id: AudioSessionID) -> OwnSession? {
        guard let position = positions.removeValue(forKey: id) else { return nil }
        defer { for later in all.indices.dropFirst(position) { positions[all[later].id] = later } }
        return all.remove(at: position)
    }

    /// Takes a session out, to be put back by ``putBack(_:at:)``. Changing it meanwhile copies none
    /// of its collections.
    mutating func take(_ position: Int) -> OwnSession {
        defer { all[position].blockers = [:] }
        return all[position]
    }

    /// Records that a version of the stack changes nothing for the session.
    mutating func noteEvaluated(_ version: UInt64, at position: Int) { all[position].evaluatedVersion = version }

    mutating func putBack(_ session: OwnSession, at position: Int) { all[position] = session }
}
