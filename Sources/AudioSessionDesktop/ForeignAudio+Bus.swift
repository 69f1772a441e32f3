import AudioSessionCore
import AudioSessions
import DesktopBus
import PipeWireGraph

/// The desktop's bus, and the players on it.
extension ForeignAudio {
    func survey() {
        turn?.cancel()
        deadlines = []
        turn = Task { [weak self, world, sandboxes] in
            let processes = await world.processes()
            let traces = await sandboxes.traces(of: processes)
            guard !Task.isCancelled else { return }
            await self?.survey(traces)
        }
    }

    private func survey(_ traces: [StreamProcess: ProgramTrace]) {
        guard !isClosed, openBus() else { return }
        programs = traces.map { (trace: $0.value, isVerified: $0.key.isVerified) }
        bus?.watchPlayers(true)
        bus?.names { [weak self] names in self?.assumeIsolated { $0.look(at: names) } }
    }

    private func openBus() -> Bool {
        guard bus == nil else { return true }
        do {
            bus = try DesktopBus(
                address: try world.address(), on: executor,
                receive: { [weak self] signal in self?.assumeIsolated { $0.receive(signal) } },
                failed: { [weak self] error in self?.assumeIsolated { $0.lost("\(error)") } })
            return true
        } catch {
            lost("\(error)")
            return false
        }
    }

    private func lost(_ reason: String) {
        bus = nil
        receive(.busLost(reason: reason))
    }

    /// What the watchdog was told last it does now: nothing, if all has gone its way.
    func dismiss() {
        turn?.cancel()
        deadlines = []
        bus = nil
        watchdog = nil
    }

    func entrust(_ owners: [String]) {
        guard let bus else { return }
        if watchdog == nil, !owners.isEmpty { watchdog = try? PlayerWatchdog(address: bus.address) }
        watchdog?.entrust(owners, by: bus.name)
        if owners.isEmpty { watchdog = nil }
    }

    private func receive(_ signal: DesktopBus.Signal) {
        switch signal {
        case .ownerChanged(let name, let from, let to):
            if let owner = names.changed(name, from: from, to: to) { receive(.vanished(owner: owner)) }
        case .statusChanged(let owner, let status?):
            if let status = ForeignPlayer.Status(rawValue: status) {
                receive(.statusChanged(owner: owner, status))
            }
        case .statusChanged(let owner, nil): receive(.statusInvalidated(owner: owner))
        case .sleepChanged: break
        }
    }

    func ask(_ owner: String) {
        bus?.status(ofPlayer: owner) { [weak self] status in
            self?.assumeIsolated {
                $0.receive(.answered(owner: owner, status.flatMap(ForeignPlayer.Status.init)))
            }
        }
    }

    private func look(at names: [String]) {
        // A program that shows the players of others pauses whichever it likes.
        let players = names.filter {
            $0.hasPrefix(DesktopBus.playerPrefix) && $0 != DesktopBus.playerPrefix + "playerctld"
        }
        // ThreadSanitizer takes two empty generators for one variable.
        self.names = PlayerSurvey(shuffled: players.shuffled())
        resolve()
    }

    private func resolve() {
        for name in names.next() {
            bus?.owner(of: name) { [weak self] owner in self?.assumeIsolated { $0.resolved(name, owner) } }
        }
    }

    private func resolved(_ name: String, _ owner: String?) {
        let (isNew, ended) = names.resolved(name, owner: owner)
        if isNew, let owner { look(at: owner, name) }
        for owner in ended { receive(.vanished(owner: owner)) }
        resolve()
    }

    private func look(at owner: String, _ name: String) {
        bus?.processID(of: owner) { [weak self, sandboxes] process in
            guard let process else { return }
            Task { [weak self] in
                let trace = await sandboxes.trace(of: process)
                let short = String(name.dropFirst(DesktopBus.playerPrefix.count))
                await self?.look(at: ForeignPlayer(name: short, processID: process, owner: owner), trace)
            }
        }
    }

    private func look(at player: ForeignPlayer, _ trace: ProgramTrace) {
        let matches = programs.filter { $0.trace.isSameProgram(as: trace) }
        guard !matches.isEmpty else { return }
        let isVerified = matches.contains(where: \.isVerified)
        bus?.status(ofPlayer: player.owner) { [weak self] status in
            guard let status = status.flatMap(ForeignPlayer.Status.init) else { return }
            self?.assumeIsolated { $0.found(player, trace, status, isVerified: isVerified) }
        }
    }

    /// A claim is a name that any program can own. It counts only where PipeWire vouches that the player's program
    /// sounds: then at most a player is let play that could be heard.
    private func found(
        _ player: ForeignPlayer, _ trace: ProgramTrace, _ status: ForeignPlayer.Status, isVerified: Bool
    ) {
        guard status == .paused, isVerified, let claim = DesktopBus.claim(on: player.owner) else {
            return receive(.found(player, trace, status, isClaimed: false))
        }
        bus?.owner(of: claim) { [weak self] claimer in
            self?.assumeIsolated { $0.receive(.found(player, trace, status, isClaimed: claimer != nil)) }
        }
    }

    /// The bus is kept until the answer, because what a client sent just before it disconnects may be lost.
    func resume(_ owner: String, by bus: DesktopBus) {
        bus.command("Play", toPlayer: owner) { _ in withExtendedLifetime(bus) {} }
    }

    /// Answers come in the order of the questions: when the second is answered our own claim is gone.
    func release(_ owner: String) {
        guard let bus, let claim = DesktopBus.claim(on: owner) else { return }
        bus.release(name: claim)
        bus.owner(of: claim) { [weak self] claimer in
            self?.assumeIsolated { $0.receive(.released(owner: owner, isClaimed: claimer != nil)) }
        }
    }
}
