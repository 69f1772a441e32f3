import AudioSessionCore
import AudioSessions
import SessionStories

/// The output that programs must print, according to the board alone.
struct StoryBoard {
    private var stage: BoardStage
    private let names: [String]
    private(set) var isSilentMode = false

    init(_ story: Story) {
        stage = BoardStage(story.cast)
        names = story.roles.map(\.name)
    }

    mutating func play(_ step: StoryStep) {
        if case .silentMode(let isOn) = step { isSilentMode = isOn }
        stage.play(step)
    }

    /// The time until a session acts by itself; `nil` if none will.
    var timeLeft: Duration? { stage.daemon.nextWake.map { $0.since(stage.daemon.now) } }

    /// The words without those that programs do not receive: a lapsed claim, the refuser, and an
    /// end that was over for them.
    func words(_ name: String) -> [String] {
        var words: [String] = []
        for word in stage.events[name, default: []] where word != "lapsed" {
            if word == "off", words.last?.hasPrefix("ended") == true { continue }
            words.append(word.hasPrefix("priority:") ? "priority" : word)
        }
        return words
    }

    /// The standing sessions, oldest first, as any connected program reads them.
    var stack: [String] {
        let arbitration = Arbitration(live: stage.daemon.liveTokens, cookie: stage.daemon.cookie)
        return arbitration.stack.map { session in
            let name = stage.name(session.key.session)
            if session.isActive { return name }
            let blockers = arbitration.blockers(of: session.key).map { stage.name($0.key.session) }
            return ([session.isAdvised ? "\(name)?" : name] + (session.isAdvised ? [] : blockers)).joined(
                separator: "<")
        }
    }

    /// The reasons for which a session is silent or ducked.
    func causes(_ name: String) -> [String] {
        guard let status = stage.status(name) else { return [] }
        switch status.state {
        case .inactive: return ["inactive"]
        case .interrupted: return status.interruptedBy.map { "interrupted:\(stage.name($0))" }
        case .advised: return ["advised"]
        case .active:
            let duckers = status.duckedGain == 1 ? [] : status.duckedBy
            return (status.isSilenced ? ["silentMode"] : []) + duckers.map { "ducked:\(stage.name($0))" }
        }
    }
}

extension SoundOverview {
    /// The stack in the notation of ``StoryBoard/stack``.
    func stack(_ nameOf: (String) -> String?) -> [String] {
        sessions.map { session in
            let name = nameOf(session.id.session.description) ?? "?"
            switch session.state {
            case .active: return name
            case .advised, .inactive: return "\(name)?"
            case .interrupted:
                return ([name] + session.interruptedBy.map { nameOf($0.session.description) ?? "?" }).joined(
                    separator: "<")
            }
        }
    }
}
