/// What could be used now in one direction, in order, each name once.
struct PortListing: Sendable {
    private(set) var usages: [PortUsage] = []
    /// Whether some have the name of others, and are left out for it.
    private var hasNamesakes = false

    struct Change: Sendable {
        fileprivate var old: [PortUsage] = []
        fileprivate var new: [PortUsage] = []

        mutating func note(_ old: [PortUsage], _ new: [PortUsage]) {
            self.old.add(old)
            self.new.add(new)
        }
    }

    init() {}

    init(of entries: [PortSurvey.Entry], _ direction: PortDirection, needingProfileChange others: [PortUsage] = []) {
        var uids: Set<String> = []
        func add(_ usage: PortUsage) {
            if uids.insert(usage.port.uid).inserted { usages.append(usage) } else { hasNamesakes = true }
        }
        // What is in use before what could be: two may have the same name.
        for isInUse in [true, false] {
            for entry in entries where entry.key.direction == direction {
                for usage in entry.available where (usage === entry.usage) == isInUse { add(usage) }
            }
        }
        for usage in others { add(usage) }
        usages.sort { $0.order < $1.order }
    }

    /// Above this much of a change the whole list is made anew.
    private static let most = 64

    /// - Returns: whether that could be done without looking at all entries.
    mutating func take(_ change: Change) -> Bool {
        guard !change.old.isEmpty || !change.new.isEmpty else { return true }
        guard !hasNamesakes, change.old.count + change.new.count <= Self.most else { return false }
        for usage in change.old where !change.new.contains(where: { $0 === usage }) { remove(usage) }
        for usage in change.new where !change.old.contains(where: { $0 === usage }) {
            guard insert(usage) else { return false }
        }
        return true
    }

    private mutating func remove(_ usage: PortUsage) {
        guard let place = usages.firstIndex(where: { $0 === usage }) else { return }
        usages.remove(at: place)
    }

    /// - Returns: false if one of that name is there.
    private mutating func insert(_ usage: PortUsage) -> Bool {
        guard !usages.contains(where: { $0.port.uid == usage.port.uid }) else { return false }
        let place = usages.firstIndex { usage.order < $0.order } ?? usages.count
        usages.insert(usage, at: place)
        return true
    }
}

extension [PortUsage] {
    /// Mostly these are the only ones, and not copied.
    fileprivate mutating func add(_ others: Self) { if isEmpty { self = others } else { self += others } }
}
