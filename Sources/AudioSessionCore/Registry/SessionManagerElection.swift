/// The election of the session manager among the clients that have a metadata object named
/// `default`.
///
/// It is the program outside of a sandbox that owns most audio devices. With a tie, the client that
/// connected first wins. Of its metadata objects the oldest counts. All programs decide alike,
/// whenever they start, because only the present registry has an influence.
///
/// Links count instead while no candidate owns a device. A computer may have no card, and
/// WirePlumber 0.5 may run as several processes, of which the one with the metadata makes the links
/// and another one the devices. Links are weaker evidence: PipeWire lets the creator of a link that
/// lingers choose its `client.id`, but sets that of a device itself. Only links within the limits
/// of the graph count.
struct SessionManagerElection: Sendable {
    private var candidates: [Candidate] = []
    private var devices = ObjectCounts<TokenOwner.Process>()
    private var links = ObjectCounts<TokenOwner.Process>()
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
        /// An object beyond the limit is not reconsidered when others are removed, so the limit
        /// takes 256 processes to reach.
        static let candidates = 1024
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

    /// Adds an audio device of a client.
    /// - Returns: Whether the winner has changed.
    mutating func appeared(device id: ObjectID, of client: ObjectID?, _ clients: [ObjectID: Client]) -> Bool {
        guard let process = client.map(clients.process(of:)), devices.add(id, of: process) else { return false }
        return elect(afterChangeOf: process)
    }

    /// Adds a link of a client.
    /// - Returns: Whether the winner has changed.
    mutating func appeared(link id: ObjectID, of client: ObjectID?, _ clients: [ObjectID: Client]) -> Bool {
        guard let process = client.map(clients.process(of:)), links.add(id, of: process) else { return false }
        return elect(afterChangeOf: process)
    }

    /// Removes an object of any kind.
    /// - Returns: Whether the winner has changed, or there is none any more.
    mutating func disappeared(_ id: ObjectID) -> Bool {
        if let process = devices.remove(id) ?? links.remove(id) { return elect(afterChangeOf: process) }
        guard let index = candidates.firstIndex(where: { $0.metadata == id }) else { return false }
        candidates.remove(at: index)
        return elect()
    }

    /// Elects again if the process is that of a candidate. Most programs with links are not.
    private mutating func elect(afterChangeOf process: TokenOwner.Process) -> Bool {
        candidates.count > 1 && candidates.contains { $0.process == process } && elect()
    }

    private mutating func elect() -> Bool {
        let former = winner
        let evidence = candidates.contains { Self.count(of: $0, in: devices) > 0 } ? devices : links
        winner = candidates.max { left, right in
            let (few, many) = (Self.count(of: left, in: evidence), Self.count(of: right, in: evidence))
            if few != many { return few < many }
            // The lower rank sorts last.
            return (left.clientSerial, left.serial) > (right.clientSerial, right.serial)
        }
        return winner != former
    }

    private static func count(of candidate: Candidate, in objects: ObjectCounts<TokenOwner.Process>) -> Int {
        candidate.process.map(objects.count(of:)) ?? 0
    }
}
