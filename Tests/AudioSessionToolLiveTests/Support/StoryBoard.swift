import AudioSessionCore
import AudioSessions
import SessionStories

/// What programs must print, according to the board alone.
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

    /// Until somebody does something by itself; `nil` if nobody will.
    var patience: Duration? { stage.daemon.nextWake.map { $0.since(stage.daemon.now) } }

    /// Without what programs are not told: that a claim has lapsed, who refused, and the end of what was over for them.
    func words(_ name: String) -> [String] {
        var words: [String] = []
        for word in stage.heard[name, default: []] where word != "lapsed" {
            if word == "off", words.last?.hasPrefix("ended") == true { continue }
            words.append(word.hasPrefix("priority:") ? "priority" : word)
        }
        return words
    }

    /// Who stands, oldest first: what any program that is connected can see.
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

    /// Why a session is silent or lowered.
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
    /// As ``StoryBoard/stack``.
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
