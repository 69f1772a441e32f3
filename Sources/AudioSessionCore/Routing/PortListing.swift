/// What could be used now in one direction, in order, each name once.
struct PortListing: Sendable {
    private(set) var usages: [PortUsage] = []
    private(set) var ports: [PortDescription] = []
    /// Whether some have the name of others, and are left out for it.
    private var hasNamesakes = false

    struct Change: Sendable {
        fileprivate var old: [PortUsage] = []
        fileprivate var new: [PortUsage] = []

        mutating func note(_ old: PortSurvey.Entry?, _ new: PortSurvey.Entry?) {
            if let old { self.old += old.available }
            if let new { self.new += new.available }
        }
    }

    init() {}

    init(of entries: [PortSurvey.Entry], _ direction: PortDirection) {
        var uids: Set<String> = []
        // What is in use before what could be: two may have the same name.
        for isInUse in [true, false] {
            for entry in entries where entry.key.direction == direction {
                for usage in entry.available where (usage === entry.usage) == isInUse {
                    if uids.insert(usage.port.uid).inserted { usages.append(usage) } else { hasNamesakes = true }
                }
            }
        }
        usages.sort { $0.order < $1.order }
        ports = usages.map(\.port)
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
        ports.remove(at: place)
    }

    /// - Returns: false if one of that name is there.
    private mutating func insert(_ usage: PortUsage) -> Bool {
        guard !usages.contains(where: { $0.port.uid == usage.port.uid }) else { return false }
        let place = usages.firstIndex { usage.order < $0.order } ?? usages.count
        usages.insert(usage, at: place)
        ports.insert(usage.port, at: place)
        return true
    }
}

extension [PortUsage] {
    /// The names that are only here or only there, if both name each once.
    func difference(from former: Self) -> (come: [String], gone: [String]) {
        // Mostly they have all in common, or all but one.
        var (start, end, formerEnd) = (0, count, former.count)
        while start < end, start < formerEnd, self[start] === former[start] { start += 1 }
        while start < end, start < formerEnd, self[end - 1] === former[formerEnd - 1] {
            end -= 1
            formerEnd -= 1
        }
        let new = self[start..<end].map(\.port.uid)
        let old = former[start..<formerEnd].map(\.port.uid)
        guard !new.isEmpty, !old.isEmpty else { return (new, old) }
        let (here, there) = (Set(new), Set(old))
        return (new.filter { !there.contains($0) }, old.filter { !here.contains($0) })
    }
}
