/// What could be chosen, and what of it has lately come or gone.
struct AvailablePorts: Sendable {
    /// Of the graph that was last looked at.
    private(set) var survey: PortSurvey
    private(set) var outputs: [PortDescription]
    private(set) var inputs: [PortDescription]
    private var outputUIDs: Set<String>
    private var inputUIDs: Set<String>
    /// When a port last became available, or ceased to be, by uid.
    private var arrivals: [String: MonotonicTime] = [:]
    private var departures: [String: MonotonicTime] = [:]
    /// The ports of before, until that is noted.
    private var unnotedMove: (former: [Set<String>], time: MonotonicTime)?
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
        outputUIDs = survey.availableUIDs(.output)
        inputUIDs = survey.availableUIDs(.input)
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
        let (newOutputs, newInputs) = (survey.availableUIDs(.output), survey.availableUIDs(.input))
        guard newOutputs != outputUIDs || newInputs != inputUIDs else { return }
        noteMoves()
        unnotedMove = ([outputUIDs, inputUIDs], now)
        (outputUIDs, inputUIDs) = (newOutputs, newInputs)
        isUntold = true
    }

    mutating func markTold() { isUntold = false }

    /// Notes what came and went when the lists were last made: whoever is told of the lists need not wait for it.
    mutating func noteMoves() {
        guard let (old, time) = unnotedMove else { return }
        unnotedMove = nil
        if nextForgetting <= time {
            nextForgetting = time + Limits.arrival
            arrivals = arrivals.filter { time < $0.value + Limits.arrival }
            departures = departures.filter { time < $0.value + Limits.arrival }
        }
        let new = [outputUIDs, inputUIDs]
        for uid in new.joined() where !old.contains(where: { $0.contains(uid) }) { arrivals[uid] = time }
        for uid in old.joined() where !new.contains(where: { $0.contains(uid) }) { departures[uid] = time }
    }

    func contains(_ uid: String, _ direction: PortDirection) -> Bool {
        direction == .output ? outputUIDs.contains(uid) : inputUIDs.contains(uid)
    }

    func arrival(of uid: String) -> MonotonicTime? { arrivals[uid] }

    /// Whether anything came or went at a time of which that is true.
    func haveChanged(when isMeant: (MonotonicTime) -> Bool) -> Bool {
        arrivals.values.contains(where: isMeant) || departures.values.contains(where: isMeant)
    }
}
