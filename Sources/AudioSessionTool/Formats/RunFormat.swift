import AudioSessions
import PipeWireGraph

/// The lines of `audiosession run`. They are a contract, described in Docs/CommandLine.md.
enum RunFormat {
    /// The version of commands, replies and events. It is increased by a change that breaks
    /// programs written for the version before.
    static let protocolVersion: Int64 = 1

    static func ready(_ session: String, at time: MonotonicTime = .now) -> JSONValue {
        line(
            time, "event", "ready",
            [
                ("session", .string(session)), ("protocol", .integer(protocolVersion)),
                ("format", .integer(Int64(JSONFormat.version))),
            ])
    }

    static func reply(
        _ word: String, _ result: Result<[(String, JSONValue)], RunFailure>, at time: MonotonicTime = .now
    ) -> JSONValue {
        switch result {
        case .success(let payload): return line(time, "reply", word, [("ok", .bool(true))] + payload)
        case .failure(let failure):
            let code = failure.code.map { [("code", JSONValue.integer(Int64($0)))] } ?? []
            return line(
                time, "reply", word,
                [("ok", .bool(false)), ("error", .string(failure.error))] + code
                    + [("message", .string(failure.message))])
        }
    }

    static func event(_ event: AudioSession.Event) -> JSONValue {
        switch event {
        case .stateChanged(let state, let time):
            line(time, "event", "stateChanged", [("state", .string(state.rawValue))])
        case .interruptionBegan(let reason, let peer, let time):
            line(time, "event", "interruptionBegan", [("reason", .string(name(of: reason))), ("by", by(peer))])
        case .interruptionEnded(let options, let time):
            line(
                time, "event", "interruptionEnded", [("shouldResume", .bool(options.contains(.shouldResume)))])
        case .ducking(let gain, let peers, let time):
            line(time, "event", "ducking", [("gain", number(gain)), ("by", .array(peers.map(by)))])
        case .silenceReasonsChanged(let reasons, let time): line(time, "event", "silenceReasonsChanged", why(reasons))
        case .becameNoisy(let port, let time): JSONFormat.event(.becameNoisy(port, at: time))
        case .routeChanged(let change): JSONFormat.event(.routeChange(change))
        case .resumeAdvice(let reason, let time):
            line(time, "event", "resumeAdvice", [("reason", .string(reason.rawValue))])
        case .silenceSecondaryAudioHint(let type, let time):
            line(
                time, "event", "silenceSecondaryAudioHint", [("type", .string(type == .begin ? "begin" : "end"))])
        case .outputVolumeChanged(let previous, let current, let time):
            line(time, "event", "outputVolumeChanged", volume(current) + [("previous", .object(volume(previous)))])
        case .inputGainChanged(let previous, let current, let time):
            line(time, "event", "inputGainChanged", [("gain", number(current)), ("previous", number(previous))])
        case .hardwareFormatChanged(let previous, let current, let time):
            line(
                time, "event", "hardwareFormatChanged",
                hardware(current) + [("previous", .object(hardware(previous)))])
        case .mediaServicesLost(let time): JSONFormat.event(.mediaServicesLost(at: time))
        case .mediaServicesReset(let time): JSONFormat.event(.mediaServicesReset(at: time))
        }
    }

    static func state(
        _ state: AudioSession.State, _ configuration: AudioSessionConfiguration, gain: Float, isPlaying: Bool,
        isRecording: Bool
    ) -> [(String, JSONValue)] {
        [
            ("state", .string(state.rawValue)), ("category", .string(configuration.category.name)),
            ("mode", .string(configuration.mode.name)),
            ("options", .array(configuration.options.names.map { .string($0) })),
            ("priority", .string(configuration.effectivePriority.rawValue)), ("gain", number(gain)),
            ("playing", .bool(isPlaying)), ("recording", .bool(isRecording)),
        ]
    }

    static func why(_ reasons: [AudioSession.SilenceReason]) -> [(String, JSONValue)] {
        let isAudible = reasons.allSatisfy { reason in
            switch reason {
            case .ducked, .inputMuted: true
            default: false
            }
        }
        return [("audible", .bool(isAudible)), ("causes", .array(reasons.flatMap(causes)))]
    }

    /// Returns one value for each session that causes the silence.
    static func causes(_ reason: AudioSession.SilenceReason) -> [JSONValue] {
        switch reason {
        case .inactive: [cause("inactive")]
        case .interrupted(let causes):
            causes.isEmpty ? [cause("interrupted")] : causes.map { cause("interrupted", by: $0) }
        case .advised: [cause("advised")]
        case .ducked(let gain, let causes):
            causes.isEmpty ? [cause("ducked", gain: gain)] : causes.map { cause("ducked", by: $0, gain: gain) }
        case .silentMode: [cause("silentMode")]
        case .muted: [cause("muted")]
        case .inputMuted: [.object([("kind", .string("muted")), ("input", .bool(true))])]
        case .routeLost: [cause("routeLost")]
        case .daemonLost: [cause("daemonLost")]
        case .paused: [cause("paused")]
        }
    }

    /// Returns the data sources of one direction, each with the port that it belongs to.
    static func sources(_ sources: [DataSource], selected: DataSource?) -> JSONValue {
        .array(
            sources.map { source in
                .object([
                    ("port", .string(source.port.uid)), ("id", .string(source.id)), ("name", .string(source.name)),
                    ("orientation", source.orientation.map { .string($0.rawValue) } ?? .null),
                    ("selected", .bool(source.id == selected?.id)),
                ])
            })
    }

    /// Returns why the session uses its current ports.
    static func choice(_ choice: RouteChoice) -> [(String, JSONValue)] {
        [("inputChoice", self.choice(choice.input)), ("outputChoice", self.choice(choice.output))]
    }

    private static func choice(_ choice: PortChoice?) -> JSONValue {
        guard let choice else { return .null }
        return .object([
            ("reason", .string(choice.reason.rawValue)), ("port", choice.port.map { .string($0.uid) } ?? .null),
            ("wanted", choice.wanted.map { .string($0.uid) } ?? .null), ("message", .string(choice.description)),
        ])
    }

    private static func cause(_ kind: String, by cause: AudioSession.Peer? = nil, gain: Float? = nil) -> JSONValue {
        .object(
            [("kind", .string(kind))] + (cause.map { [("by", by($0))] } ?? [])
                + (gain.map { [("gain", number($0))] } ?? []))
    }

    static func by(_ cause: AudioSession.Peer) -> JSONValue {
        .object([
            ("session", .string(cause.session.description)),
            ("application", cause.applicationName.map { .string($0) } ?? .null),
            ("pid", cause.processID.map { .integer(Int64($0)) } ?? .null),
        ])
    }

    /// Returns a gain as a number that is rounded to thousandths.
    static func number(_ gain: Float) -> JSONValue { .double((Double(gain) * 1000).rounded() / 1000) }

    private static func name(of reason: InterruptionReason) -> String {
        switch reason {
        case .default: "default"
        }
    }

    static func line(
        _ time: MonotonicTime, _ kind: String, _ name: String, _ members: [(String, JSONValue)]
    ) -> JSONValue {
        .object([("t", .integer(time.nanoseconds)), (kind, .string(name))] + members)
    }
}
