/// The available ports, and those that recently appeared or disappeared.
struct AvailablePorts: Sendable {
    /// The ports of the graph at the last evaluation.
    private(set) var survey: PortCatalog
    /// The list of outputs as it was last built.
    private var madeOutputs: ReportedPorts
    private var madeInputs: ReportedPorts
    /// The times at which ports became available, by uid.
    private var arrivals: [String: MonotonicTime] = [:]
    private var departures: [String: MonotonicTime] = [:]
    /// The time at which old arrivals and departures are removed. Until then they are ignored.
    private var nextForgetting = MonotonicTime(nanoseconds: 0)
    /// The scope of the changes since the last evaluation.
    private var invalidation = CatalogInvalidation.nothing
    /// Whether changes may have affected the lists.
    ///
    /// They are rebuilt after the first change and again at the barrier after the last one: twice
    /// at most, however many objects appear at once.
    private(set) var isStale = false
    /// Whether the available ports differ from those of the last notification.
    var isUnreported = false

    init(of graph: AudioGraph) {
        survey = PortCatalog(of: graph)
        madeOutputs = ReportedPorts(survey.availableUsages(.output))
        madeInputs = ReportedPorts(survey.availableUsages(.input))
    }

    var outputs: [PortDescription] { madeOutputs.ports }
    var inputs: [PortDescription] { madeInputs.ports }

    /// Adds the scope of a change.
    /// - Parameter isConcerned: Whether ports may have appeared or disappeared.
    mutating func note(_ change: CatalogInvalidation, isConcerned: Bool) {
        self.invalidation.add(change)
        if isConcerned { isStale = true }
    }

    mutating func evaluate(at graph: AudioGraph) {
        switch invalidation {
        case .nothing: return
        case .device(let id): survey.update(graph, device: id)
        case .everything: survey.update(graph)
        }
        invalidation = .nothing
    }

    /// Rebuilds the lists from the last survey if they are stale.
    /// - Parameter reprofiled: The times at which cards have just changed their profile, by
    ///   `device.name`.
    mutating func makeLists(_ now: MonotonicTime, reprofiled: [String: MonotonicTime] = [:]) {
        guard isStale else { return }
        isStale = false
        note(madeOutputs.take(survey.availableUsages(.output)), among: madeOutputs.ports, reprofiled, now)
        note(madeInputs.take(survey.availableUsages(.input)), among: madeInputs.ports, reprofiled, now)
    }

    private mutating func note(
        _ change: (come: [String], gone: [String]), among ports: [PortDescription],
        _ reprofiled: [String: MonotonicTime], _ now: MonotonicTime
    ) {
        guard !change.come.isEmpty || !change.gone.isEmpty else { return }
        isUnreported = true
        if nextForgetting <= now { forget(now) }
        for uid in change.come where !isReturned(uid, among: ports, reprofiled) { arrivals[uid] = now }
        for uid in change.gone { departures[uid] = now }
    }

    /// Whether a port was missing only between a new profile of its card and the node that the
    /// profile makes. It was available before, in another profile.
    private func isReturned(
        _ uid: String, among ports: [PortDescription], _ reprofiled: [String: MonotonicTime]
    ) -> Bool {
        guard !reprofiled.isEmpty, let departure = departures[uid],
            let card = ports.first(where: { $0.uid == uid })?.deviceName, let change = reprofiled[card]
        else { return false }
        return change <= departure
    }

    private mutating func forget(_ now: MonotonicTime) {
        nextForgetting = now + RouteLimits.arrival
        arrivals = arrivals.filter { now < $0.value + RouteLimits.arrival }
        departures = departures.filter { now < $0.value + RouteLimits.arrival }
    }

    func contains(_ uid: String, _ direction: PortDirection) -> Bool {
        (direction == .output ? madeOutputs : madeInputs).ports.contains { $0.uid == uid }
    }

    func arrival(of uid: String) -> MonotonicTime? { arrivals[uid] }

    /// Whether any port appeared or disappeared at a time that satisfies the predicate.
    func haveChanged(when isMeant: (MonotonicTime) -> Bool) -> Bool {
        arrivals.values.contains(where: isMeant) || departures.values.contains(where: isMeant)
    }
}

/// A list of ports as it was when it was built.
private struct ReportedPorts: Sendable {
    private(set) var ports: [PortDescription]
    private var usages: [PortUsage]

    init(_ usages: [PortUsage]) { (self.usages, ports) = (usages, usages.map(\.port)) }

    /// Replaces the list by a new one.
    /// - Returns: The uids that are only in the new list, and those that were only in the old one.
    mutating func take(_ new: [PortUsage]) -> (come: [String], gone: [String]) {
        // Usually the lists have all elements in common, or all but one.
        let least = Swift.min(new.count, usages.count)
        var (start, tail) = (0, 0)
        while start < least, new[start] === usages[start] { start += 1 }
        if start == new.count, start == usages.count { return ([], []) }
        while tail < least - start, new[new.count - 1 - tail] === usages[usages.count - 1 - tail] { tail += 1 }
        let (here, there) = (new[start..<new.count - tail], usages[start..<usages.count - tail])
        let change = (come: here.names(butThoseOf: there), gone: there.names(butThoseOf: here))
        self = ReportedPorts(new)
        return change
    }
}

extension ArraySlice<PortUsage> {
    /// The length above which a hash set is faster.
    private static var few: Int { 16 }

    fileprivate func names(butThoseOf others: Self) -> [String] {
        guard others.count <= Self.few else {
            let names = Set(others.map(\.port.uid))
            return map(\.port.uid).filter { !names.contains($0) }
        }
        var names: [String] = []
        for usage in self where !others.contains(where: { $0.port.uid == usage.port.uid }) {
            names.append(usage.port.uid)
        }
        return names
    }
}
