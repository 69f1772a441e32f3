import AudioSessions

/// A line of standard input that controls `audiosession run`.
struct RunCommandLine: Sendable, Hashable {
    enum Action: Sendable, Hashable {
        case category(AudioSessionConfiguration)
        case priority(AudioSessionConfiguration.Priority)
        case group(String)
        case background(Bool)
        case activate
        case deactivate(notify: Bool)
        case play(Sound)
        case pause
        case stop
        case volume(Float)
        case state, route, why, ports, other, numbers
        case preferRate(Int?)
        case preferBuffer(Duration?)
        case preferChannels(PortDirection, Int?)
        case inputGain(Float)
        /// Prefers the port with this uid; `nil` for no preference.
        case prefer(PortDirection, String?)
        case override(PortOverride)
        case sources(Selection?)
        case auto(Bool)
        case replug(Bool)
        case noisy(pauses: Bool)
        /// Records to a file; `nil` ends the recording.
        case record(String?)
        case mute(Bool)
        /// Sets the policy for programs without sessions; `nil` derives it from the configuration.
        case unmanaged(AudioSessionConfiguration.UnmanagedAudioPolicy?)
        case help
        case quit
    }

    enum Sound: Sendable, Hashable {
        /// The sound that was played last, or else a tone.
        case same
        case tone(hertz: Int)
        case file(String)
    }

    /// A data source of a port; `nil` for the one that the system selects.
    struct Selection: Sendable, Hashable {
        var port: String
        var source: String?
    }

    /// The longest line, in bytes, that is performed. It is also the longest path.
    static let maximumLength = 4096
    static let pitches = 20...20_000

    /// The first word of the line, which the reply repeats.
    let word: String
    let action: Result<Action, RunFailure>

    /// Parses a line of standard input.
    ///
    /// - Returns: The command; `nil` for a line without a word, which gets no reply.
    init?(_ line: String) {
        let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        guard let first = words.first else { return nil }
        // An invalid line need not be repeated in full.
        word = String(String.UnicodeScalarView(first.unicodeScalars.prefix(64)))
        guard line.utf8.count <= Self.maximumLength else {
            action = .failure(.badCommand("The line is too long. A line has at most \(Self.maximumLength) bytes."))
            return
        }
        let rest = words.count > 1 ? words[1].trimmed : ""
        do {
            action = .success(try Self.action(String(first), rest))
        } catch {
            action = .failure(error)
        }
    }

    private static func action(_ word: String, _ rest: String) throws(RunFailure) -> Action {
        switch word {
        case "category": return .category(try configuration(rest))
        case "priority": return .priority(try priority(rest))
        case "group": return .group(try required(rest, "group NAME"))
        case "background": return .background(try choice(rest, "background on|off", ["on": true, "off": false]))
        case "deactivate":
            let choices = ["": true, "notify": true, "silent": false]
            return .deactivate(notify: try choice(rest, "deactivate [notify|silent]", choices))
        case "play": return .play(try sound(rest))
        case "volume": return .volume(try level(rest, "volume"))
        case "input-gain": return .inputGain(try level(rest, "input-gain"))
        case "prefer-output": return .prefer(.output, try uid(rest, "prefer-output UID|none"))
        case "prefer-input": return .prefer(.input, try uid(rest, "prefer-input UID|none"))
        case "override":
            return .override(try choice(rest, "override speaker|none", ["speaker": .speaker, "none": .none]))
        case "sources": return .sources(try sources(rest))
        case "auto": return .auto(try choice(rest, "auto on|off", ["on": true, "off": false]))
        case "replug": return .replug(try choice(rest, "replug on|off", ["on": true, "off": false]))
        case "noisy": return .noisy(pauses: try choice(rest, "noisy pause|ignore", ["pause": true, "ignore": false]))
        case "prefer-rate", "prefer-buffer", "prefer-output-channels", "prefer-input-channels":
            return try number(word, rest)
        case "record":
            let file = try required(rest, "record FILE|off")
            return .record(file == "off" ? nil : file)
        case "unmanaged":
            let policies: [String: AudioSessionConfiguration.UnmanagedAudioPolicy?] = [
                "leave": .leave, "pause": .pause, "silence": .silence, "duck": .duck, "auto": nil,
            ]
            return .unmanaged(try choice(rest, "unmanaged leave|pause|silence|duck|auto", policies))
        case "mute": return .mute(try choice(rest, "mute on|off", ["on": true, "off": false]))
        default: return try plain(word, rest)
        }
    }

    private static let plainActions: [String: Action] = [
        "activate": .activate, "pause": .pause, "stop": .stop, "state": .state, "route": .route, "why": .why,
        "ports": .ports, "other": .other, "numbers": .numbers, "help": .help, "quit": .quit,
    ]
    private static func plain(_ word: String, _ rest: String) throws(RunFailure) -> Action {
        if let action = plainActions[word] {
            guard rest.isEmpty else { throw .badCommand("usage: \(word)") }
            return action
        }
        let words = RunUsage.all.map(\.word).joined(separator: ", ")
        throw .badCommand("There is no such command. Enter 'help', or use one of: \(words).")
    }
}

