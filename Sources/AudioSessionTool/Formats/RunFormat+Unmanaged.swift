import AudioSessionDesktop
import AudioSessions
import PipeWireGraph

/// The lines of `audiosession run` about programs without sessions.
extension RunFormat {
    static func event(_ event: UnmanagedAudio.Event) -> JSONValue {
        switch event {
        case .paused(let player, let time): line(time, "event", "unmanagedPaused", self.player(player))
        case .muted(let player, let time): line(time, "event", "unmanagedMuted", self.player(player))
        case .resumed(let player, let time): line(time, "event", "unmanagedResumed", self.player(player))
        case .released(let player, let time): line(time, "event", "unmanagedReleased", self.player(player))
        case .ducked(let stream, let gain, let time):
            line(time, "event", "unmanagedDucked", self.stream(stream) + [("gain", number(gain))])
        case .restored(let stream, let time): line(time, "event", "unmanagedRestored", self.stream(stream))
        case .leftToRolePolicy(let time): line(time, "event", "unmanagedLeftToRolePolicy", [])
        case .unavailable(let reason, let time):
            line(time, "event", "unmanagedUnavailable", [("message", .string(reason))])
        }
    }

    private static func stream(_ stream: UnmanagedAudio.Stream) -> [(String, JSONValue)] {
        [("stream", .string(stream.name)), ("pid", stream.processID.map { .integer(Int64($0)) } ?? .null)]
    }

    private static func player(_ player: UnmanagedAudio.Player) -> [(String, JSONValue)] {
        [("player", .string(player.name)), ("pid", player.processID.map { .integer(Int64($0)) } ?? .null)]
    }
}
