/// The available ports of one direction in order, each uid once.
struct PortList: Sendable {
    private(set) var usages: [PortUsage] = []
    /// Whether some ports were left out because others have the same uid.
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

    init(of entries: [PortCatalog.Entry], _ direction: PortDirection, needingProfileChange others: [PortUsage] = []) {
        var uids: Set<String> = []
        func add(_ usage: PortUsage) {
            if uids.insert(usage.port.uid).inserted { usages.append(usage) } else { hasNamesakes = true }
        }
        // Ports in use precede other candidates, because two may have the same uid.
        for isInUse in [true, false] {
            for entry in entries where entry.key.direction == direction {
                for usage in entry.available where (usage === entry.usage) == isInUse { add(usage) }
            }
        }
        for usage in others { add(usage) }
        usages.sort { $0.order < $1.order }
    }

    /// The size of a change above which the list is rebuilt.
    private static let most = 64

    /// Applies a change to the list.
    /// - Returns: Whether that was possible without reading all entries.
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
        guard let index = usages.firstIndex(where: { $0 === usage }) else { return }
        usages.remove(at: index)
    }

    /// Inserts a port in order.
    /// - Returns: Whether no port of the same uid was in the list.
    private mutating func insert(_ usage: PortUsage) -> Bool {
        guard !usages.contains(where: { $0.port.uid == usage.port.uid }) else { return false }
        let index = usages.firstIndex { usage.order < $0.order } ?? usages.count
        usages.insert(usage, at: index)
        return true
    }
}

extension [PortUsage] {
    /// Appends elements. Usually the array is empty, so nothing is copied.
    fileprivate mutating func add(_ others: Self) { if isEmpty { self = others } else { self += others } }
}
