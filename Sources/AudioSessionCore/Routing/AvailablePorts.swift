/// What could be chosen, and what of it has lately come or gone.
struct AvailablePorts: Sendable {
    /// Of the graph that was last looked at.
    private(set) var survey: PortSurvey
    private(set) var outputs: [PortDescription]
    private(set) var inputs: [PortDescription]
    /// What these were told from.
    private var outputUsages: [PortUsage]
    private var inputUsages: [PortUsage]
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
        outputs = survey.available(.output)
        inputs = survey.available(.input)
        outputUsages = survey.availableUsages(.output)
        inputUsages = survey.availableUsages(.input)
    }

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
        outputs = survey.available(.output)
        inputs = survey.available(.input)
        let (newOutputs, newInputs) = (survey.availableUsages(.output), survey.availableUsages(.input))
        note(newOutputs.difference(from: outputUsages), now)
        note(newInputs.difference(from: inputUsages), now)
        (outputUsages, inputUsages) = (newOutputs, newInputs)
    }

    private mutating func note(_ change: (come: [String], gone: [String]), _ now: MonotonicTime) {
        guard !change.come.isEmpty || !change.gone.isEmpty else { return }
        isUntold = true
        if nextForgetting <= now { forget(now) }
        for uid in change.come { arrivals[uid] = now }
        for uid in change.gone { departures[uid] = now }
    }

    private mutating func forget(_ now: MonotonicTime) {
        nextForgetting = now + Limits.arrival
        arrivals = arrivals.filter { now < $0.value + Limits.arrival }
        departures = departures.filter { now < $0.value + Limits.arrival }
    }

    mutating func markTold() { isUntold = false }

    func contains(_ uid: String, _ direction: PortDirection) -> Bool {
        (direction == .output ? outputUsages : inputUsages).contains { $0.port.uid == uid }
    }

    func arrival(of uid: String) -> MonotonicTime? { arrivals[uid] }

    /// Whether anything came or went at a time of which that is true.
    func haveChanged(when isMeant: (MonotonicTime) -> Bool) -> Bool {
        arrivals.values.contains(where: isMeant) || departures.values.contains(where: isMeant)
    }
}
