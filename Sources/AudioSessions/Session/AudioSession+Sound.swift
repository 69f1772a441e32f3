import AudioSessionCore
import PipeWireGraph

/// Keeping the numbers up to date.
extension AudioSession {
    /// What can be read first, then listeners: whoever hears of it finds it true.
    func updateSound() {
        guard isOpen, !isClosed, manager.assumeIsolated({ $0.routes != nil }) else { return }
        let use = soundUse
        watchInput(use)
        let old = snapshot.withLock(\.sound)
        let now = manager.assumeIsolated { $0.sound(use) }
        let new = manager.snapshot.withLock { $0.keeping(now, besides: old ?? SoundState()) }
        snapshot.withLock { $0.sound = new }
        tell(new, instead: old)
    }

    /// What was first known is no news.
    private func tell(_ new: SoundState, instead old: SoundState?) {
        guard let old else {
            toldHardware = new.hardware
            return
        }
        if let previous = old.volume, let current = new.volume, previous != current {
            broadcaster.send(.outputVolumeChanged(previous: previous, current: current))
        }
        if let previous = old.inputGain, let current = new.inputGain, previous != current {
            broadcaster.send(.inputGainChanged(previous: previous, current: current))
        }
        guard new.isNews(besides: toldHardware) else { return }
        let previous = toldHardware
        toldHardware = new.hardware
        broadcaster.send(.hardwareFormatChanged(previous: previous, current: new.hardware))
    }

    /// Where its sound goes, or would go.
    var soundUse: SoundUse {
        var use = SoundUse()
        let members = liveMembers.map(\.sound)
        use.streams = Set(liveMembers.flatMap(\.streams))
        use.source = members.lazy.compactMap(\.source).first
        use.output = members.lazy.compactMap(\.output).first
        use.input = members.lazy.compactMap(\.input).first
        use.outputName = chooser.output?.choice.port?.nodeName
        use.inputName = chooser.input?.choice.port?.nodeName
        use.preferences = snapshot.withLock(\.soundPreferences)
        return use
    }

    /// Volumes of microphones are only told to who asks.
    private func watchInput(_ use: SoundUse) {
        guard configuration.allowsRecording else { return }
        manager.assumeIsolated { manager in
            if let input = manager.registry.graph.inputNode(of: use) { manager.watchVolume(of: input) }
        }
    }
}
