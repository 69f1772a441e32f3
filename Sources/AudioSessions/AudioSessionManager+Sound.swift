import AudioSessionCore
import PipeWireGraph

/// The numbers of the machine's sound, and who has to hear of them.
extension AudioSessionManager {
    /// The volume of the output that sound goes to by default, 0 to 1, as the desktop's sliders count it; 0 while there
    /// is none. A session's is ``AudioSession/outputVolume``.
    public nonisolated var outputVolume: Float { snapshot.withLock(\.sound.volume)?.level ?? 0 }

    /// Whether that output is muted.
    public nonisolated var isOutputMuted: Bool { snapshot.withLock(\.sound.volume)?.isMuted ?? false }

    package var defaultOutputVolume: OutputVolume? { machineSound.volume }

    /// How long PipeWire needs at most from a change of the graph until a stream has run under it: some cycles of the
    /// longest kind. No news comes of that; the real-time thread shows it.
    private static let settling = Duration.milliseconds(400)
    /// How long a session manager needs at most from its coming until the numbers are what they were.
    private static let restoring = Duration.seconds(1)

    func followSound(_ change: GraphChange) {
        guard machine.isKnown else { return }
        if change.effects.contains(.mixer), let node = change.object { updateVolume(of: node) }
        let isOwnLink = change.link.map { streamsOfSessions.contains($0.outputNode) } ?? false
        if change.effects.contains(.numbers) || isOwnLink { updateSound() }
        // Any stream that runs, or asks for another latency, may change the cycle of all.
        if change.effects.contains(.laterNumbers) { lookAgainAtSound() }
    }

    private var streamsOfSessions: Set<ObjectID> {
        Set(
            soundingSessions.compactMap { board.sessions[$0]?.session }.flatMap { session in
                session.assumeIsolated { $0.liveParticipants.flatMap(\.facts.streams) }
            })
    }

    func setSounding(_ isSounding: Bool, _ session: TokenSession) {
        let was = !soundingSessions.isEmpty
        if isSounding { soundingSessions.insert(session) } else { soundingSessions.remove(session) }
        if soundingSessions.isEmpty == was { soundingChanges.send(!was) }
        lookAgainAtSound()
    }

    func updateSound() {
        guard machine.isKnown else { return }
        updateMachineSound()
        for session in liveSessions { session.assumeIsolated { $0.updateSound() } }
    }

    func updateMachineSound() {
        let sound = machine.registry.graph.sound(SoundUse())
        machineSound = sound
        snapshot.withLock { $0.sound = $0.keeping(sound, besides: $0.sound) }
    }

    /// Volumes move more often than anything else, and nothing else of the sound with them.
    private func updateVolume(of node: ObjectID) {
        for direction in PortDirection.allCases where machine.registry.graph.isPort(node, direction) {
            let sound = machine.registry.graph.sound(SoundUse(), direction, instead: machineSound)
            machineSound = sound
            snapshot.withLock { $0.sound = $0.keeping(sound, besides: $0.sound) }
            for session in liveSessions { session.assumeIsolated { $0.updateVolume(direction, sound) } }
        }
    }

    /// Most sessions have nothing of their own.
    func sound(_ use: SoundUse) -> SoundState { use == SoundUse() ? machineSound : machine.registry.graph.sound(use) }

    /// While nobody plays or records nothing moves that no news tell of.
    private func lookAgainAtSound() {
        guard machine.isKnown, !soundingSessions.isEmpty, !isLookingAgain else { return }
        if soundTimer == nil {
            soundTimer = timer { manager in
                manager.isLookingAgain = false
                manager.updateSound()
            }
        }
        isLookingAgain = soundTimer != nil
        soundTimer?.arm(after: Self.settling)
    }

    func endLookingAtSound() {
        soundTimer?.disarm()
        isLookingAgain = false
    }

    /// What they are while a session manager puts them back is nobody's wish.
    func holdNumbers() {
        if restoringTimer == nil { restoringTimer = timer { $0.releaseNumbers() } }
        guard let restoringTimer else { return }
        snapshot.withLock { $0.isSessionManagerNew = true }
        restoringTimer.arm(after: Self.restoring)
    }

    func releaseNumbers() {
        snapshot.withLock { $0.isSessionManagerNew = false }
        updateSound()
    }

    /// Whether the session manager lowers streams by their roles, and leaves those alone that have none: WirePlumber 0.5, unless
    /// it was told what to take such streams for. In 0.4 they are those of the lowest role.
    package var sparesStreamsWithoutRole: Bool {
        machine.registry.graph.nodes.values.contains { $0.properties.flag(.roleTarget) }
    }

    /// Of a node whose volume somebody needs who does not play there.
    func watchVolume(of node: ObjectID) {
        guard watchedStreams.insert(node).inserted else { return }
        graphConnection?.perform(.watchMute(node))
    }

    func setGain(_ command: GraphCommand) { graphConnection?.perform(command) }
}
