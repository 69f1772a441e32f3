/// The marks of programs that duck, mute or host others.
///
/// Marks of sandboxed programs are not kept, because such programs may not write to streams.
package struct ProgramMarks: Sendable {
    private enum Mark: Sendable {
        case ducking(DuckingMark)
        case muting(MutingMark)
        case hosting(process: Int)
    }

    /// The effect that the marks of other programs have on streams.
    struct Demand: Sendable {
        /// The deepest gain; `nil` if no program ducks streams.
        var gain: UInt16?
        /// The serials of the muted streams.
        var muted: Set<String> = []
    }

    private var marks: [ObjectID: Mark] = [:]
    /// No program takes the capacity of others.
    private var accounts = ObjectAccounts(limit: 4096, ofOneProcess: 256)
    /// The number of marks of each process that hosts its descendants.
    private var hostCounts: [Int: Int] = [:]
    /// The result of ``demand(besides:)`` since the last change.
    private var known: (own: String?, demand: Demand)?

    package init() {}

    /// The processes that host their descendants.
    package var hosts: Set<Int> { Set(hostCounts.keys) }

    var hasHosts: Bool { !hostCounts.isEmpty }

    /// Whether any of these processes hosts its descendants.
    func haveHost(among processes: some Sequence<Int>) -> Bool { processes.contains { hostCounts[$0] != nil } }

    /// Adds an object if it is a mark that counts.
    /// - Returns: Whether it was added.
    @discardableResult
    package mutating func appeared(
        _ id: ObjectID, _ properties: Properties, _ clients: [ObjectID: Client]
    ) -> Bool {
        let clientID = properties.objectID(.clientID)
        let client = clientID.flatMap { clients[$0] }
        guard marks[id] == nil, let mark = Self.mark(properties, of: client) else { return false }
        let owner = clientID.map(clients.process(of:))
        guard accounts.admit(id, of: owner) else { return false }
        marks[id] = mark
        known = nil
        if case .hosting(let process) = mark { countHost(process, 1) }
        return true
    }

    /// Removes the mark of an object.
    /// - Returns: Whether the object was a mark.
    @discardableResult
    package mutating func disappeared(_ id: ObjectID) -> Bool {
        guard let mark = marks.removeValue(forKey: id) else { return false }
        accounts.remove(id)
        known = nil
        if case .hosting(let process) = mark { countHost(process, -1) }
        return true
    }

    /// Returns the effect of all marks except those of one name. It is evaluated once for each
    /// change of the marks.
    mutating func demand(besides own: String?) -> Demand {
        if let known, known.own == own { return known.demand }
        var demand = Demand()
        for mark in marks.values {
            switch mark {
            case .ducking(let mark) where mark.name != own && mark.gain < TokenTraits.fullGain:
                demand.gain = min(demand.gain ?? mark.gain, mark.gain)
            case .muting(let mark) where mark.name != own: demand.muted.insert(mark.serial)
            case .ducking, .muting, .hosting: break
            }
        }
        known = (own, demand)
        return demand
    }

    private static func mark(_ properties: Properties, of client: Client?) -> Mark? {
        if client?.isSandboxed ?? false { return nil }
        if let mark = DuckingMark(properties) { return .ducking(mark) }
        if let mark = MutingMark(properties) { return .muting(mark) }
        guard let mark = HostingMark(properties), mark.counts(of: client) else { return nil }
        return .hosting(process: mark.process)
    }

    private mutating func countHost(_ process: Int, _ change: Int) {
        let count = (hostCounts[process] ?? 0) + change
        hostCounts[process] = count > 0 ? count : nil
    }
}
