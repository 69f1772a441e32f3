import AudioSessions
import PipeWireGraph

/// The lines of `audiosession run` about programs without sessions.
extension RunFormat {
    static func event(_ event: ForeignAudioEvent, at now: MonotonicTime = .now) -> JSONValue {
        switch event {
        case .paused(let player): line(now, "event", "foreignPaused", self.player(player))
        case .muted(let player): line(now, "event", "foreignMuted", self.player(player))
        case .resumed(let player): line(now, "event", "foreignResumed", self.player(player))
        case .released(let player): line(now, "event", "foreignReleased", self.player(player))
        case .ducked(let stream, let gain):
            line(now, "event", "foreignDucked", self.stream(stream) + [("gain", number(gain))])
        case .restored(let stream): line(now, "event", "foreignRestored", self.stream(stream))
        case .leftToRolePolicy: line(now, "event", "foreignLeftToRolePolicy", [])
        case .unavailable(let reason): line(now, "event", "foreignUnavailable", [("message", .string(reason))])
        }
    }

    private static func stream(_ stream: ForeignStream) -> [(String, JSONValue)] {
        [("stream", .string(stream.name)), ("pid", stream.processID.map { .integer(Int64($0)) } ?? .null)]
    }

    private static func player(_ player: ForeignPlayer) -> [(String, JSONValue)] {
        [("player", .string(player.name)), ("pid", player.processID.map { .integer(Int64($0)) } ?? .null)]
    }
}
