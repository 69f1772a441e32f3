import AudioSessionCore
import PipeWireGraph

/// This extension keeps the session's numbers up to date.
extension AudioSession {
    /// Reads the numbers in `scope`, and notifies listeners of those that changed.
    func readSound(_ scope: SoundScope) {
        guard machine.phase == .open else { return }
        let scope = soundReporter.state == nil ? .all : scope
        let (use, old, records) = (soundUse, soundReporter.state ?? SoundState(), configuration.allowsRecording)
        guard let new = manager.assumeIsolated({ $0.sound(scope, of: use, records: records, instead: old) }) else {
            return
        }
        let events = soundReporter.receive(new, scope, at: machine.now)
        snapshot.withLock { $0.sound = new }
        for event in events { broadcaster.send(event) }
    }

    /// The delay between the program and the device, as PipeWire reports it to a stream of the
    /// session that plays; zero while none does.
    package var outputStreamDelay: Duration {
        liveParticipants.lazy.compactMap { $0.timing.output?.delay }.first ?? .zero
    }

    /// The ports and preferences that determine the session's numbers.
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
        use.preferences = machine.soundPreferences
        return use
    }
}
