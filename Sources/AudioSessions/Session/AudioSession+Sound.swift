import AudioSessionCore
import PipeWireGraph

/// Keeping the numbers up to date.
extension AudioSession {
    /// What can be read first, then listeners: whoever hears of it finds it true.
    func updateSound() {
        guard isOpen, !isClosed, manager.assumeIsolated({ $0.machine.isKnown }) else { return }
        let use = soundUse
        watchInput(use)
        let old = snapshot.withLock(\.sound)
        let now = manager.assumeIsolated { $0.sound(use) }
        let new = manager.snapshot.withLock { $0.keeping(now, besides: old ?? SoundState()) }
        snapshot.withLock { $0.sound = new }
        tell(new, instead: old)
    }

    /// The volume of a port in this direction may be another one, and nothing else.
    /// - Parameter machine: what sounds by default.
    func updateVolume(_ direction: PortDirection, _ machine: SoundState) {
        guard let old = snapshot.withLock(\.sound) else { return updateSound() }
        guard isOpen, !isClosed else { return }
        let now = hasOwnEnds ? ownSound(direction, instead: old) : old.taking(direction, of: machine)
        let new = manager.snapshot.withLock { $0.keeping(now, besides: old) }
        snapshot.withLock { $0.sound = new }
        tellVolumes(new, instead: old)
    }

    /// Whether its sound may go or come from elsewhere than the machine's.
    private var hasOwnEnds: Bool { !members.isEmpty || chooser.isChoosing }

    private func ownSound(_ direction: PortDirection, instead old: SoundState) -> SoundState {
        let use = soundUse
        return manager.assumeIsolated { $0.machine.registry.graph.sound(use, direction, instead: old) }
    }

    /// What was first known is no news.
    private func tell(_ new: SoundState, instead old: SoundState?) {
        guard let old else {
            toldHardware = new.hardware
            return
        }
        tellVolumes(new, instead: old)
        guard new.isNews(besides: toldHardware) else { return }
        let previous = toldHardware
        toldHardware = new.hardware
        broadcaster.send(.hardwareFormatChanged(previous: previous, current: new.hardware))
    }

    private func tellVolumes(_ new: SoundState, instead old: SoundState) {
        if let previous = old.volume, let current = new.volume, previous != current {
            broadcaster.send(.outputVolumeChanged(previous: previous, current: current))
        }
        if let previous = old.inputGain, let current = new.inputGain, previous != current {
            broadcaster.send(.inputGainChanged(previous: previous, current: current))
        }
    }

    /// Where its sound goes, or would go.
    var soundUse: SoundUse {
        var use = SoundUse()
        let members = liveMembers
        if !members.isEmpty {
            let sounds = members.map(\.sound)
            use.streams = Set(members.flatMap(\.streams))
            use.source = sounds.lazy.compactMap(\.source).first
            use.output = sounds.lazy.compactMap(\.output).first
            use.input = sounds.lazy.compactMap(\.input).first
        }
        use.outputName = chooser.output?.choice.port?.nodeName
        use.inputName = chooser.input?.choice.port?.nodeName
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
