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
        soundingSessions.reduce(into: []) { $0.formUnion(board.sessions[$1]?.streams ?? []) }
    }

    func setSounding(_ isSounding: Bool, _ session: SessionUUID) {
        let was = !soundingSessions.isEmpty
        if isSounding { soundingSessions.insert(session) } else { soundingSessions.remove(session) }
        if soundingSessions.isEmpty == was { soundingChanges.send(!was) }
        lookAgainAtSound()
    }

    func updateSound() {
        guard machine.isKnown else { return }
        updateMachineSound()
        tellSessions(.sound(.read(.all)))
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
            tellSessions(.sound(.read(.volume(direction))))
        }
    }

    /// Reads the sound of a session.
    /// - Parameters:
    ///   - records: whether the session may record, and its input's volume is to be watched.
    ///   - old: what was read before.
    /// - Returns: `nil` while PipeWire is not connected.
    func sound(_ scope: SoundScope, of use: SoundUse, records: Bool, instead old: SoundState) -> SoundState? {
        guard machine.isKnown else { return nil }
        let graph = machine.registry.graph
        if records, let input = graph.inputNode(of: use) { watchVolume(of: input) }
        let new =
            switch scope {
            // Most sessions have nothing of their own.
            case .all: use == SoundUse() ? machineSound : graph.sound(use)
            case .volume(let direction): graph.sound(use, direction, instead: old)
            }
        return snapshot.withLock { $0.keeping(new, besides: old) }
    }

    /// Numbers of running streams change without an event.
    private func lookAgainAtSound() {
        guard machine.isKnown, !soundingSessions.isEmpty, !isLookingAgain else { return }
        isLookingAgain = arm(.sound, after: Self.settling)
    }

    func lookAtSoundAgain() {
        isLookingAgain = false
        updateSound()
    }

    func endLookingAtSound() {
        disarm(.sound)
        isLookingAgain = false
    }

    /// What they are while a session manager puts them back is nobody's wish.
    func holdNumbers() {
        guard arm(.restoring, after: Self.restoring) else { return }
        snapshot.withLock { $0.isSessionManagerNew = true }
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

    /// Sets the gain of the input in use.
    /// - Returns: whether there is such an input.
    func setInputGain(_ level: Float, of use: SoundUse) -> Bool {
        guard let mixer = machine.registry.graph.inputMixer(of: use) else { return false }
        graphConnection?.perform(mixer.command(level: level))
        return true
    }
}
