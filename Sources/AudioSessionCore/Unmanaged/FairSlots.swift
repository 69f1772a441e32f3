/// A limited number of slots for streams, which programs share fairly.
///
/// A stream without a slot waits for one. A program that waits takes a slot from the program that
/// has most, unless it would then have more than that program. So a program with few streams never
/// waits because of one with many. One exchange for each stream is enough, because none raises the
/// highest number of slots.
///
/// Adding a stream costs a pass over the programs with slots. Removing one costs a pass over those
/// that wait.
struct FairSlots: Sendable {
    private let limit: Int
    private var owners: [ObjectID: TokenOwner.Process] = [:]
    private var holding: [TokenOwner.Process: Set<ObjectID>] = [:]
    private var waiting: [TokenOwner.Process: Set<ObjectID>] = [:]
    private var used = 0

    init(limit: Int) { self.limit = limit }

    /// Whether a stream has a slot.
    func contains(_ id: ObjectID) -> Bool { owners[id].flatMap { holding[$0]?.contains(id) } ?? false }

    /// Adds a stream, unless it was added before.
    /// - Returns: The streams that got or lost a slot.
    mutating func add(_ id: ObjectID, of owner: TokenOwner.Process) -> Set<ObjectID> {
        guard owners[id] == nil else { return [] }
        owners[id] = owner
        guard used == limit else {
            used += 1
            holding[owner, default: []].insert(id)
            return [id]
        }
        guard let richest, count(richest) > count(owner) + 1, let last = holding[richest]?.max() else {
            waiting[owner, default: []].insert(id)
            return []
        }
        holding.remove(last, from: richest)
        waiting[richest, default: []].insert(last)
        holding[owner, default: []].insert(id)
        return [id, last]
    }

    /// Removes a stream, whether it has a slot or waits.
    /// - Returns: The other stream that got its slot, if any waited.
    mutating func remove(_ id: ObjectID) -> Set<ObjectID> {
        guard let owner = owners.removeValue(forKey: id) else { return [] }
        if waiting.remove(id, from: owner) { return [] }
        holding.remove(id, from: owner)
        guard let poorest, let next = waiting[poorest]?.min() else {
            used -= 1
            return []
        }
        waiting.remove(next, from: poorest)
        holding[poorest, default: []].insert(next)
        return [next]
    }

    /// The program with the fewest slots of those that wait.
    private var poorest: TokenOwner.Process? {
        waiting.keys.min { (count($0), $0.order.kind, $0.order.number) < (count($1), $1.order.kind, $1.order.number) }
    }

    /// The program with the most slots.
    private var richest: TokenOwner.Process? {
        holding.keys.max { (count($0), $0.order.kind, $0.order.number) < (count($1), $1.order.kind, $1.order.number) }
    }

    private func count(_ owner: TokenOwner.Process) -> Int { holding[owner]?.count ?? 0 }
}

extension TokenOwner.Process {
    /// An order by which all programs decide alike between owners with as many slots.
    fileprivate var order: (kind: Int, number: Int) {
        switch self {
        case .id(let id): (0, id)
        case .client(let id): (1, Int(id.rawValue))
        }
    }
}
