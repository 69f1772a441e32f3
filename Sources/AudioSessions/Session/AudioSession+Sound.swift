import AudioSessionCore
import PipeWireGraph

/// Keeping the numbers up to date.
extension AudioSession {
    /// What can be read first, then listeners.
    func updateSound() {
        guard machine.phase == .open, manager.assumeIsolated({ $0.machine.isKnown }) else { return }
        let use = soundUse
        watchInput(use)
        let now = manager.assumeIsolated { $0.sound(use) }
        let old = soundReporter.state ?? SoundState()
        report(soundReporter.receive(manager.snapshot.withLock { $0.keeping(now, besides: old) }))
    }

    /// The volume of a port in this direction may be another one, and nothing else.
    /// - Parameter computer: what sounds by default.
    func updateVolume(_ direction: PortDirection, _ computer: SoundState) {
        guard machine.phase == .open else { return }
        guard let old = soundReporter.state else { return updateSound() }
        let now = hasOwnEnds ? ownSound(direction, instead: old) : old.taking(direction, of: computer)
        report(soundReporter.receive(volumesOf: manager.snapshot.withLock { $0.keeping(now, besides: old) }))
    }

    private func report(_ events: [Event]) {
        let state = soundReporter.state
        snapshot.withLock { $0.sound = state }
        for event in events { broadcaster.send(event) }
    }

    /// Whether its sound may go or come from elsewhere than the computer's.
    private var hasOwnEnds: Bool { !participants.isEmpty || machine.chooser.isChoosing }

    private func ownSound(_ direction: PortDirection, instead old: SoundState) -> SoundState {
        let use = soundUse
        return manager.assumeIsolated { $0.machine.registry.graph.sound(use, direction, instead: old) }
    }

    /// Where its sound goes, or would go.
    var soundUse: SoundUse {
        var use = SoundUse()
        for participant in liveParticipants {
            let (facts, timing) = (participant.facts, participant.timing)
            use.streams.formUnion(facts.streams)
            use.source = use.source ?? facts.source
            use.output = use.output ?? timing.output
            use.input = use.input ?? timing.input
        }
        use.outputName = machine.chooser.output?.choice.port?.nodeName
        use.inputName = machine.chooser.input?.choice.port?.nodeName
        use.preferences = snapshot.withLock(\.soundPreferences)
        return use
    }

    /// Volumes of microphones are only told to who asks.
    private func watchInput(_ use: SoundUse) {
        guard configuration.allowsRecording else { return }
        manager.assumeIsolated { manager in
            if let input = manager.machine.registry.graph.inputNode(of: use) { manager.watchVolume(of: input) }
        }
    }
}
