import AudioSessionCore

extension PlayerStateMachine: PlaybackStateMachine {
    package typealias Stream = any PlaybackOutput

    package var canPlay: Bool { !queue.isEmpty }
    package var presentTitle: String? { current.map { queue[$0].path } }
    package var renewal: PlayerAction { .renewStream(queue[current ?? position.item]) }

    /// Saves the position, because the ring is discarded.
    package mutating func suspend(_ counters: PlayerCounters, _ actions: inout [PlayerAction]) {
        position = currentPosition(counters.read)
        endDecoding(&actions)
    }

    package mutating func closeOutput(_ actions: inout [PlayerAction]) {
        endDecoding(&actions)
        format = nil
        if forgetStream() { actions.append(.closeStream) }
    }

    /// Forgets the cycle by which the last frame has passed, because each stream counts its own.
    package mutating func streamRenewed() { end?.drainedCycle = nil }

    package func nextWakeUp(_ counters: PlayerCounters) -> WakeUp? {
        guard keepsDecoding, let format else { return nil }
        if let end, end.frame <= counters.read { return isContinuing(after: end) ? nil : .cycles }
        let frames = [timeline.boundary(after: counters.read), end?.frame].compactMap { $0 }.min()
        return frames.map { .frames($0 - counters.read, rate: format.sampleRate) }
    }
}

/// The changes of the ring.
extension PlayerStateMachine {
    /// Requests what the state needs and was not requested yet.
    mutating func settle(_ counters: PlayerCounters, _ actions: inout [PlayerAction]) {
        if state == .playing { provide(&actions) }
        steer(&actions)
        keepDecoding(&actions)
        releaseUnfinished(&actions)
        setStreams(&actions)
        wake(counters, &actions)
    }

    private mutating func provide(_ actions: inout [PlayerAction]) {
        if steering.stream?.isDead == true { closeOutput(&actions) }
        if steering.stream == nil {
            let item = queue[position.item]
            steering.stream = OutputSteering.Stream()
            format = item.format
            actions.append(.openStream(item))
        }
        if feed == .idle { order(&actions) }
    }

    private mutating func keepDecoding(_ actions: inout [PlayerAction]) {
        guard isTakingSound != keepsDecoding else { return }
        keepsDecoding.toggle()
        actions.append(.keepDecoding(keepsDecoding))
    }

    private mutating func endDecoding(_ actions: inout [PlayerAction]) {
        if feed != .idle { actions.append(.endDecoding) }
        feed = .idle
        generation += 1
        timeline = PlaybackTimeline()
        end = nil
        isPrimed = false
        keepsDecoding = false
    }

    mutating func order(_ actions: inout [PlayerAction]) {
        generation += 1
        feed = .ordered
        timeline = PlaybackTimeline()
        end = nil
        isPrimed = false
        actions.append(.decode(position, generation: generation))
    }
}
