/// The limits for the number of tokens.
struct TokenLimits: Sendable {
    /// The limit for the tokens of all processes that count.
    var all = 4096
    /// The limit for the tokens of one process that count, equal to the daemon's limit for
    /// connections.
    var ofProcess = 1024
    /// The limit for surplus tokens of all processes.
    var surplus = 16_384
    /// The limit for surplus tokens of one process.
    var surplusOfProcess = 1024

    static let standard = TokenLimits()
}

/// All tokens that PipeWire shows, and which of them count.
///
/// Invariant: of the tokens of each process, those that arrived first count, up to the limit of one
/// process. Of these, those that arrived first count, up to the limit of all. So a program that
/// starts later, and receives the same tokens in the same order, counts the same ones, and the
/// removal of a token gives room to one other at most.
///
/// The other tokens are *surplus*. They are kept, because PipeWire announces no token twice. Those
/// beyond the limit for surplus tokens are dropped, because memory has to be bounded. This is the
/// exception: a program that starts after earlier ones were removed may count them.
struct PresentTokens: Sendable {
    /// The tokens that count.
    private var counted: [ObjectID: Token] = [:]
    private var surplus: [ObjectID: Token] = [:]
    private var accounts: [TokenOwner.Process: Account] = [:]
    private var kinds = TokenKinds()
    /// The serials of all tokens, in the order of their arrival. Other programs determine how often
    /// they are searched, and the tables of tokens are slow to search.
    private var serials: [(arrival: UInt64, serial: UInt64)] = []
    /// The newcomers that may have arrived after a token of a higher serial that is present.
    private(set) var possiblyHeldBack: Set<ObjectID> = []
    /// An upper bound for the serials.
    private var highestSerial: UInt64 = 0
    private var lastArrival: UInt64 = 0
    /// The number of tokens that had no room when they arrived.
    private(set) var surplusCount: UInt64 = 0
    private let limits: TokenLimits

    private struct Account: Sendable {
        /// The number of tokens that count.
        var counted = 0
        /// The surplus tokens, the oldest first.
        var surplus: [Token] = []
    }

    struct Removal: Sendable {
        let token: Token
        /// Whether the removed token counted.
        let hasCounted: Bool
        /// The surplus token that counts from now on.
        let next: Token?
    }

    init(limits: TokenLimits) { self.limits = limits }

    var isEmpty: Bool {
        counted.isEmpty && surplus.isEmpty && accounts.isEmpty && kinds.isEmpty && serials.isEmpty
            && possiblyHeldBack.isEmpty
    }

    // MARK: Room

    /// Adds a token that has arrived.
    /// - Returns: The token, if it counts.
    mutating func append(_ identity: TokenIdentity, _ contents: TokenContents) -> Token? {
        lastArrival += 1
        let token = Token(identity, contents, arrival: lastArrival)
        let process = token.key.owner
        let hasRoom = counted.count < limits.all && (accounts[process]?.counted ?? 0) < limits.ofProcess
        if !hasRoom {
            surplusCount &+= 1
            let surplusOfProcess = accounts[process]?.surplus.count ?? 0
            guard surplus.count < limits.surplus, surplusOfProcess < limits.surplusOfProcess else { return nil }
        }
        kinds.add(token)
        serials.append((token.arrival, token.serial))
        if token.isNewcomer, token.serial < highestSerial { possiblyHeldBack.insert(identity.object) }
        highestSerial = max(highestSerial, token.serial)
        guard hasRoom else {
            keep(token)
            return nil
        }
        count(token)
        return token
    }

    /// Removes a token of a process.
    /// - Returns: `nil` if there is no such token.
    mutating func remove(_ object: ObjectID) -> Removal? {
        guard let token = counted[object] ?? surplus[object] else { return nil }
        let process = token.key.owner
        kinds.remove(token)
        serials.remove(at: position(of: token.arrival))
        possiblyHeldBack.remove(object)
        let hasCounted = counted.removeValue(forKey: object) != nil
        if hasCounted { accounts[process]?.counted -= 1 } else { takeSurplus(token) }
        let next = hasCounted ? oldestWithRoom : nil
        if let next {
            takeSurplus(next)
            count(next)
        }
        if let account = accounts[process], account.counted == 0, account.surplus.isEmpty { accounts[process] = nil }
        return Removal(token: token, hasCounted: hasCounted, next: next)
    }

