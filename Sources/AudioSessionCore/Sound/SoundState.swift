/// The numbers of a session's sound at one moment.
package struct SoundState: Sendable, Hashable {
    package var hardware = HardwareFormat()
    /// `nil`: no output, or none that tells.
    package var volume: OutputVolume?
    /// 0 to 1, as ``OutputVolume/level``; `nil`: no input whose gain could be set.
    package var inputGain: Float?
    package var hasOutput = false
    package var hasInput = false

    package init() {}

    /// What is not known now is what it was: a default that is gone is followed by another one, as long as there are any.
    package func keeping(_ old: Self, areOutputs: Bool, areInputs: Bool) -> Self {
        var state = self
        state.volume = volume ?? old.volume
        if !hasOutput, areOutputs { state.hardware.takeOutput(of: old.hardware) }
        if !hasInput, areInputs { state.hardware.takeInput(of: old.hardware) }
        return state
    }

    /// While a session manager that has just come puts everything back, full volumes and defaults that are none for long are
    /// nobody's news.
    package func holding(_ old: Self) -> Self {
        var state = self
        state.volume = old.volume ?? volume
        state.inputGain = old.inputGain ?? inputGain
        if old.hardware.maximumOutputNumberOfChannels > 0 { state.hardware.takeOutput(of: old.hardware) }
        if old.hardware.maximumInputNumberOfChannels > 0 { state.hardware.takeInput(of: old.hardware) }
        return state
    }

    /// What of it is new to somebody who was told of `old`. Latencies waver from cycle to cycle; by less than a
    /// millisecond is nothing to be told of.
    package func isNews(besides old: HardwareFormat) -> Bool {
        var calm = hardware
        if calm.inputLatency.isNear(old.inputLatency) { calm.inputLatency = old.inputLatency }
        if calm.outputLatency.isNear(old.outputLatency) { calm.outputLatency = old.outputLatency }
        return calm != old
    }
}

/// What decides the numbers of one session.
package struct SoundUse: Sendable, Hashable {
    /// Streams that play.
    package var streams: Set<ObjectID> = []
    /// What is recorded from.
    package var source: ObjectID?
    /// `node.name` of where sound goes or comes from otherwise; `nil`: the default.
    package var outputName: String?
    package var inputName: String?
    package var output: StreamTiming?
    package var input: StreamTiming?
    package var preferences = SoundPreferences()

    package init() {}
}

/// What the real-time thread saw of the graph that runs a stream.
package struct StreamTiming: Sendable, Hashable {
    package var quantum: Int
    package var rate: Int
    /// Between the program and the device, as PipeWire reports it.
    package var delay: Duration

    /// `nil` before the first cycle.
    package init?(quantum: Int, rate: Int, delay: Duration) {
        guard quantum > 0, rate > 0 else { return nil }
        self.quantum = quantum
        self.rate = rate
        self.delay = delay
    }
}

extension AudioGraph {
    package func sound(_ use: SoundUse) -> SoundState {
        let (sink, source) = (sink(of: use), source(of: use))
        var state = SoundState()
        (state.hasOutput, state.hasInput) = (sink != nil, source != nil)
        state.hardware = hardware(use, sink, source)
        state.volume = volume(of: sink)
        state.inputGain = gain(of: source)
        return state
    }

    /// The same, where no more than the volume of a port in this direction has changed since the old ones.
    package func sound(_ use: SoundUse, _ direction: PortDirection, instead old: SoundState) -> SoundState {
        var state = old
        switch direction {
        case .output: state.volume = volume(of: sink(of: use))
        case .input: state.inputGain = gain(of: source(of: use))
        }
        return state
    }

    private func volume(of sink: Node?) -> OutputVolume? {
        sink.flatMap { mixer(of: $0, .output) }.map { OutputVolume(level: $0.level, isMuted: $0.isMuted) }
    }

    private func gain(of source: Node?) -> Float? { source.flatMap { mixer(of: $0, .input)?.level } }

    private func hardware(_ use: SoundUse, _ sink: Node?, _ source: Node?) -> HardwareFormat {
        let timing = use.output ?? use.input
        let granted = timing.map { ($0.rate, $0.quantum) } ?? clock.granted(use.preferences)
        let cycle = Duration(cycle: granted.1, rate: granted.0)
        var hardware = HardwareFormat(sampleRate: granted.0, ioBufferDuration: cycle)
        let (outputs, inputs) = (sink.map { channels(of: $0) }, source.map { channels(of: $0) })
        hardware.maximumOutputNumberOfChannels = outputs ?? 0
        hardware.maximumInputNumberOfChannels = inputs ?? 0
        hardware.outputNumberOfChannels = outputs.map { min($0, use.preferences.outputChannels ?? $0) } ?? 0
        hardware.inputNumberOfChannels = inputs.map { min($0, use.preferences.inputChannels ?? $0) } ?? 0
        if sink != nil { hardware.outputLatency = max(use.output?.delay ?? .zero, cycle) }
        if source != nil { hardware.inputLatency = max(use.input?.delay ?? .zero, cycle) }
        return hardware
    }

    private func channels(of node: Node) -> Int {
        let known = node.channelCount
        // Nearly all have two, and most of those that do not say so.
        return known > 0 ? known : 2
    }

    // MARK: Nodes

    private func sink(of use: SoundUse) -> Node? {
        guard !use.streams.isEmpty else { return node(use.outputName, .output) }
        let linked = Set(links(from: use.streams).values.map(\.inputNode)).sorted().lazy.compactMap { nodes[$0] }
        return linked.first { $0.isPort(.output) } ?? node(use.outputName, .output)
    }

    private func source(of use: SoundUse) -> Node? {
        use.source.flatMap { nodes[$0] }.flatMap { $0.isPort(.input) ? $0 : nil } ?? node(use.inputName, .input)
    }

    /// The input that the session records from, or would.
    package func inputNode(of use: SoundUse) -> ObjectID? { source(of: use)?.id }

    private func node(_ name: String?, _ direction: PortDirection) -> Node? {
        guard let name = name ?? defaultName(direction) else { return nil }
        return nodes.port(named: name, direction)
    }
}

extension HardwareFormat {
    fileprivate mutating func takeOutput(of other: Self) {
        outputLatency = other.outputLatency
        outputNumberOfChannels = other.outputNumberOfChannels
        maximumOutputNumberOfChannels = other.maximumOutputNumberOfChannels
    }

    fileprivate mutating func takeInput(of other: Self) {
        inputLatency = other.inputLatency
        inputNumberOfChannels = other.inputNumberOfChannels
        maximumInputNumberOfChannels = other.maximumInputNumberOfChannels
    }
}

extension Duration {
    fileprivate func isNear(_ other: Duration) -> Bool {
        (self - other) < .milliseconds(1) && (other - self) < .milliseconds(1)
    }
}
