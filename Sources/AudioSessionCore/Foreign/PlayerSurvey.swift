/// Decides which of the players' names on the bus are resolved, and knows which names each player has.
///
/// All names are resolved in the end, a few at a time and in random order, so a program that owns thousands of
/// them delays the players of others but hides none. Limits count players, never names.
package struct PlayerSurvey: Sendable {
    /// Names that are being resolved at a time.
    package static let concurrency = 16
    /// Names of one player that are remembered.
    static let nameLimit = 64

    private var waiting: [String]
    private var resolving: Set<String> = []
    private var names: [String: Set<String>] = [:]
    /// Players whose last known name went while other names were still unresolved.
    private var doubtful: Set<String> = []

    package init(_ names: [String], using random: inout some RandomNumberGenerator) {
        waiting = names.shuffled(using: &random)
    }

    /// - Parameter names: in random order.
    package init(shuffled names: [String] = []) { waiting = names }

    private var isDone: Bool { waiting.isEmpty && resolving.isEmpty }

    /// The names to resolve now.
    package mutating func next() -> [String] {
        let count = min(waiting.count, Self.concurrency - resolving.count)
        let batch = Array(waiting.suffix(count))
        waiting.removeLast(count)
        resolving.formUnion(batch)
        return batch
    }

    /// A name from ``next()`` was resolved.
    ///
    /// - Returns: whether its owner was not known before, and which players have ended.
    package mutating func resolved(_ name: String, owner: String?) -> (isNew: Bool, ended: [String]) {
        guard resolving.remove(name) != nil else { return (false, []) }
        var isNew = false
        if let owner {
            isNew = names[owner] == nil
            add(name, to: owner)
        }
        guard isDone else { return (isNew, []) }
        let ended = doubtful.filter { names[$0]?.isEmpty ?? true }.sorted()
        doubtful = []
        for owner in ended { names[owner] = nil }
        return (isNew, ended)
    }

    /// A name changed hands.
    ///
    /// - Returns: the player that has ended, because this was the last name of its owner.
    package mutating func changed(_ name: String, from: String?, to: String?) -> String? {
        // A player that appears after the survey began is not looked for; of a known one this is another name.
        if let to, names[to] != nil { add(name, to: to) }
        guard let from, names[from]?.remove(name) != nil, names[from]?.isEmpty == true else { return nil }
        guard isDone else {
            doubtful.insert(from)
            return nil
        }
        names[from] = nil
        return from
    }

    private mutating func add(_ name: String, to owner: String) {
        var known = names[owner] ?? []
        if known.count < Self.nameLimit { known.insert(name) }
        names[owner] = known
    }
}