    /// Whether a client's token is surplus.
    func isSurplus(_ name: TokenName, of owner: TokenOwner) -> Bool {
        accounts[owner.process]?.surplus.contains {
            $0.contents.name == name && $0.identity.owner.client == owner.client
        } ?? false
    }

    private mutating func count(_ token: Token) {
        // Capacity is reserved at once, because moving thousands of entries takes too long for one
        // change.
        if counted.count == TokenBoard.Limits.few { counted.reserveCapacity(limits.all) }
        counted[token.identity.object] = token
        accounts[token.key.owner, default: Account()].counted += 1
    }

    private mutating func keep(_ token: Token) {
        if surplus.isEmpty { surplus.reserveCapacity(limits.surplus) }
        surplus[token.identity.object] = token
        accounts[token.key.owner, default: Account()].surplus.append(token)
    }

    private mutating func takeSurplus(_ token: Token) {
        surplus[token.identity.object] = nil
        let position = accounts[token.key.owner]?.surplus.firstIndex { $0.arrival == token.arrival }
        if let position { accounts[token.key.owner]?.surplus.remove(at: position) }
    }

    /// The oldest surplus token whose process has room.
    private var oldestWithRoom: Token? {
        guard !surplus.isEmpty else { return nil }
        let limit = limits.ofProcess
        return accounts.values.lazy.filter { $0.counted < limit }.compactMap { $0.surplus.first }
            .min { $0.arrival < $1.arrival }
    }

    // MARK: Comparison

    /// Whether a newcomer was held back: a token of a higher serial arrived before it, and is
    /// present. Others receive both in the same order.
    mutating func isHeldBack(_ token: Token) -> Bool {
        guard possiblyHeldBack.contains(token.identity.object) else { return false }
        let earlier = serials[..<position(of: token.arrival)]
        if earlier.contains(where: { $0.serial > token.serial }) { return true }
        // No other can overtake it any more.
        possiblyHeldBack.remove(token.identity.object)
        return false
    }

    private func position(of arrival: UInt64) -> Int { serials.insertionIndex(after: { $0.arrival < arrival }) }

    /// Whether a token that is present may come to refuse this newcomer, or does.
    ///
    /// Sessions that are interrupted, tokens that were refused or are surplus, and those that a
    /// newer token of their session replaces have no effect now. A program that starts later
    /// may find one of them in effect, and would refuse the newcomer.
    func isContested(_ newcomer: Token) -> Bool {
        let kind = TraitsKind(newcomer.traits)
        if kinds.contains(besides: newcomer.group, where: { RuleTable.forbids[$0, kind] }) { return true }
        guard case .nowPlaying = newcomer.contents.background, !newcomer.traits.isMixable else { return false }
        return kinds.contains(besides: newcomer.group) { $0.isPlayer }
    }
}

/// The groups of the tokens that PipeWire shows, by the kind of their sessions. Releases do not
/// count.
private struct TokenKinds: Sendable {
    /// The number of tokens of each group.
    private var groups: [TraitsKind: [TokenGroup: Int]] = [:]

    var isEmpty: Bool { groups.isEmpty }

    mutating func add(_ token: Token) {
        guard !token.contents.state.isReleased else { return }
        groups[TraitsKind(token.traits), default: [:]].add(1, to: token.group)
    }

    mutating func remove(_ token: Token) {
        guard !token.contents.state.isReleased else { return }
        let kind = TraitsKind(token.traits)
        groups[kind]?.add(-1, to: token.group)
        if groups[kind]?.isEmpty == true { groups[kind] = nil }
    }

    /// Whether there is a token of a wanted kind of any group but one.
    func contains(besides group: TokenGroup, where isWanted: (TraitsKind) -> Bool) -> Bool {
        groups.contains { kind, groups in isWanted(kind) && (groups.count > 1 || groups[group] == nil) }
    }
}
