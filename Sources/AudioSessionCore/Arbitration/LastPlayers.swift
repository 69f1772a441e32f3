/// The groups that last became players, which may activate in the background.
///
/// A player whose kind leaves with notice, such as the session of `audiosession with`, takes a turn
/// and ends. The group that played before it still counts as *now playing*.
struct LastPlayers: Sendable {
    private struct Player: Sendable {
        let group: TokenGroup
        /// The serial of its token; 0 if that was of an earlier run of the daemon.
        var serial: UInt64
    }

    /// The last player of any kind. No other player that was granted has a higher serial.
    private var last: Player?
    /// The last player whose kind leaves without notice.
    private var lastWithoutNotice: Player?

    /// Notes a token that was granted.
    mutating func note(_ token: Token) {
        guard token.isNewcomer, token.traits.isPlayer else { return }
        let player = Player(group: token.group, serial: token.serial)
        if token.serial > last?.serial ?? 0 { last = player }
        guard !token.traits.leavesWithNotice, token.serial > lastWithoutNotice?.serial ?? 0 else { return }
        lastWithoutNotice = player
    }

    /// Forgets the serials, because they start again with each run of the daemon.
    mutating func beginRun() {
        last?.serial = 0
        lastWithoutNotice?.serial = 0
    }

    /// Returns what a group's token says in the background.
    ///
    /// The serial is that of the last player of any kind, because readers refuse the token if any
    /// player has a later place.
    func background(of group: TokenGroup) -> TokenContents.Background {
        guard let last, last.group == group || lastWithoutNotice?.group == group else { return .yes }
        return .nowPlaying(last.serial)
    }
}
