/// The sessions of this process, in the order in which they were opened.
struct BoardSessions: Sendable {
    private(set) var all: [BoardSession] = []
    private var positions: [AudioSessionID: Int] = [:]

    /// Accesses a session. Setting requires that the session exists.
    subscript(id: AudioSessionID) -> BoardSession? {
        get { positions[id].map { all[$0] } }
        set {
            guard let position = positions[id], let newValue else { return }
            all[position] = newValue
        }
    }

    mutating func append(_ session: BoardSession) {
        positions[session.id] = all.count
        all.append(session)
    }

    mutating func remove(_ id: AudioSessionID) -> BoardSession? {
        guard let position = positions.removeValue(forKey: id) else { return nil }
        defer { for later in all.indices.dropFirst(position) { positions[all[later].id] = later } }
        return all.remove(at: position)
    }

    /// Takes a session out, to be put back by ``putBack(_:at:)``. Changing it meanwhile copies none
    /// of its collections.
    mutating func take(_ position: Int) -> BoardSession {
        defer { all[position].blockers = [:] }
        return all[position]
    }

    /// Records that a version of the stack changes nothing for the session.
    mutating func sawStack(_ version: UInt64, at position: Int) { all[position].seen = version }

    mutating func putBack(_ session: BoardSession, at position: Int) { all[position] = session }
}
