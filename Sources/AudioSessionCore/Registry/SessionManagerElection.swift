/// Which client is the session manager, among those that have a metadata object named `default`.
///
/// It is the program outside of a sandbox that owns most audio devices and links, with a tie the one that connected first.
/// Of its metadata objects the oldest counts. All programs decide alike, whenever they start, because nothing but what the
/// registry shows now has an influence.
struct SessionManagerElection: Sendable {
    private var candidates: [Candidate] = []
    /// Whose each audio device and link is.
    private var owners: [ObjectID: TokenOwner.Process] = [:]
    private var counts: [TokenOwner.Process: Int] = [:]
    private(set) var winner: Candidate?

    struct Candidate: Sendable, Hashable {
        let metadata: ObjectID
        let serial: UInt64
        /// `nil` if the daemon itself made it.
        let client: ObjectID?
        let clientSerial: UInt64
        let process: TokenOwner.Process?
    }

    private enum Limits {
        static let candidatesOfOneProcess = 4
        static let candidates = 64
    }

    /// - Parameter client: as the registry shows it; `nil` if it does not.
    /// - Returns: whether another one wins now.
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

    /// - Returns: whether another one wins now.
    mutating func appeared(owned id: ObjectID, by client: ObjectID?, _ clients: [ObjectID: Client]) -> Bool {
        guard let client, owners[id] == nil else { return false }
        let process = TokenOwner(client: client, processID: clients[client]?.processID).process
        owners[id] = process
        counts[process, default: 0] += 1
        return candidates.count > 1 && elect()
    }

    /// - Returns: whether another one wins now, or none.
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
            // The one that is less comes later.
            return (left.clientSerial, left.serial) > (right.clientSerial, right.serial)
        }
        return winner != former
    }

    private func count(_ candidate: Candidate) -> Int { candidate.process.flatMap { counts[$0] } ?? 0 }
}
