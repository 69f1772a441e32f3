/// Tokens for which there was no room when they came. They count for nothing, but are looked at again once there is
/// room: nobody tells of a token twice, and whoever comes then sees them as well.
struct SurplusTokens: Sendable {
    private var tokens: [ObjectID: Token] = [:]
    private var counts = TokenCounts()

    enum Limits {
        /// More can be kept than anybody needs who means well, and memory has its end nevertheless.
        static let tokens = 16_384
        static let tokensOfOneProcess = 1024
    }

    var count: Int { tokens.count }

    mutating func keep(_ token: Token) {
        let process = token.key.owner
        guard tokens.count < Limits.tokens, counts[process] < Limits.tokensOfOneProcess else { return }
        tokens[token.identity.object] = token
        counts.add(process)
    }

    mutating func remove(_ object: ObjectID) -> Bool {
        guard let token = tokens.removeValue(forKey: object) else { return false }
        counts.remove(token.key.owner)
        return true
    }

    /// Takes out those for which there is room now, oldest first.
    ///
    /// - Parameters:
    ///   - process: whose alone; `nil` for anybody's.
    ///   - room: for how many in all.
    ///   - used: of how many places each process has made use already.
    mutating func take(of process: TokenOwner.Process?, room: Int, used: TokenCounts) -> [Token] {
        guard !tokens.isEmpty else { return [] }
        var used = used
        var taken: [Token] = []
        let waiting = tokens.values.filter { process == nil || $0.key.owner == process }
        for token in waiting.sorted(by: { $0.serial < $1.serial }) where taken.count < room {
            guard used[token.key.owner] < BoardTokens.Limits.tokensOfOneProcess else { continue }
            used.add(token.key.owner)
            taken.append(token)
        }
        for token in taken { _ = remove(token.identity.object) }
        return taken
    }
}

/// How many tokens each process has.
struct TokenCounts: Sendable {
    private var counts: [TokenOwner.Process: Int] = [:]

    subscript(process: TokenOwner.Process) -> Int { counts[process] ?? 0 }

    mutating func add(_ process: TokenOwner.Process) { counts[process, default: 0] += 1 }

    mutating func remove(_ process: TokenOwner.Process) {
        counts[process] = counts[process].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
}
