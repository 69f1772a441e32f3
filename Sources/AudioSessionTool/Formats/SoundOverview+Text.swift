import AudioSessionCore
import AudioSessions

extension SoundOverview {
    /// The overview as lines of text for users.
    var lines: [String] {
        let who = sessions.isEmpty ? ["No program has an audio session"] : ["Audio sessions, the newest first"]
        let others = streams.isEmpty ? [] : ["", "Streams of programs without a session"]
        return who + sessions.reversed().map { "  \($0.line)" } + others + streams.map { "  \($0.line)" }
    }
}

extension SoundOverview.Session {
    fileprivate var line: String { "\(id.who): \(kind) — \(fate)" }

    /// The traits of the session that matter to other sessions.
    private var kind: String {
        var words = [traits.priority.name, traits.isMixable ? "mixes" : "alone"]
        if traits.duckedGain != nil { words.append("ducks others") }
        if traits.interruptsSpokenAudio { words.append("interrupts speech") }
        if traits.isSpokenAudio { words.append("speech") }
        if traits.capturesAudio { words.append("records") }
        if let group = traits.group { words.append("group \(group)") }
        return words.joined(separator: ", ")
    }

    private var fate: String {
        switch state {
        case .active: (["active"] + attenuation).joined(separator: ", ")
        case .interrupted where interruptedBy.isEmpty: "interrupted, by a session that has ended"
        case .interrupted: "interrupted by \(interruptedBy.listed)"
        case .advised: "advised to resume, and has not yet"
        case .inactive: "inactive"
        }
    }
}

extension SoundOverview.Session {
    private var attenuation: [String] {
        silenceReasons.map { cause in
            switch cause {
            case .silentMode: "silenced by silent mode"
            case .muted: "its output is muted"
            case .ducked(let gain, let causes): "ducked to \(RunFormat.number(gain)) by \(causes.listed)"
            default: "\(cause)"
            }
        }
    }
}

extension SoundOverview.Stream {
    fileprivate var line: String {
        let who = describe(application, processID)
        let way = ports.isEmpty ? "to nothing" : "to " + ports.map(\.name).joined(separator: " and ")
        return
            "\(who): \(name.map { "“\($0)” " } ?? "")\(isRunning ? "plays" : "pauses") \(way)\(isMuted ? ", muted" : "")"
    }
}

extension AudioSession.Peer {
    /// The name of the program for users.
    var who: String {
        describe(applicationName, processID)
    }
}

private func describe(_ application: String?, _ processID: Int?) -> String {
    switch (application, processID) {
    case (let name?, let process?): "\(name) (\(process))"
    case (let name?, nil): name
    case (nil, let process?): "process \(process)"
    case (nil, nil): "an unknown program"
    }
}

extension [AudioSession.Peer] {
    fileprivate var listed: String { map(\.who).joined(separator: " and ") }
}
