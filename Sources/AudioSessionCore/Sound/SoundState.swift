/// The numbers of a session's sound at one moment.
package struct SoundState: Sendable, Hashable {
    package var hardware = HardwareFormat()
    /// The output's volume; `nil` without an output, or if it is unknown.
    package var volume: OutputVolume?
    /// The input's gain, 0 to 1, as ``OutputVolume/level``; `nil` if it cannot be set.
    package var inputGain: Float?
    package var hasOutput = false
    package var hasInput = false

    package init() {}

    /// Returns the state with unknown values taken from the old one, because a default that
    /// disappeared is followed by another one while ports are available.
    package func keeping(_ old: Self, areOutputs: Bool, areInputs: Bool) -> Self {
        var state = self
        state.volume = volume ?? old.volume
        if !hasOutput, areOutputs { state.hardware.takeOutput(of: old.hardware) }
        if !hasInput, areInputs { state.hardware.takeInput(of: old.hardware) }
        return state
    }

    /// Returns the state with values of the old one while a session manager restores volumes and
    /// defaults, because those changes are not the user's.
    package func holding(_ old: Self) -> Self {
        var state = self
        state.volume = old.volume ?? volume
        state.inputGain = old.inputGain ?? inputGain
        if old.hardware.maximumOutputNumberOfChannels > 0 { state.hardware.takeOutput(of: old.hardware) }
        if old.hardware.maximumInputNumberOfChannels > 0 { state.hardware.takeInput(of: old.hardware) }
        return state
    }

    /// Whether listeners that know `old` must be notified. Latencies vary from cycle to cycle, so
    /// less than a millisecond does not count.
    package func hasChanged(besides old: HardwareFormat) -> Bool {
        var current = hardware
        if current.inputLatency.isNear(old.inputLatency) { current.inputLatency = old.inputLatency }
        if current.outputLatency.isNear(old.outputLatency) { current.outputLatency = old.outputLatency }
        return current != old
    }
}

/// The ports, streams and preferences that determine the numbers of a session.
package struct SoundUse: Sendable, Hashable {
    /// The streams that play.
    package var streams: Set<ObjectID> = []
    /// The node that is recorded.
    package var source: ObjectID?
    /// The `node.name` of the output while no stream runs; `nil` for the default.
    package var outputName: String?
    package var inputName: String?
    package var output: StreamTiming?
    package var input: StreamTiming?
    package var preferences = SoundPreferences()

    package init() {}
}

/// The timing of the graph that the real-time thread observed.
package struct StreamTiming: Sendable, Hashable {
    package var quantum: Int
    package var rate: Int
    /// The delay between the program and the device, as PipeWire reports it.
    package var delay: Duration

    /// Makes a timing; `nil` before the first cycle.
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

    /// Returns the numbers after a change that concerned only the volume of a port in this
    /// direction.
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
        var hardware = HardwareFormat()
        (hardware.sampleRate, hardware.ioBufferDuration) = (granted.0, cycle)
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
        // Nearly all nodes have two channels, also most of those that do not report them.
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

    /// Returns the input from which the session records, or would record.
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
