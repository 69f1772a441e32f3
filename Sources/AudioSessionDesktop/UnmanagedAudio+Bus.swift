import AudioSessionCore
import AudioSessions
import DesktopBus
import PipeWireGraph

/// The session bus and the media players on it.
extension UnmanagedAudio {
    func survey() {
        deadlines = []
        // The survey of an earlier turn may still end, which is not the end of this one.
        names.supersede()
        arm(.survey, after: UnmanagedPlayers.surveyLimit)
        surveyPlayers()
        arm(.repetition, after: environment.repetition)
    }

    func surveyPlayers() {
        surveyTask?.cancel()
        surveyTask = Task { [weak self, environment, sandboxes] in
            let programs = await environment.programs()
            let traces = await sandboxes.traces(of: Set(programs.processes.keys))
            guard !Task.isCancelled else { return }
            await self?.survey(programs, traces)
        }
    }

    /// Surveys the players with the programs that were read, unless the turn has ended meanwhile.
    func survey(_ programs: PlayingPrograms, _ traces: [StreamProcess: ProgramTrace]) {
        guard !isClosed, !machine.isIdle, openBus() else { return }
        (playing, playingTraces) = (programs, traces)
        bus?.watchPlayers(true)
        bus?.names { [weak self] names in self?.assumeIsolated { $0.beginSurvey(of: names) } }
    }

    private func openBus() -> Bool {
        guard bus == nil else { return true }
        do {
            bus = try DesktopBus(
                address: try environment.address(), on: executor,
                receive: { [weak self] signal in self?.assumeIsolated { $0.receive(signal) } },
                failed: { [weak self] error in self?.assumeIsolated { $0.lost("\(error)") } })
            return true
        } catch {
            lost("\(error)")
            return false
        }
    }

    /// Forgets all players. The watchdog must not resume them later, because another bus at the
    /// same address gives their unique names to other programs.
    private func lost(_ reason: String) {
        timers[.repetition]?.disarm()
        forgetNames()
        watchdog?.resumeAtExit([], by: "")
        watchdog = nil
        bus = nil
        receive(.busLost(reason: reason))
    }

    /// Forgets the names on the bus, which is about to be closed. Lookups that end later are
    /// ignored.
    private func forgetNames() {
        (names, formerNames) = (PlayerSurvey(), PlayerSurvey())
        lookups = []
    }

    /// Closes the bus and drops the watchdog, which then performs its last orders. It has none if
    /// everything is already restored.
    func dismiss() {
        surveyTask?.cancel()
        timers[.survey]?.disarm()
        timers[.repetition]?.disarm()
        forgetNames()
        deadlines = []
        bus = nil
        watchdog = nil
    }

    /// Lets the watchdog resume these players if this process ends.
    ///
    /// This thread waits for the watchdog's start, mostly for some milliseconds, so that no player
    /// stays paused if the process ends right after a *Pause*. The urgent mute of a hosted program
    /// whose output is lost never waits, because the watchdog receives no players after a loss.
    func resumeAtExit(_ owners: [String]) {
        guard let bus else { return }
        if watchdog == nil, !owners.isEmpty { watchdog = try? PlayerWatchdog(address: bus.address) }
        watchdog?.resumeAtExit(owners, by: bus.name)
        if owners.isEmpty { watchdog = nil }
    }

    private func receive(_ signal: DesktopBus.Signal) {
        switch signal {
        case .ownerChanged(let name, let from, let to):
            let ended = [names.changed(name, from: from, to: to), formerNames.changed(name, from: from, to: to)]
            for owner in Set(ended.compactMap(\.self)) { receive(.vanished(owner: owner)) }
            if let to, Self.isPlayer(name) { list(to) }
        case .statusChanged(let owner, let status?):
            if let status = UnmanagedPlayer.Status(rawValue: status) {
                receive(.statusChanged(owner: owner, status))
            }
        case .statusChanged(let owner, nil): receive(.statusInvalidated(owner: owner))
        case .sleepChanged: break
        }
    }

    func ask(_ owner: String) {
        bus?.status(ofPlayer: owner) { [weak self] status in
            self?.assumeIsolated {
                $0.receive(.answered(owner: owner, status.flatMap(UnmanagedPlayer.Status.init)))
            }
        }
    }

    private func beginSurvey(of names: [String]) {
        let players = names.filter(Self.isPlayer)
        // Shuffled here, because ThreadSanitizer takes two empty generators for one variable.
        formerNames = self.names
        self.names = PlayerSurvey(shuffled: players.shuffled())
        resolve()
        endSurveyIfComplete()
    }

    /// Returns whether the bus name belongs to a media player. playerctld does not count, because
    /// it represents the players of others and pauses any of them.
    private static func isPlayer(_ name: String) -> Bool {
        name.hasPrefix(DesktopBus.playerPrefix) && name != DesktopBus.playerPrefix + "playerctld"
    }

