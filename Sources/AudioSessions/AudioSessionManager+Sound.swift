import AudioSessionCore
import PipeWireGraph

/// The numbers of the default ports, and their distribution to sessions.
extension AudioSessionManager {
    /// The volume of the default output, 0 to 1, on the scale of the desktop's sliders. It is 0
    /// before there is an output, and keeps its value after the last one.
    ///
    /// ``AudioSession/outputVolume`` is that of a session's own output.
    public nonisolated var outputVolume: Float { snapshot.withLock(\.sound.volume)?.level ?? 0 }

    /// Whether the default output is muted.
    public nonisolated var isOutputMuted: Bool { snapshot.withLock(\.sound.volume)?.isMuted ?? false }

    /// The manager's values at one moment, for callers that read several.
    package nonisolated var values: (volume: OutputVolume?, isSilentMode: Bool, isInputMuted: Bool) {
        snapshot.withLock { ($0.sound.volume, $0.isSilentMode, $0.isInputMuted) }
    }

    package var defaultOutputVolume: OutputVolume? { computerSound.volume }

    /// The maximum time from a change of the graph until a stream has run under it: some of the
    /// longest cycles. PipeWire sends no event for it; only the real-time thread sees the effect.
    private static let settling = Duration.milliseconds(400)
    /// The maximum time from the start of a session manager until it has restored volumes and
    /// defaults.
    private static let restoring = Duration.seconds(1)

    func followSound(_ change: GraphChange) {
        guard model.isKnown else { return }
        if change.effects.contains(.mixer), let node = change.object { updateVolume(of: node) }
        let isOwnLink = change.link.map { isOfSession($0.outputNode) } ?? false
        if change.effects.contains(.numbers) || isOwnLink { updateSound() }
        // A stream that starts, or requests another latency, may change the cycle of all streams.
        if change.effects.contains(.laterNumbers) { scheduleSoundUpdate() }
    }

    private func isOfSession(_ stream: ObjectID) -> Bool {
        soundingSessions.contains { arbitration.sessions[$0]?.streams.contains(stream) ?? false }
    }

    func setSounding(_ isSounding: Bool, _ session: AudioSessionID) {
        let was = !soundingSessions.isEmpty
        if isSounding { soundingSessions.insert(session) } else { soundingSessions.remove(session) }
        if soundingSessions.isEmpty == was { soundingChanges.send(!was) }
        scheduleSoundUpdate()
    }

    func updateSound() {
        guard model.isKnown else { return }
        updateComputerSound()
        sendToSessions(.sound(.read(.all)))
    }

    func updateComputerSound() {
        let sound = model.registry.graph.sound(SoundUse())
        computerSound = sound
        snapshot.withLock { $0.sound = $0.keeping(sound, besides: $0.sound) }
    }

    /// Updates only the volumes of a node, because they change more often than anything else.
    private func updateVolume(of node: ObjectID) {
        for direction in PortDirection.allCases where model.registry.graph.isPort(node, direction) {
            let sound = model.registry.graph.sound(SoundUse(), direction, instead: computerSound)
            computerSound = sound
            snapshot.withLock { $0.sound = $0.keeping(sound, besides: $0.sound) }
            sendToSessions(.sound(.read(.volume(direction))))
        }
    }

    /// Reads the sound of a session.
    /// - Parameters:
    ///   - records: Whether the session may record, so that its input's volume is watched.
    ///   - old: The previous values.
    /// - Returns: The current values; `nil` while PipeWire is not connected.
    func sound(_ scope: SoundScope, of use: SoundUse, records: Bool, instead old: SoundState) -> SoundState? {
        guard model.isKnown else { return nil }
        let graph = model.registry.graph
        if records, let input = graph.inputNode(of: use) { watchMixer(of: input) }
        let new =
            switch scope {
            // Most sessions have no preferences or streams of their own.
            case .all: use == SoundUse() ? computerSound : graph.sound(use)
            case .volume(let direction): graph.sound(use, direction, instead: old)
            }
        return snapshot.withLock { $0.keeping(new, besides: old) }
    }

    /// Reads the numbers again after a delay, because those of running streams change without an
    /// event.
    private func scheduleSoundUpdate() {
        guard model.isKnown, !soundingSessions.isEmpty, !isEvaluationPending else { return }
        isEvaluationPending = arm(.sound, after: Self.settling)
    }

    func soundUpdateDue() {
        isEvaluationPending = false
        updateSound()
    }

    func endSoundUpdates() {
        disarm(.sound)
        isEvaluationPending = false
    }

    /// Keeps the current numbers while a session manager restores them, because those changes are
    /// not the user's.
    func holdNumbers() {
        guard arm(.restoring, after: Self.restoring) else { return }
        snapshot.withLock { $0.isSessionManagerNew = true }
    }

    func releaseNumbers() {
        snapshot.withLock { $0.isSessionManagerNew = false }
        updateSound()
    }

    /// Sets the gain of the current input.
    /// - Returns: Whether there is such an input.
    func setInputGain(_ level: Float, of use: SoundUse) -> Bool {
        guard let mixer = model.registry.graph.inputMixer(of: use) else { return false }
        graphConnection?.perform(mixer.command(level: level))
        return true
    }
}
