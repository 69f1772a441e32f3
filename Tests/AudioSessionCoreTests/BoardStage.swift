import AudioSessionCore
import Testing

/// Tells a story in short words, each session in a process of its own, and notes what every session hears.
///
/// Steps: `+A` activate · `-A` deactivate and notify · `~A` deactivate silently · `!A` kill · `A=kind` configure ·
/// `stop:A` and `cont:A` · `bg:A` and `fg:A` · `noroute:A` and `route:A` · `600ms`, `3s` time · `down`, `up` the daemon ·
/// `silent`, `loud` silent mode.
///
/// Heard: `on` `off` `began:B` `ended+` (should resume) `ended-` `lapsed` `lost` `duck:200` and refusals
/// `priority:B` `background` `services`.
struct BoardStage {
    var daemon = BoardDaemon()
    private(set) var heard: [String: [String]] = [:]
    private var hints: [String: [OtherSessions]] = [:]
    private var sessions: [String: (process: Int, id: TokenSession)] = [:]
    private var requests: [BoardRequestID: String] = [:]
    private var processes: [String: Int] = [:]
    private var lastRequest: UInt64 = 0

    static let kinds: [String: TokenTraits] = [
        "music": TokenTraits(),
        "podcast": TokenTraits(isSpokenAudio: true),
        "game": TokenTraits(isMixable: true, leavesWithNotice: true),
        "spokenGame": TokenTraits(isMixable: true, isSpokenAudio: true, leavesWithNotice: true),
        "nav": TokenTraits(duckedGain: 200, leavesWithNotice: true),
        "deepNav": TokenTraits(duckedGain: 50, leavesWithNotice: true),
        "prompt": TokenTraits(duckedGain: 200, interruptsSpokenAudio: true, leavesWithNotice: true),
        "alarm": TokenTraits(priority: .alarm, leavesWithNotice: true),
        "ring": TokenTraits(priority: .ringtone, leavesWithNotice: true),
        "call": TokenTraits(priority: .communication, capturesAudio: true, leavesWithNotice: true),
        "mixCall": TokenTraits(
            priority: .communication, isMixable: true, capturesAudio: true, leavesWithNotice: true),
        "emergency": TokenTraits(priority: .emergency, leavesWithNotice: true),
        "rec": TokenTraits(capturesAudio: true, leavesWithNotice: true),
        "ambient": TokenTraits(isMixable: true, leavesWithNotice: true, followsSilentMode: true),
        "solo": TokenTraits(followsSilentMode: true),
        "mixRec": TokenTraits(isMixable: true, capturesAudio: true, leavesWithNotice: true),
    ]

    /// - Parameter cast: like `A:music B:nav C:call@group D:music/A`; the last is a second session in A's process.
    init(_ cast: String) {
        for entry in cast.split(separator: " ") { open(String(entry)) }
    }

    mutating func open(_ entry: String) {
        let parts = entry.split(separator: ":", maxSplits: 1).map(String.init)
        let words = parts[1].split(separator: "/").map(String.init)
        let process = words.count > 1 ? processes[words[1]] ?? 0 : daemon.join()
        processes[parts[0]] = process
        let id = BoardStage.session(sessions.count)
        sessions[parts[0]] = (process, id)
        daemon.ask(process, .opened(id, Self.traits(words[0])))
        daemon.run()
    }

    static func session(_ number: Int) -> TokenSession {
        let digits = String(number)
        let text = "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
        guard let session = TokenSession(text) else { preconditionFailure("no uuid: \(text)") }
        return session
    }

    static func traits(_ kind: String) -> TokenTraits {
        let parts = kind.split(separator: "@").map(String.init)
        guard var traits = kinds[parts[0]] else { preconditionFailure("no such kind: \(kind)") }
        if parts.count > 1 { traits.group = parts[1] }
        return traits
    }

