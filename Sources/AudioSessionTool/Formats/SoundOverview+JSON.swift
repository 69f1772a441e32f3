import AudioSessionCore
import AudioSessions
import PipeWireGraph

extension JSONFormat {
    static func overview(_ overview: SoundOverview, at now: MonotonicTime) -> JSONValue {
        .object([
            ("t", time(now)), ("format", .integer(Int64(version))), ("silentMode", .bool(overview.isSilentMode)),
            ("sessions", .array(overview.sessions.map(session))), ("streams", .array(overview.streams.map(stream))),
            ("malformedTokens", .integer(overview.malformedTokens)),
            ("surplusTokens", .integer(overview.surplusTokens)),
        ])
    }

    private static func session(_ session: SoundOverview.Session) -> JSONValue {
        .object([
            ("session", .string(session.id.session.description)),
            ("application", optional(session.id.applicationName)),
            ("pid", pid(session.id.processID)), ("priority", .string(session.traits.priority.name)),
            ("group", optional(session.traits.group)), ("mixes", .bool(session.traits.isMixable)),
            ("ducks", .bool(session.traits.duckedGain != nil)), ("speaks", .bool(session.traits.isSpokenAudio)),
            ("prompts", .bool(session.traits.interruptsSpokenAudio)),
            ("records", .bool(session.traits.capturesAudio)), ("state", .string(session.state.rawValue)),
            ("interruptedBy", .array(session.interruptedBy.map(RunFormat.by))),
            ("gain", RunFormat.number(session.gain)), ("duckedBy", .array(session.duckedBy.map(RunFormat.by))),
            ("causes", .array(session.silenceReasons.flatMap(RunFormat.causes))),
        ])
    }

    private static func stream(_ stream: SoundOverview.Stream) -> JSONValue {
        .object([
            ("node", .integer(Int64(stream.node.rawValue))), ("name", optional(stream.name)),
            ("application", optional(stream.application)), ("pid", pid(stream.processID)),
            ("running", .bool(stream.isRunning)), ("muted", .bool(stream.isMuted)), ("ports", ports(stream.ports)),
        ])
    }

    private static func pid(_ number: Int?) -> JSONValue { number.map { .integer(Int64($0)) } ?? .null }
}

extension TokenPriority {
    /// The priority's name. It is spelled out because renaming a case must not change the format.
    var name: String {
        switch self {
        case .media: "media"
        case .alarm: "alarm"
        case .ringtone: "ringtone"
        case .communication: "communication"
        case .emergency: "emergency"
        }
    }
}
