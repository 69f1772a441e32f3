/// What could be chosen, and what of it has lately come or gone.
struct AvailablePorts: Sendable {
    /// Of the graph that was last looked at.
    private(set) var survey: PortSurvey
    /// Of the survey when lists were last made.
    private var madeOutputs: MadeList
    private var madeInputs: MadeList
    /// When a port last became available, or ceased to be, by uid.
    private var arrivals: [String: MonotonicTime] = [:]
    private var departures: [String: MonotonicTime] = [:]
    /// When arrivals and departures that are long ago go, which until then are passed over.
    private var nextForgetting = MonotonicTime(nanoseconds: 0)
    /// What has happened since the graph was last looked at.
    private var news = SurveyNews.nothing
    /// Whether what has happened may have changed the lists. They are made anew at the first news, and again at the barrier after the
    /// last: at most twice, however many objects come at a time.
    private(set) var isStale = false
    /// Whether there are other ports than those that were last told of.
    private(set) var isUntold = false

    init(of graph: AudioGraph) {
        survey = PortSurvey(of: graph)
        madeOutputs = MadeList(survey.availableUsages(.output))
        madeInputs = MadeList(survey.availableUsages(.input))
    }

    var outputs: [PortDescription] { madeOutputs.ports }
    var inputs: [PortDescription] { madeInputs.ports }

    /// - Parameter isConcerned: whether ports may have come or gone by it.
    mutating func note(_ news: SurveyNews, isConcerned: Bool) {
        self.news.add(news)
        if isConcerned { isStale = true }
    }

    mutating func look(at graph: AudioGraph) {
        switch news {
        case .nothing: return
        case .device(let id): survey.update(graph, device: id)
        case .everything: survey.update(graph)
        }
        news = .nothing
    }

    /// Makes the lists of the graph that was last looked at, if need be.
    mutating func makeLists(_ now: MonotonicTime) {
        guard isStale else { return }
        isStale = false
        note(madeOutputs.take(survey.availableUsages(.output)), now)
        note(madeInputs.take(survey.availableUsages(.input)), now)
    }

    private mutating func note(_ change: (come: [String], gone: [String]), _ now: MonotonicTime) {
        guard !change.come.isEmpty || !change.gone.isEmpty else { return }
        isUntold = true
        if nextForgetting <= now { forget(now) }
        for uid in change.come { arrivals[uid] = now }
        for uid in change.gone { departures[uid] = now }
    }

    private mutating func forget(_ now: MonotonicTime) {
        nextForgetting = now + RouteLimits.arrival
        arrivals = arrivals.filter { now < $0.value + RouteLimits.arrival }
        departures = departures.filter { now < $0.value + RouteLimits.arrival }
    }

    mutating func markTold() { isUntold = false }

    func contains(_ uid: String, _ direction: PortDirection) -> Bool {
        (direction == .output ? madeOutputs : madeInputs).ports.contains { $0.uid == uid }
    }

    func arrival(of uid: String) -> MonotonicTime? { arrivals[uid] }

    /// Whether anything came or went at a time of which that is true.
    func haveChanged(when isMeant: (MonotonicTime) -> Bool) -> Bool {
        arrivals.values.contains(where: isMeant) || departures.values.contains(where: isMeant)
    }
}

/// A list of ports as it was when it was made, whatever has become of them.
private struct MadeList: Sendable {
    private(set) var ports: [PortDescription]
    private var usages: [PortUsage]

    init(_ usages: [PortUsage]) { (self.usages, ports) = (usages, usages.map(\.port)) }

    /// - Returns: the names that are only in the new list, or only in the one before.
    mutating func take(_ new: [PortUsage]) -> (come: [String], gone: [String]) {
        // Mostly they have all in common, or all but one.
        let least = Swift.min(new.count, usages.count)
        var (start, tail) = (0, 0)
        while start < least, new[start] === usages[start] { start += 1 }
        if start == new.count, start == usages.count { return ([], []) }
        while tail < least - start, new[new.count - 1 - tail] === usages[usages.count - 1 - tail] { tail += 1 }
        let (here, there) = (new[start..<new.count - tail], usages[start..<usages.count - tail])
        let change = (come: here.names(butThoseOf: there), gone: there.names(butThoseOf: here))
        self = MadeList(new)
        return change
    }
}

extension ArraySlice<PortUsage> {
    /// Above this it is worth while to hash.
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