    mutating func play(_ script: String) {
        for step in script.split(separator: " ").map(String.init) {
            perform(step)
            daemon.run()
            listen()
        }
    }

    private mutating func perform(_ step: String) {
        let rest = String(step.dropFirst())
        if step == "down" { return daemon.goDown() }
        if step == "up" { return daemon.comeUp() }
        if step == "silent" || step == "loud" {
            for process in Set(processes.values) { daemon.ask(process, .silentMode(step == "silent")) }
            return
        }
        if step.hasSuffix("ms"), let count = Int(step.dropLast(2)) { return daemon.advance(.milliseconds(count)) }
        if step.hasSuffix("s"), let count = Int(step.dropLast()) { return daemon.advance(.seconds(count)) }
        switch step.first {
        case "+": request(rest, .activate)
        case "-": request(rest, .deactivate(notify: true))
        case "~": request(rest, .deactivate(notify: false))
        case "!": daemon.kill(process(rest))
        default: performWord(step)
        }
    }

    private mutating func performWord(_ step: String) {
        if let sign = step.firstIndex(of: "=") {
            let kind = String(step[step.index(after: sign)...])
            return request(String(step[..<sign]), .configure(Self.traits(kind)))
        }
        let parts = step.split(separator: ":").map(String.init)
        let process = process(parts[1])
        switch parts[0] {
        case "stop": daemon.stop(process, true)
        case "cont": daemon.stop(process, false)
        case "bg": daemon.ask(process, .background(true))
        case "fg": daemon.ask(process, .background(false))
        case "noroute": daemon.ask(process, .stoppedByRouteLoss(true, id(parts[1])))
        case "route": daemon.ask(process, .stoppedByRouteLoss(false, id(parts[1])))
        default: preconditionFailure("no such step: \(step)")
        }
    }

    mutating func request(_ name: String, _ request: BoardRequest) {
        lastRequest += 1
        requests[BoardRequestID(lastRequest)] = name
        daemon.ask(process(name), .requested(request, id(name), BoardRequestID(lastRequest)))
    }

    func process(_ name: String) -> Int { processes[name] ?? 0 }
    func id(_ name: String) -> TokenSession { sessions[name]?.id ?? Self.session(0) }
    func machine(_ name: String) -> BoardStateMachine { daemon.processes[process(name)].machine }
    func status(_ name: String) -> BoardStatus? { machine(name).status(of: id(name)) }

    private func name(_ id: TokenSession) -> String { sessions.first { $0.value.id == id }?.key ?? "?" }

    mutating func listen() {
        for told in daemon.takeTold().joined() {
            switch told {
            case .event(let event, let session):
                if case .others(let others) = event { hints[name(session), default: []].append(others) }
                if let word = word(event) { heard[name(session), default: []].append(word) }
            case .answer(let id, let failure):
                guard let name = requests.removeValue(forKey: id) else {
                    Issue.record("answered twice: \(id)")
                    continue
                }
                if let failure { heard[name, default: []].append(word(failure)) }
            }
        }
    }

    var unanswered: Int { requests.count }

    func words(_ name: String) -> String { heard[name, default: []].joined(separator: " ") }

    func hints(_ name: String) -> [OtherSessions] { hints[name, default: []] }

    private func word(_ event: BoardEvent) -> String? {
        switch event {
        case .activated: "on"
        case .deactivated: "off"
        case .began(let cause): "began:\(name(cause.session))"
        case .ended(let shouldResume): shouldResume ? "ended+" : "ended-"
        case .claimLapsed: "lapsed"
        case .placeLost: "lost"
        case .ducking(let gain, _): "duck:\(gain)"
        case .others: nil
        }
    }

    private func word(_ failure: BoardFailure) -> String {
        switch failure {
        case .insufficientPriority(let cause): "priority:\(name(cause.session))"
        case .cannotInterruptOthers: "background"
        case .mediaServicesFailed: "services"
        default: "\(failure)"
        }
    }
}
