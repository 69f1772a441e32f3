/// Decides which of the players' names on the bus are resolved, and stores the names of each
/// player, including those that appear later.
///
/// All names are resolved in the end, a few at a time and in random order. So a program that owns
/// thousands of names delays the players of others but hides none. Limits count players, never
/// names.
package struct PlayerSurvey: Sendable {
    /// The maximum number of names that are being resolved.
    package static let concurrency = 16
    /// The maximum number of names stored for one player.
    static let nameLimit = 64

    private var waiting: [String]
    private var resolving: Set<String> = []
    private var names: [String: Set<String>] = [:]
    /// The players of the resolved names. Others have appeared later.
    private var found: Set<String> = []
    /// The players that were found and are not identified yet.
    private var unidentified: Set<String> = []
    /// The players whose last known name was removed while other names were still unresolved.
    private var doubtful: Set<String> = []
    /// Whether the survey has begun, and no other one is about to replace it.
    private var isCurrent: Bool

    package init(_ names: [String], using random: inout some RandomNumberGenerator) {
        self.init(shuffled: names.shuffled(using: &random))
    }

    /// Makes a survey of these names.
    /// - Parameter names: The names in random order.
    package init(shuffled names: [String]) { (waiting, isCurrent) = (names, true) }

    /// Makes a survey that has not begun, because the names are not known yet.
    package init() { (waiting, isCurrent) = ([], false) }

    /// Whether all names are resolved and their players are identified. A survey that has not
    /// begun, or that another one is about to replace, is not complete.
    package var isComplete: Bool { isCurrent && isDone && unidentified.isEmpty }
    private var isDone: Bool { waiting.isEmpty && resolving.isEmpty }
    /// Whether no player is known.
    package var isEmpty: Bool { names.isEmpty }

    /// Whether the player has a name on the bus, as far as is known.
    package func contains(_ owner: String) -> Bool { names[owner] != nil }

    /// Prepares for another survey that replaces this one.
    package mutating func supersede() { isCurrent = false }

    /// Notes that a player was identified, or cannot be. Players of another survey are ignored.
    package mutating func identified(_ owner: String) { unidentified.remove(owner) }

    /// Returns the names to resolve now.
    package mutating func next() -> [String] {
        let count = min(waiting.count, Self.concurrency - resolving.count)
        let batch = Array(waiting.suffix(count))
        waiting.removeLast(count)
        resolving.formUnion(batch)
        return batch
    }

    /// Adds the result for a name from ``next()``.
    ///
    /// - Returns: Whether the owner is to be identified, and the players that have ended.
    package mutating func resolved(_ name: String, owner: String?) -> (isNew: Bool, ended: [String]) {
        guard resolving.remove(name) != nil else { return (false, []) }
        var isNew = false
        if let owner {
            isNew = found.insert(owner).inserted
            if isNew { unidentified.insert(owner) }
            add(name, to: owner)
        }
        guard isDone else { return (isNew, []) }
        let ended = doubtful.filter { names[$0]?.isEmpty ?? true }.sorted()
        doubtful = []
        for owner in ended { names[owner] = nil }
        return (isNew, ended)
    }

    /// Handles a change of a name's owner.
    ///
    /// - Returns: The player that has ended, because this was the last name of its owner.
    package mutating func changed(_ name: String, from: String?, to: String?) -> String? {
        // A survey that begins later lists this name itself.
        if let to, isCurrent || names[to] != nil { add(name, to: to) }
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
