/// Decides which unmanaged players are paused for a session, which are muted because they continue,
/// and which are resumed afterwards.
///
/// A player is resumed if this process paused it, the user has not changed it since, and no other
/// session needs it silent. A player has obeyed *Pause* when the streams of its program stop,
/// whatever status it reports.
package struct UnmanagedPlayers: Sendable {
    /// The limit of players, which bounds the memory.
    package static let limit = 100
    /// The limit of players of one process, so that it cannot exhaust the limit of all.
    package static let limitOfProcess = 8
    /// The time between *Pause* and muting the streams that still run.
    package static let pauseTimeout = Duration.milliseconds(100)
    /// The time limit of the survey. Streams whose player is not found by then count as streams
    /// without a player.
    package static let surveyLimit = Duration.milliseconds(100)
    /// The time until the survey is repeated. Another session that has just ended may have resumed
    /// a player that did not play yet at the first survey.
    package static let repetition = Duration.milliseconds(300)
    /// The limit of programs with players, which bounds the memory.
    package static let limitOfPrograms = 1000

    private enum Turn: Sendable {
        case none, ours, returning
        /// The turn is over, and its players resume when the headset has left its mode for calls.
        case settling
    }

    private enum Loss: Sendable {
        case none, lasts, isOver
    }

    private let scope: UnmanagedScope
    private var turn = Turn.none
    private var headset = HeadsetMode()
    /// Whether streams of programs without players must be silent.
    private var mutesOthers = false { didSet { streamsWithoutPlayers = nil } }
    private var isSurveyed = false { didSet { streamsWithoutPlayers = nil } }
    /// The programs with players.
    private var programs: [String: ProgramTrace] = [:] { didSet { streamsWithoutPlayers = nil } }
    /// The players that did not play at some time of this turn, or that appeared during it.
    private var resting: Set<String> = []
    /// The players that were dropped during this turn: their users control them.
    private var dropped: Set<String> = []
    private var entries: [String: Entry] = [:]
    private var streams: [AudibleStream]? { didSet { streamsWithoutPlayers = nil } }
    /// The cached result of ``findStreamsWithoutPlayers()``, because most events are signals of
    /// players, which any program can send at any rate.
    private var streamsWithoutPlayers: Set<ObjectID>?
    private var isWatching = false
    private var muted: Set<ObjectID> = []
    /// The loss of the output in use during this turn. Players that were paused stay so afterwards.
    private var loss = Loss.none
    private var isOverruled = false

    package init(_ scope: UnmanagedScope = .allOthers) { self.scope = scope }

    /// Whether no player is paused, no stream is muted, and nothing must be restored.
    package var isIdle: Bool { turn == .none && entries.isEmpty && muted.isEmpty }

    /// Whether players resume only when the headset has left its mode for calls.
    package var isAwaitingHeadset: Bool { turn == .settling }

    /// Whether a player is found even if no stream of its program runs. A stream that has just lost
    /// its output runs again on the next one.
    package var findsIdlePlayers: Bool { loss == .lasts }

    /// The players that this process keeps silent, by name.
    package var silenced: [UnmanagedPlayer] {
        entries.values.filter { !$0.isReleasing && $0.report != .none }.map(\.player).sorted { $0.name < $1.name }
    }

    package mutating func receive(_ event: Event) -> [Action] {
        // Any program may send signals at any rate.
        if let owner = event.player, entries[owner] == nil, programs[owner] == nil { return [] }
        var actions: [Action] = []
        switch event {
        case .turnBegan: begin(mutesOthers: false, &actions)
        case .silenceBegan:
            begin(mutesOthers: true, &actions)
            if loss == .lasts { loss = .isOver }
        case .outputLost:
            begin(mutesOthers: true, &actions)
            loss = .lasts
            if !entries.isEmpty { updateWatchdog(&actions) }
        case .listed(let owner, let program):
            // A player of the host, or of a program that started the host, is not the hosted
            // program's.
            guard !scope.followsSession || scope.includes(program, named: []) else { break }
            guard turn != .none, programs.count < Self.limitOfPrograms else { break }
            if isSurveyed, programs[owner] == nil { resting.insert(owner) }
            programs[owner] = program
        case .surveyed: isSurveyed = turn != .none
        case .turnPaused:
            guard turn == .ours else { break }
            turn = .returning
            actions.append(.wait(true))
        case .turnEnded(let restores): endTurn(restores: restores, &actions)
        case .outputsRead(let outputs):
            headset.update(outputs)
            // If the headset is not in use any more, players stay paused, because nothing starts by
            // itself on another output.
            if turn == .settling, headset.state != .call { end(restores: headset.state == .music, &actions) }
        case .headsetLate: if turn == .settling { end(restores: true, &actions) }
        case .interrupted:
            guard turn == .returning else { break }
            turn = .ours
            actions.append(.wait(false))
        case .timer: if turn == .returning { endTurn(restores: true, &actions) }
        case .found(let player, let program, let status, let isClaimed):
            find(player, program, status, isClaimed, &actions)
        case .statusChanged(let owner, let status): change(owner, to: status, &actions)
        case .statusInvalidated(let owner): ask(owner, &actions)
        case .answered(let owner, let status): answer(owner, status, &actions)
        case .vanished(let owner):
            programs[owner] = nil
            resting.remove(owner)
            drop(owner, &actions)
        case .pauseFailed(let owner): refuse(owner, &actions)
        case .timeOver(let owner): timedOut(owner, &actions)
        case .streams(let streams): setStreams(streams)
        case .released(let owner, let isClaimed): release(owner, isClaimed, &actions)
        case .busLost(let reason):
            for player in silenced { actions.append(.notify(.released(player))) }
            entries = [:]
            (programs, resting, dropped) = ([:], [], [])
            isSurveyed = turn != .none
            actions.append(.notify(.unavailable(reason: reason)))
        }
        if turn == .settling { forgetUnawaited(&actions) }
        settle(&actions)
        if isOverruled { actions.append(.overruled) }
        isOverruled = false
        return actions
    }

    // MARK: The session

    private mutating func begin(mutesOthers: Bool, _ actions: inout [Action]) {
        let former = turn
        turn = .ours
        self.mutesOthers = mutesOthers
        let isNew = former == .none || former == .settling
        if isNew { (isSurveyed, dropped) = (false, []) }
        if former == .returning { actions.append(.wait(false)) }
        if former == .settling { actions.append(.awaitHeadset(false)) }
        if isNew { actions.append(.survey) }
    }

    /// Ends the turn. Players that resume stay paused until the headset has left its mode for
    /// calls. Streams of programs without players are heard at once, because a session manager does
    /// not stop them.
    private mutating func endTurn(restores: Bool, _ actions: inout [Action]) {
        guard restores, headset.state == .call, turn != .none, entries.values.contains(where: { !$0.refuses })
        else { return end(restores: restores, &actions) }
        guard turn != .settling else { return }
        if turn == .returning { actions.append(.wait(false)) }
        turn = .settling
        (mutesOthers, loss) = (false, .none)
        actions.append(.awaitHeadset(true))
    }

    /// Forgets the players that are only muted and never resumed, and ends the wait for the headset
    /// if no other player is left.
    private mutating func forgetUnawaited(_ actions: inout [Action]) {
        for owner in owners where entries[owner]?.refuses == true { forget(owner, &actions) }
        if entries.isEmpty { end(restores: true, &actions) }
    }

    private mutating func end(restores: Bool, _ actions: inout [Action]) {
        guard turn != .none else { return }
        if turn == .returning { actions.append(.wait(false)) }
        if turn == .settling { actions.append(.awaitHeadset(false)) }
        turn = .none
        (mutesOthers, loss) = (false, .none)
        (programs, resting) = ([:], [])
        for owner in owners where entries[owner]?.isReleasing == false {
            if restores, entries[owner]?.refuses == false {
                entries[owner]?.isReleasing = true
                actions.append(.release(owner: owner))
            } else {
                forget(owner, &actions)
            }
        }
        if !restores { updateWatchdog(&actions) }
        dismissIfDone(&actions)
    }

    private mutating func forget(_ owner: String, _ actions: inout [Action]) {
        guard let entry = entries.removeValue(forKey: owner) else { return }
        actions.append(.forget(owner: owner))
        if entry.report != .none { actions.append(.notify(.released(entry.player))) }
    }

    private mutating func release(_ owner: String, _ isClaimed: Bool, _ actions: inout [Action]) {
        guard let entry = entries[owner], entry.isReleasing else { return }
        guard turn == .none else {
            // Another activation began meanwhile. A player that was muted may have been audible
            // since.
            entries[owner]?.isReleasing = false
            entries[owner]?.isDecided = false
            actions.append(.claim(owner: owner))
            if !entry.isTimeOver { actions.append(.allowTime(owner: owner)) }
            return
        }
        entries[owner] = nil
        if !isClaimed { actions.append(.resume(owner: owner)) }
        updateWatchdog(&actions)
        if entry.report != .none {
            actions.append(.notify(isClaimed ? .released(entry.player) : .resumed(entry.player)))
        }
        dismissIfDone(&actions)
    }

    private func dismissIfDone(_ actions: inout [Action]) {
        if turn == .none, entries.isEmpty { actions.append(.dismiss) }
    }

    private var owners: [String] { entries.keys.sorted() }

    private func updateWatchdog(_ actions: inout [Action]) {
        actions.append(.resumeAtExit(loss != .none ? [] : owners.filter { entries[$0]?.refuses == false }))
    }

    // MARK: The players

    /// Adds a player. One that another session paused is claimed as well; one that its user paused
    /// is left unchanged. One without a known status is only muted, because resuming it could start
    /// what its user has paused.
    private mutating func find(
        _ player: UnmanagedPlayer, _ program: ProgramTrace, _ status: UnmanagedPlayer.Status?, _ isClaimed: Bool,
        _ actions: inout [Action]
    ) {
        let owner = player.owner
        guard scope.includes(program, named: player.names) else { return }
        if let status, status != .playing { note(owner, status) }
        let ofProcess = entries.values.count { $0.player.processID == player.processID }
        guard turn == .ours || turn == .returning, entries[owner] == nil, !dropped.contains(owner),
            entries.count < Self.limit, ofProcess < Self.limitOfProcess
        else { return }
        var entry = Entry(player: player, program: program)
        entry.match(streams)
        switch status {
        case .playing:
            entries[owner] = entry
            actions.append(.claim(owner: owner))
            updateWatchdog(&actions)
            actions += [.pause(owner: owner), .allowTime(owner: owner)]
        case .paused, .stopped:
            guard isClaimed else { return }
            (entry.silentStatus, entry.isTimeOver, entry.isDecided) = (status, true, true)
            entry.report = .paused
            entries[owner] = entry
            actions.append(.claim(owner: owner))
            updateWatchdog(&actions)
            actions.append(.notify(.paused(player)))
        case nil:
            // A player that has ended does not answer either.
            guard programs[owner] != nil else { return }
            (entry.refuses, entry.isTimeOver) = (true, true)
            entries[owner] = entry
        }
    }

    /// Handles a new status. Browsers answer before they pause, and may still report that they
    /// play.
    private mutating func change(_ owner: String, to status: UnmanagedPlayer.Status, _ actions: inout [Action]) {
        note(owner, status)
        guard let entry = entries[owner], !entry.isReleasing else { return }
        switch entry.silentStatus {
        case nil: if status != .playing { entries[owner]?.silentStatus = status }
        case status: break
        default: drop(owner, &actions)
        }
    }

    /// Notes a player's status. After a loss, a player that begins to play was started by its user.
    /// Others have not paused yet, or obey an earlier *Play* of this process.
    private mutating func note(_ owner: String, _ status: UnmanagedPlayer.Status) {
        guard programs[owner] != nil else { return }
        if status != .playing {
            resting.insert(owner)
        } else if resting.remove(owner) != nil, loss == .lasts {
            isOverruled = true
        }
    }

    /// Queries a player's status. Only claimed players are queried, and with one query at a time,
    /// however often they signal.
    private mutating func ask(_ owner: String, _ actions: inout [Action]) {
        guard let entry = entries[owner], !entry.isReleasing else { return }
        guard !entry.isAsked else {
            entries[owner]?.isStale = true
            return
        }
        entries[owner]?.isAsked = true
        actions.append(.ask(owner: owner))
    }

    private mutating func answer(_ owner: String, _ status: UnmanagedPlayer.Status?, _ actions: inout [Action]) {
        guard let entry = entries[owner] else { return }
        entries[owner]?.isAsked = false
        entries[owner]?.isStale = false
        if entry.isStale {
            ask(owner, &actions)
        } else if let status {
            change(owner, to: status, &actions)
        }
    }

    /// Records that a player refused *Pause*. Its streams may be muted, but it must not be resumed.
    private mutating func refuse(_ owner: String, _ actions: inout [Action]) {
        guard let entry = entries[owner], !entry.isReleasing, !entry.saysPaused else { return }
        entries[owner]?.refuses = true
        updateWatchdog(&actions)
    }

    /// Queries a player whose time is over, because not every player signals changes of its status.
    private mutating func timedOut(_ owner: String, _ actions: inout [Action]) {
        guard entries[owner]?.isTimeOver == false else { return }
        entries[owner]?.isTimeOver = true
        if entries[owner]?.saysPaused == false { ask(owner, &actions) }
    }

    private mutating func drop(_ owner: String, _ actions: inout [Action]) {
        guard let entry = entries.removeValue(forKey: owner) else { return }
        if dropped.count < Self.limitOfPrograms { dropped.insert(owner) }
        if !entry.isReleasing { actions.append(.forget(owner: owner)) }
        updateWatchdog(&actions)
        if entry.report != .none { actions.append(.notify(.released(entry.player))) }
        dismissIfDone(&actions)
    }

    // MARK: Their streams

    private mutating func setStreams(_ streams: [AudibleStream]?) {
        self.streams = streams
        for owner in owners { entries[owner]?.match(streams) }
    }

    /// Mutes the streams that continue, and reports the resulting states.
    private mutating func settle(_ actions: inout [Action]) {
        var reports: [Action] = []
        for owner in owners {
            guard var entry = entries[owner], !entry.isReleasing else { continue }
            let former = entry.report
            entry.settle()
            entries[owner] = entry
            guard entry.report != former else { continue }
            reports.append(.notify(entry.report == .muted ? .muted(entry.player) : .paused(entry.player)))
        }
        let active = entries.values.filter { !$0.isReleasing }
        let muted = active.reduce(into: findStreamsWithoutPlayers()) { $0.formUnion($1.muted) }
        if muted != self.muted { actions.append(.mute(muted)) }
        self.muted = muted
        actions += reports
        watch(mutesOthers || active.contains(where: \.needsStreams), &actions)
    }

    /// Returns the streams of programs without a media player, which only a mute can silence. A
    /// player that the user resumed still counts as a player.
    private mutating func findStreamsWithoutPlayers() -> Set<ObjectID> {
        if let streamsWithoutPlayers { return streamsWithoutPlayers }
        var found: Set<ObjectID> = []
        if mutesOthers, isSurveyed, let streams {
            let players = ProgramIndex(programs.values)
            for stream in streams where !players.contains(stream.program) { found.insert(stream.id) }
        }
        streamsWithoutPlayers = found
        return found
    }

    private mutating func watch(_ isNeeded: Bool, _ actions: inout [Action]) {
        guard isNeeded != isWatching else { return }
        isWatching = isNeeded
        if !isNeeded { setStreams(nil) }
        actions.append(.watchStreams(isNeeded))
    }
}