    /// Lists a player that appears during the turn. The user started it, so its program is not
    /// muted.
    private func list(_ owner: String) {
        guard let bus, scope.followsSession || programs.pausesPlayers, lookups.count < Self.lookupLimit,
            lookups.insert(owner).inserted
        else { return }
        bus.processID(of: owner) { [weak self, sandboxes] process in
            guard let process else {
                self?.assumeIsolated { _ = $0.lookups.remove(owner) }
                return
            }
            Task { [weak self] in
                let trace = await sandboxes.trace(of: process)
                await self?.listed(owner, trace)
            }
        }
    }

    private func listed(_ owner: String, _ trace: ProgramTrace) {
        lookups.remove(owner)
        if isKnown(owner) { receive(.listed(owner: owner, trace)) }
    }

    /// Whether the player still has a name on the bus. It may end while it is identified.
    private func isKnown(_ owner: String) -> Bool { names.contains(owner) || formerNames.contains(owner) }

    private func endSurveyIfComplete() {
        guard names.isComplete else { return }
        formerNames = PlayerSurvey()
        receive(.surveyed)
    }

    private func resolve() {
        for name in names.next() {
            bus?.owner(of: name) { [weak self] owner in self?.assumeIsolated { $0.resolved(name, owner) } }
        }
    }

    private func resolved(_ name: String, _ owner: String?) {
        let (isNew, ended) = names.resolved(name, owner: owner)
        if isNew, let owner { identify(owner, name) }
        for owner in ended { receive(.vanished(owner: owner)) }
        resolve()
        endSurveyIfComplete()
    }

    private func identified(_ owner: String) {
        names.identified(owner)
        endSurveyIfComplete()
    }

    private func identify(_ owner: String, _ name: String) {
        bus?.processID(of: owner) { [weak self, sandboxes] process in
            guard let process else {
                self?.assumeIsolated { $0.identified(owner) }
                return
            }
            Task { [weak self] in
                let trace = await sandboxes.trace(of: process)
                let short = String(name.dropFirst(DesktopBus.playerPrefix.count))
                await self?.queryStatus(of: UnmanagedPlayer(name: short, processID: process, owner: owner), trace)
            }
        }
    }

    private func queryStatus(of player: UnmanagedPlayer, _ trace: ProgramTrace) {
        guard isKnown(player.owner) else { return identified(player.owner) }
        receive(.listed(owner: player.owner, trace))
        identified(player.owner)
        guard !playing.isGoverned(player, trace, in: scope) else { return }
        let streams = playing.processes.filter { playingTraces[$0.key]?.isSameProgram(as: trace) == true }.values
        let isRunning = streams.contains(where: \.isRunning) || !streams.isEmpty && machine.findsIdlePlayers
        var player = player
        player.streamNames = streams.reduce(into: []) { $0.formUnion($1.names) }
        bus?.status(ofPlayer: player.owner) { [weak self, player] status in
            let status = status.flatMap(UnmanagedPlayer.Status.init)
            self?.assumeIsolated { $0.found(player, trace, status, isRunning: isRunning) }
        }
    }

    /// Reports a player that the survey found. One that another session paused may have no stream
    /// any more.
    private func found(
        _ player: UnmanagedPlayer, _ trace: ProgramTrace, _ status: UnmanagedPlayer.Status?, isRunning: Bool
    ) {
        switch status {
        case .playing, nil: if isRunning { receive(.found(player, trace, status, isClaimed: false)) }
        case .paused, .stopped:
            guard let claim = DesktopBus.claim(on: player.owner) else { return }
            bus?.isOwned(claim) { [weak self] isClaimed in
                self?.assumeIsolated { $0.receive(.found(player, trace, status, isClaimed: isClaimed ?? false)) }
            }
        }
    }

    /// Resumes a player. The bus is kept until the answer arrives, because messages sent just
    /// before a client disconnects may be lost.
    func resume(_ owner: String, by bus: DesktopBus) {
        bus.command("Play", toPlayer: owner) { _ in withExtendedLifetime(bus) {} }
    }

    /// Releases a claim, and reports whether another program claims the player. Answers arrive in
    /// the order of the calls, so the second answer does not include this process's own claim.
    ///
    /// Without an answer the player counts as claimed, because one that stays paused is the lesser
    /// fault. A bus that hangs would deliver *Play* later, in spite of another program's claim.
    func release(_ owner: String) {
        guard let bus, let claim = DesktopBus.claim(on: owner) else { return }
        bus.release(name: claim)
        bus.isOwned(claim) { [weak self] isClaimed in
            self?.assumeIsolated { $0.receive(.released(owner: owner, isClaimed: isClaimed ?? true)) }
        }
    }
}
