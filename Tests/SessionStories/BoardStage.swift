package import AudioSessionCore

/// Runs a story in a short notation, with a process for each session, and records the events of
/// each.
///
/// Steps: `+A` activate · `-A` deactivate and notify · `~A` deactivate silently · `!A` kill ·
/// `A=kind` configure · `stop:A` and `cont:A` · `bg:A` and `fg:A` · `noroute:A` and `route:A` ·
/// `600ms`, `3s` time · `down`, `up` the daemon · `silent`, `loud` silent mode.
///
/// Events: `on` `off` `began:B` `ended+` (should resume) `ended-` `lapsed` `lost` `duck:200` and
/// refusals `priority:B` `background` `services` `late`.
package struct BoardStage {
    package var daemon = BoardDaemon()
    package private(set) var events: [String: [String]] = [:]
    private var hints: [String: [OtherSessions]] = [:]
    private var sessions: [String: (process: Int, id: AudioSessionID)] = [:]
    private var requests: [ArbitrationRequestID: String] = [:]
    private var lastRequest: UInt64 = 0
    private var strayAnswers = 0

    /// The cast is like `A:music B:nav C:call@group D:music/A`; the last is a second session in A's
    /// process.
    ///   in A's process.
    package init(_ cast: String) {
        for entry in cast.split(separator: " ") { open(String(entry)) }
    }

    package mutating func open(_ entry: String) {
        let role = StoryRole(entry)
        let process = role.sameProcessAs.map(process) ?? daemon.join()
        let id = BoardStage.session(sessions.count)
        sessions[role.name] = (process, id)
        daemon.ask(process, .opened(id, role.kind.traits))
        daemon.run()
    }

    package static func session(_ number: Int) -> AudioSessionID {
        let digits = String(number)
        let text = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
        guard let session = AudioSessionID(text) else { preconditionFailure("no uuid: \(text)") }
        return session
    }

    package static func traits(_ kind: String) -> TokenTraits { StoryKind(kind).traits }

    package mutating func play(_ script: String) {
        for step in script.split(separator: " ") { play(StoryStep(String(step))) }
    }

    package mutating func play(_ step: StoryStep) {
        perform(step)
        daemon.run()
        collectEvents()
    }

    /// Changes the state without delivering any event.
    package mutating func perform(_ step: StoryStep) {
        switch step {
        case .activate(let name): request(name, .activate)
        case .deactivate(let name, let notify): request(name, .deactivate(notify: notify))
        case .configure(let name, let kind): request(name, .configure(kind.traits))
        case .kill(let name): daemon.kill(process(name))
        case .stop(let name, let isStopped): daemon.stop(process(name), isStopped)
        case .background(let name, let isInBackground): daemon.ask(process(name), .background(isInBackground))
        case .routeLoss(let name, let isLost): daemon.ask(process(name), .stoppedByRouteLoss(isLost, id(name)))
        case .time(let duration): daemon.advance(duration)
        case .daemon(let isUp): isUp ? daemon.startUp() : daemon.shutDown()
        case .silentMode(let isOn):
            for process in daemon.processes.indices { daemon.ask(process, .silentMode(isOn)) }
        }
    }

    package mutating func request(_ name: String, _ request: ArbitrationRequest) {
        lastRequest += 1
        requests[ArbitrationRequestID(lastRequest)] = name
        daemon.ask(process(name), .requested(request, id(name), ArbitrationRequestID(lastRequest)))
    }

    package func process(_ name: String) -> Int { sessions[name]?.process ?? 0 }
    package func id(_ name: String) -> AudioSessionID { sessions[name]?.id ?? Self.session(0) }
    package func machine(_ name: String) -> ArbitrationStateMachine { daemon.processes[process(name)].machine }
    package func status(_ name: String) -> SessionStatus? { machine(name).status(of: id(name)) }

    package func name(_ id: AudioSessionID) -> String { sessions.first { $0.value.id == id }?.key ?? "?" }

    package func name(_ cause: AudioSessionPeer) -> String { name(cause.session) }

    package mutating func collectEvents() {
        for notifications in daemon.takeNotifications().joined() {
            switch notifications {
            case .event(let event, let session):
                if case .others(let others) = event { hints[name(session), default: []].append(others) }
                if let word = word(event) { events[name(session), default: []].append(word) }
            case .answer(let id, let failure):
                guard let name = requests.removeValue(forKey: id) else {
                    strayAnswers += 1
                    continue
                }
                if let failure { events[name, default: []].append(word(failure)) }
            }
        }
    }

    /// The requests that were not answered exactly once.
    package var unanswered: Int { requests.count + strayAnswers }

    package func words(_ name: String) -> String { events[name, default: []].joined(separator: " ") }

    package func hints(_ name: String) -> [OtherSessions] { hints[name, default: []] }

    private func word(_ event: ArbitrationEvent) -> String? {
        switch event {
        case .activated: "on"
        case .deactivated: "off"
        case .began(let cause): "began:\(name(cause))"
        case .ended(let shouldResume, _): shouldResume ? "ended+" : "ended-"
        case .claimLapsed: "lapsed"
        case .placeLost: "lost"
        case .ducking(let gain, _): "duck:\(gain)"
        case .causesChanged, .others: nil
        }
    }

    private func word(_ failure: ActivationFailure) -> String {
        switch failure {
        case .insufficientPriority(let cause): "priority:\(name(cause))"
        case .cannotInterruptOthers: "background"
        case .mediaServicesFailed: "services"
        case .timedOut: "late"
        default: "\(failure)"
        }
    }
}
