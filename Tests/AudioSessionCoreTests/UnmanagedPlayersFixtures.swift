@testable import AudioSessionCore

/// Two media players, and state machines that have paused one of them.
protocol UnmanagedPlayersFixtures {}

extension UnmanagedPlayersFixtures {
    static var mpv: UnmanagedPlayer { UnmanagedPlayer(name: "mpv", processID: 10, owner: ":1.10") }
    static var browser: UnmanagedPlayer { UnmanagedPlayer(name: "firefox", processID: 20, owner: ":1.20") }
    var mpv: UnmanagedPlayer { Self.mpv }
    var browser: UnmanagedPlayer { Self.browser }
    var players: UnmanagedPlayers { UnmanagedPlayers() }

    /// The program of a media player.
    static func program(_ player: UnmanagedPlayer) -> ProgramTrace {
        ProgramTrace(lineage: [player.processID ?? 0])
    }

    /// A stream of that program.
    static func stream(_ id: UInt32, of player: UnmanagedPlayer) -> UnmanagedPlayers.AudibleStream {
        .init(id: ObjectID(id), program: program(player))
    }

    static func found(
        _ player: UnmanagedPlayer, _ status: UnmanagedPlayer.Status, isClaimed: Bool = false
    ) -> UnmanagedPlayers.Event {
        .found(player, program(player), status, isClaimed: isClaimed)
    }

    /// A state machine that has called `Pause` of mpv, whose stream still plays.
    static func withAskedPlayer() -> UnmanagedPlayers {
        var players = UnmanagedPlayers()
        _ = players.receive(.turnBegan)
        _ = players.receive(found(mpv, .playing))
        _ = players.receive(.streams([stream(1, of: mpv)]))
        return players
    }

    /// A state machine that has paused mpv.
    static func withPausedPlayer() -> (UnmanagedPlayers, UnmanagedPlayer) {
        var players = withAskedPlayer()
        _ = players.receive(.statusChanged(owner: mpv.owner, .paused))
        _ = players.receive(.streams([]))
        _ = players.receive(.timeOver(owner: mpv.owner))
        return (players, mpv)
    }
}
