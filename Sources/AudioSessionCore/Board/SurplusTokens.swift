/// Tokens for which there was no room when they arrived.
///
/// They count for nothing, but are admitted once there is room, because PipeWire announces no token twice and a program that
/// starts then sees them as well.
struct SurplusTokens: Sendable {
    private var processes: [TokenOwner.Process: Queue] = [:]
    private var owners: [ObjectID: TokenOwner.Process] = [:]

    enum Limits {
        static let tokens = 16_384
        static let tokensOfOneProcess = 1024
    }

    /// Why there was no room.
    enum Reason: Sendable, Hashable {
        case tokens
        case refused(Verdict.Refusal)
        /// Its owner should have confirmed it, and has too many such tokens.
        case unconfirmed
        /// It comes from yet another run of the daemon.
        case runs
    }

    struct Entry: Sendable {
        let token: Token
        let reason: Reason
    }

    /// Of one process, the oldest first.
    private struct Queue: Sendable {
        var entries: [Entry] = []

        mutating func insert(_ entry: Entry) {
            let isNewest = entries.last.map { $0.token.serial < entry.token.serial } ?? true
            let position = isNewest ? nil : entries.firstIndex { $0.token.serial > entry.token.serial }
            entries.insert(entry, at: position ?? entries.endIndex)
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

    mutating func remove(_ object: ObjectID) -> Bool {
        guard let process = owners[object] else { return false }
        _ = take(of: process) { $0.token.identity.object == object }
        return true
    }

    /// Takes out the oldest of a process that now has room.
    mutating func take(of process: TokenOwner.Process, where hasRoom: (Entry) -> Bool) -> Token? {
        guard let position = processes[process]?.entries.firstIndex(where: hasRoom),
            let entry = processes[process]?.entries.remove(at: position)
        else { return nil }
        if processes[process]?.entries.isEmpty == true { processes[process] = nil }
        owners[entry.token.identity.object] = nil
        return entry.token
    }

    /// Takes out the oldest of all that now have room.
    mutating func take(where hasRoom: (TokenOwner.Process) -> Bool) -> Token? {
        var oldest: Token?
        for (process, queue) in processes where hasRoom(process) {
            guard let token = queue.entries.first(where: { $0.reason == .tokens })?.token else { continue }
            if oldest.map({ token.serial < $0.serial }) ?? true { oldest = token }
        }
        guard let oldest else { return nil }
        return take(of: oldest.key.owner) { $0.token.serial == oldest.serial }
    }

    func newest(of process: TokenOwner.Process, where isWanted: (Token) -> Bool) -> Entry? {
        processes[process]?.entries.last { isWanted($0.token) }
    }
}
