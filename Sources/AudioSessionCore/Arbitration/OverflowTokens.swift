/// The tokens that exceeded a limit when they arrived.
///
/// They have no effect until they are admitted, except that a token held back behind them is
/// refused. PipeWire announces no token twice, and a program that starts later would admit them in
/// the order of their arrival.
struct OverflowTokens: Sendable {
    private var processes: [TokenOwner.Process: Queue] = [:]
    private var owners: [ObjectID: TokenOwner.Process] = [:]

    enum Limits {
        static let tokens = 16_384
        static let tokensOfOneProcess = 1024
    }

    /// The limit that a token exceeded.
    enum Reason: Sendable, Hashable {
        case tokens
        case refused(TokenDecision.Refusal)
        /// The owner has not confirmed the token, and has too many such tokens.
        case unconfirmed
        /// The token comes from a run of the daemon above the limit.
        case runs
    }

    struct Entry: Sendable {
        let token: Token
        let reason: Reason
    }

    /// The surplus tokens of one process, in the order of their arrival.
    private struct Queue: Sendable {
        private(set) var entries: [Entry] = []
        /// The number of entries that only the number of tokens keeps from being admitted.
        private(set) var waitingCount = 0
        /// An upper bound for the serials.
        private(set) var highestSerial: UInt64 = 0

        mutating func insert(_ entry: Entry) {
            let isNewest = entries.last.map { $0.token.arrival < entry.token.arrival } ?? true
            let position = isNewest ? nil : entries.firstIndex { $0.token.arrival > entry.token.arrival }
            entries.insert(entry, at: position ?? entries.endIndex)
            highestSerial = max(highestSerial, entry.token.serial)
            if entry.reason == .tokens { waitingCount += 1 }
        }

        /// Whether one of the tokens overtook another token. Otherwise the bound is updated.
        mutating func overtook(_ token: Token) -> Bool {
            guard highestSerial > token.serial else { return false }
            if entries.contains(where: { $0.token.arrival < token.arrival && $0.token.serial > token.serial }) {
                return true
            }
            highestSerial = entries.lazy.map(\.token.serial).max() ?? 0
            return false
        }

        mutating func remove(at position: Int) -> Entry {
            let entry = entries.remove(at: position)
            if entry.reason == .tokens { waitingCount -= 1 }
            return entry
        }
    }

    var count: Int { owners.count }

    mutating func keep(_ token: Token, _ reason: Reason) {
        let process = token.key.owner
        guard owners.count < Limits.tokens, processes[process]?.entries.count ?? 0 < Limits.tokensOfOneProcess
        else { return }
        owners[token.identity.object] = process
        processes[process, default: Queue()].insert(Entry(token: token, reason: reason))
    }

    mutating func remove(_ object: ObjectID) -> Token? {
        guard let process = owners[object] else { return nil }
        return take(of: process) { $0.token.identity.object == object }
    }

    /// An upper bound for the serials.
    var highestSerial: UInt64 { processes.values.lazy.map(\.highestSerial).max() ?? 0 }

    func contains(_ object: ObjectID) -> Bool { owners[object] != nil }

    /// Whether one of these tokens has a higher serial than another token, but arrived before it.
    mutating func overtook(_ token: Token) -> Bool {
        for process in Array(processes.keys) where processes[process]?.overtook(token) == true { return true }
        return false
    }

    /// Removes and returns a process's oldest token that can be admitted now.
    mutating func take(of process: TokenOwner.Process, where hasRoom: (Entry) -> Bool) -> Token? {
        guard let position = processes[process]?.entries.firstIndex(where: hasRoom),
            let entry = processes[process]?.remove(at: position)
        else { return nil }
        if processes[process]?.entries.isEmpty == true { processes[process] = nil }
        owners[entry.token.identity.object] = nil
        return entry.token
    }

    /// Removes and returns the oldest token of all processes that can be admitted now.
    mutating func take(where hasRoom: (TokenOwner.Process) -> Bool) -> Token? {
        var oldest: Token?
        for (process, queue) in processes where queue.waitingCount > 0 && hasRoom(process) {
            guard let token = queue.entries.first(where: { $0.reason == .tokens })?.token else { continue }
            if oldest.map({ token.arrival < $0.arrival }) ?? true { oldest = token }
        }
        guard let oldest else { return nil }
        return take(of: oldest.key.owner) { $0.token.identity.object == oldest.identity.object }
    }

    func newest(of process: TokenOwner.Process, where isWanted: (Token) -> Bool) -> Entry? {
        processes[process]?.entries.last { isWanted($0.token) }
    }
}
