import AudioSessionCore
import AudioSessions
import PipeWireGraph

/// What the session calls about the player's turn, on the loop that both run on.
final class SessionLink: SessionMember {
    private weak let player: AudioPlayer?
    private let snapshot: Locked<AudioPlayer.Snapshot>

    init(_ player: AudioPlayer) {
        self.player = player
        snapshot = player.snapshot
    }

    var isPlaying: Bool { snapshot.withLock(\.state) == .playing }
    var isStoppedByRouteLoss: Bool { snapshot.withLock(\.state) == .paused(reason: .routeLost) }

    var streams: Set<ObjectID> { snapshot.withLock(\.streams) }

    func sessionActivated() { player?.assumeIsolated { $0.receive(.sessionActivated) } }
    func sessionInterrupted() { player?.assumeIsolated { $0.interrupt() } }
    func sessionInterruptionEnded(shouldResume: Bool) {
        player?.assumeIsolated { $0.interruptionEnded(shouldResume: shouldResume) }
    }
    func sessionLostOutput(_ port: PortDescription) { player?.assumeIsolated { $0.lostOutput(port) } }
    func sessionRegainedRoute() { player?.assumeIsolated { $0.routeRegained() } }
    func sessionDeactivates() -> String? {
        var stopped: String?
        player?.assumeIsolated { stopped = $0.stopForSession() }
        return stopped
    }
    func sessionChoseRoute(for reason: RouteChangeReason?) {
        player?.assumeIsolated { $0.choseRoute(reason) }
    }
    func sessionDucked(to gain: Float) { player?.assumeIsolated { $0.stream?.setDuck(gain) } }
    func sessionPrefers(_ properties: [(String, String)]) {
        player?.assumeIsolated { $0.stream?.setProperties(properties) }
    }
    var sound: MemberSound {
        var sound = MemberSound()
        player?.assumeIsolated { player in
            guard player.machine.state == .playing, let report = player.stream?.report else { return }
            sound.output = StreamTiming(quantum: report.quantum, rate: report.graphRate, delay: report.delay)
        }
        return sound
    }
}

extension AudioPlayer {
    /// From now on the session knows whether it is this player that makes its sound. Playing does so by itself.
    package func joinSession() {
        guard member == nil else { return }
        let member = SessionLink(self)
        self.member = member
        session.assumeIsolated { $0.join(member) }
        // Until its stream runs, the machine's route is its own: what is lost meanwhile must not be played over.
        _ = follow()
    }

    func activateAndPlay() async throws(PlaybackError) {
        let (wasPaused, ends) = (machine.state, ends)
        do {
            try await session.activate()
        } catch {
            throw PlaybackError(error.code == .timedOut ? .timedOut : .sessionNotActivated, error.message)
        }
        try checkUsable()
        // Whoever stopped or paused it meanwhile meant it.
        guard machine.state == wasPaused, self.ends == ends, !machine.queue.isEmpty else { return }
        takeTurn()
    }

    /// The gate first; thinking comes after.
    fileprivate func interrupt() {
        hush()
        receive(.sessionInterrupted)
    }

    fileprivate func interruptionEnded(shouldResume: Bool) {
        guard shouldResume else { return receive(.advisedNotToResume) }
        guard configuration.resumesAfterInterruption, machine.wish != .none else { return }
        Task { await self.resume() }
    }

    private func resume() async {
        guard machine.wish != .none, !isClosed else { return }
        // Refused: somebody else was faster. That is an interruption once more, and the wish outlasts it.
        guard (try? await session.activate()) != nil, machine.wish != .none else { return }
        takeTurn()
    }

    /// The session was activated, which may have been long ago for one whom the next program interrupts at once.
    private func takeTurn() {
        switch session.state {
        case .active: receive(.play)
        case .interrupted: receive(.playWhenPermitted)
        case .inactive: break
        }
    }

    /// A session that is interrupted has no stream of whose output there could be news.
    fileprivate func lostOutput(_ port: PortDescription) {
        guard configuration.pausesOnRouteLoss, session.configuration.pausesWhenOutputDisappears,
            route.outputs.contains(where: { $0.uid == port.uid })
        else { return }
        receive(.outputLostMeanwhile)
    }

    fileprivate func routeRegained() {
        guard configuration.resumesAfterInterruption else { return }
        let regained = route
        Task { await self.resume(on: regained) }
    }

    /// The way back is as for a user's: who plays, pauses or pulls it again meanwhile is obeyed.
    private func resume(on regained: RouteDescription) async {
        guard machine.state == .paused(reason: .routeLost), !isClosed else { return }
        guard (try? await session.activate()) != nil, isReady else { return }
        guard machine.state == .paused(reason: .routeLost),
            route.outputs.map(\.uid) == regained.outputs.map(\.uid)
        else { return }
        takeTurn()
    }

    fileprivate func stopForSession() -> String? {
        let stopped = machine.state == .playing ? currentItem?.path : nil
        hush()
        receive(.sessionDeactivated)
        return stopped
    }

    /// Of a gate that is closed while nothing plays the machine would not know, and so nobody would open it again.
    private func hush() {
        if machine.state == .playing { stream?.setGate(closed: true) }
    }
}

extension PlaybackError {
    static func cannotPlay(_ configuration: AudioSession.Configuration) -> Self {
        Self(
            .sessionNotActivated,
            "The session's category \(configuration.category.name) does not play. "
                + "Use playback, ambient, soloAmbient or playAndRecord.")
    }
}