extension RunCommandLine {
    private static func required(_ text: String, _ usage: String) throws(RunFailure) -> String {
        guard !text.isEmpty else { throw .badCommand("usage: \(usage)") }
        return text
    }

    private static func choice<Value>(
        _ text: String, _ usage: String, _ choices: [String: Value]
    ) throws(RunFailure) -> Value {
        guard let value = choices[text] else { throw .badCommand("usage: \(usage)") }
        return value
    }

    /// Parses a configuration. Only the session decides whether the combination is legal.
    private static func configuration(_ text: String) throws(RunFailure) -> AudioSessionConfiguration {
        let words = text.split(whereSeparator: \.isWhitespace)
        let usage = RunFailure.badCommand("usage: category NAME [mode=M] [options=A,B] [policy=P]")
        guard let name = words.first else { throw usage }
        do {
            var configuration = AudioSessionConfiguration(try .init(named: String(name)))
            var known: Set<Substring> = []
            for word in words.dropFirst() {
                let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, known.insert(parts[0]).inserted else { throw usage }
                let value = String(parts[1])
                switch parts[0] {
                case "mode": configuration.mode = try .init(named: value)
                case "options": configuration.options = try .init(named: value)
                case "policy": configuration.routeSharingPolicy = try .init(named: value)
                default: throw usage
                }
            }
            return configuration
        } catch {
            throw RunFailure(error)
        }
    }

    private static func priority(_ text: String) throws(RunFailure) -> AudioSessionConfiguration.Priority {
        let names = AudioSessionConfiguration.Priority.allCases.map(\.rawValue)
        if let priority = AudioSessionConfiguration.Priority(rawValue: text) { return priority }
        let name = try required(text, "priority \(names.joined(separator: "|"))")
        let code = AudioSessionError.Code.badParam
        throw RunFailure(
            code.name, code: code.status,
            "There is no priority \"\(name.prefix(40))\". Use one of \(names.joined(separator: ", "))."
        )
    }

    private static func sound(_ text: String) throws(RunFailure) -> Sound {
        guard !text.isEmpty else { return .same }
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words[0] == "tone" else { return .file(text) }
        guard words.count > 1 else { return .tone(hertz: Tone.concertPitch) }
        guard words.count == 2, let hertz = Int(words[1]), pitches.contains(hertz) else {
            throw .badCommand("usage: play tone [HZ], from \(pitches.lowerBound) to \(pitches.upperBound)")
        }
        return .tone(hertz: hertz)
    }

    /// Parses a uid, which may contain spaces.
    private static func uid(_ text: String, _ usage: String) throws(RunFailure) -> String? {
        let uid = try required(text, usage)
        return uid == "none" ? nil : uid
    }

    /// Parses a port and its data source. The source is the last word, because it has no spaces.
    private static func sources(_ text: String) throws(RunFailure) -> Selection? {
        guard !text.isEmpty else { return nil }
        guard let space = text.lastIndex(where: \.isWhitespace) else {
            throw .badCommand("usage: sources [UID ID|none]")
        }
        let source = String(text[text.index(after: space)...])
        let port = Substring(text[..<space]).trimmed
        return Selection(port: port, source: source == "none" ? nil : source)
    }

    private static func level(_ text: String, _ word: String) throws(RunFailure) -> Float {
        guard let level = Float(text), (0...1).contains(level) else {
            throw .badCommand("usage: \(word) LEVEL, from 0 to 1")
        }
        return level
    }

    /// Parses a number. Only the session decides whether it can be preferred.
    private static func number(_ word: String, _ text: String) throws(RunFailure) -> Action {
        let unit = ["prefer-rate": "HZ", "prefer-buffer": "MILLISECONDS"][word] ?? "COUNT"
        let number = Double(text)
        // A rate or a count with a fraction would become another one.
        let isLegal = number.map { abs($0) < 1e9 && (word == "prefer-buffer" || $0 == $0.rounded()) } ?? false
        guard text == "none" || isLegal else {
            throw .badCommand("usage: \(word) \(unit)|none")
        }
        switch word {
        case "prefer-rate": return .preferRate(number.map { Int($0) })
        case "prefer-buffer": return .preferBuffer(number.map { .microseconds(Int64($0 * 1000)) })
        case "prefer-output-channels": return .preferChannels(.output, number.map { Int($0) })
        default: return .preferChannels(.input, number.map { Int($0) })
        }
    }
}

extension Substring {
    /// The text without white space at both ends.
    fileprivate var trimmed: String {
        let start = drop { $0.isWhitespace }
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...end])
    }
}
