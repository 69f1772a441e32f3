/// The election of the session manager among the clients that have a metadata object named
/// `default`.
///
/// It is the program outside of a sandbox that owns most audio devices and links. With a tie, the
/// client that connected first wins. Of its metadata objects the oldest counts. All programs decide
/// alike, whenever they start, because only the present registry has an influence.
struct SessionManagerElection: Sendable {
    private var candidates: [Candidate] = []
    /// The process that owns each audio device and link.
    private var owners: [ObjectID: TokenOwner.Process] = [:]
    private var counts: [TokenOwner.Process: Int] = [:]
    private(set) var winner: Candidate?

    struct Candidate: Sendable, Hashable {
        let metadata: ObjectID
        let serial: UInt64
        /// The client that made the metadata; `nil` for the daemon itself.
        let client: ObjectID?
        let clientSerial: UInt64
        let process: TokenOwner.Process?
    }

    private enum Limits {
        static let candidatesOfOneProcess = 4
        static let candidates = 64
    }

    /// Adds a metadata object.
    /// - Parameter client: The client in the registry; `nil` if the registry does not show it.
    /// - Returns: Whether the winner has changed.
    mutating func appeared(metadata id: ObjectID, _ properties: Properties, client: Client?) -> Bool {
        guard client?.isSandboxed != true else { return false }
        let owner = properties.objectID(.clientID)
        let candidate = Candidate(
            metadata: id, serial: properties[.objectSerial].flatMap(UInt64.init) ?? UInt64(id.rawValue),
            client: owner,
            clientSerial: client?.serial ?? owner.map { UInt64($0.rawValue) } ?? .max,
            process: owner.map { TokenOwner(client: $0, processID: client?.processID).process })
        let others = candidates.count { $0.process == candidate.process }
        guard others < Limits.candidatesOfOneProcess, candidates.count < Limits.candidates else { return false }
        candidates.append(candidate)
        return elect()
    }

    /// Adds an audio device or a link of a client.
    /// - Returns: Whether the winner has changed.
    mutating func appeared(owned id: ObjectID, by client: ObjectID?, _ clients: [ObjectID: Client]) -> Bool {
        guard let client, owners[id] == nil else { return false }
        let process = TokenOwner(client: client, processID: clients[client]?.processID).process
        owners[id] = process
        counts[process, default: 0] += 1
        return candidates.count > 1 && elect()
    }

    /// Removes an object of any kind.
    /// - Returns: Whether the winner has changed, or there is none any more.
    mutating func disappeared(_ id: ObjectID) -> Bool {
        if let process = owners.removeValue(forKey: id) {
            counts[process] = counts[process].flatMap { $0 > 1 ? $0 - 1 : nil }
            return candidates.count > 1 && elect()
        }
        guard let index = candidates.firstIndex(where: { $0.metadata == id }) else { return false }
        candidates.remove(at: index)
        return elect()
    }

    private mutating func elect() -> Bool {
        let former = winner
        winner = candidates.max { left, right in
            let (few, many) = (count(left), count(right))
            if few != many { return few < many }
            // The lower rank sorts last.
            return (left.clientSerial, left.serial) > (right.clientSerial, right.serial)
        }
        return winner != former
    }

    private func count(_ candidate: Candidate) -> Int { candidate.process.flatMap { counts[$0] } ?? 0 }
}
