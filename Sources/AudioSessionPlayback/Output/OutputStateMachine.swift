import AudioSessionCore

/// The state machine of an output. It has no I/O and no clock: it receives events and returns
/// actions.
package struct OutputStateMachine: Sendable {
    package var state = AudioOutput.State.stopped
    package var pausesOnRouteLoss: Bool
    package var resumesAfterInterruption: Bool
    package var intent = PlaybackIntent.none
    package var activations: Set<PlayerActivation> = []
    package var steering = OutputSteering()
    /// The name of the stream in mixers.
    let title: String
    let source: Source
    /// The last frame before a drain, and the cycle by which it has passed the resamplers and the
    /// device's buffer.
    private var drain: (end: UInt64, cycle: UInt64)?
    /// The counters of which listeners were last notified.
    private var reported = OutputCounters()

    /// The source of the sound.
    package enum Source: Sendable, Hashable {
        /// A ring that the program fills.
        case ring(rate: Int)
        /// A callback that renders on the real-time thread.
        /// - Parameter isTimed: Whether calls that take longer than a cycle are reported.
        case callback(isTimed: Bool)
    }

    enum Limits {
        /// The interval between two readings of the frames that the real-time thread missed.
        static let check = Duration.seconds(1)
    }

    package init(
        _ source: Source, title: String = "Output", pausesOnRouteLoss: Bool = true,
        resumesAfterInterruption: Bool = true
    ) {
        self.source = source
        self.title = title
        self.pausesOnRouteLoss = pausesOnRouteLoss
        self.resumesAfterInterruption = resumesAfterInterruption
    }

    package mutating func receive(_ event: OutputEvent, _ counters: OutputCounters) -> [OutputAction] {
        steering.now = counters.now
        var actions: [OutputAction] = []
        reportMissed(counters, &actions)
        switch event {
        case .play(let session): play(in: session, &actions)
        case .stop: stop(&actions)
        case .join: actions += [.send(.report(.joined(facts))), .send(.request(.follow))]
        case .close: stop(&actions)
        case .writerWaits: break
        case .timer:
            relink()
            if counters.awaited ?? 0 > 0 { actions.append(.serveWriters) }
        case .playback(let event): receive(event, counters, &actions)
        }
        // At any event, because each one arms the timer anew, so that it may never fire.
        if counters.awaited == 0 { actions.append(.serveWriters) }
        settle(counters, &actions)
        if case .close = event { actions += [.send(.request(.unfollow)), .send(.report(.left))] }
        return actions.withGateFirst
    }

    private mutating func stop(_ actions: inout [OutputAction]) {
        closeOutput(&actions)
        intent = .none
        activations = []
        actions.append(.endWriting)
        enter(.stopped, &actions)
    }

    /// Reports the missing frames and late calls since the last report.
    private mutating func reportMissed(_ counters: OutputCounters, _ actions: inout [OutputAction]) {
        if counters.missing > reported.missing {
            actions.append(.notify(.underrun(frames: Int(counters.missing - reported.missing), at: steering.now)))
        }
        if counters.lateCalls > reported.lateCalls {
            actions.append(
                .notify(.callbackWasLate(count: Int(counters.lateCalls - reported.lateCalls), at: steering.now)))
        }
        reported = counters
    }

    /// Requests what the state needs and was not requested yet.
    private mutating func settle(_ counters: OutputCounters, _ actions: inout [OutputAction]) {
        if state == .playing { provide(&actions) }
        steer(&actions)
        releaseUnfinished(&actions)
        setStreams(&actions)
        checkDrain(counters, &actions)
        wake(counters, &actions)
    }

    /// Detects the end of a drain: when its last frame was played, not when it was taken.
    private mutating func checkDrain(_ counters: OutputCounters, _ actions: inout [OutputAction]) {
        guard let end = counters.drained else { return }
        // A stream that does not run has no cycle to wait for.
        if isTakingSound {
            // Calls with a short limit wait for the same cycle. That of a former stream does not
            // count.
            if drain.map({ $0.end != end || $0.cycle > counters.cycles + 2 }) ?? true {
                drain = (end, counters.cycles + 2)
            }
            guard let drain, counters.cycles >= drain.cycle else { return }
        }
        drain = nil
        actions.append(.endDrain)
    }

    private mutating func provide(_ actions: inout [OutputAction]) {
        if steering.stream?.isDead == true { closeOutput(&actions) }
        guard steering.stream == nil else { return }
        steering.stream = OutputSteering.Stream()
        actions.append(.openStream)
    }
}

extension OutputStateMachine: PlaybackStateMachine {
    package typealias Stream = any PlaybackOutput

    package var canPlay: Bool { true }
    package var isPrimed: Bool { true }
    package var presentTitle: String? { title }
    package var renewal: OutputAction { .renewStream }

    package mutating func play(_ actions: inout [OutputAction]) {
        guard state != .playing else { return }
        begin(&actions)
    }

    package mutating func closeOutput(_ actions: inout [OutputAction]) {
        if forgetStream() { actions.append(.closeStream) }
    }

    package func nextWakeUp(_ counters: OutputCounters) -> WakeUp? {
        guard isTakingSound else { return nil }
        if counters.drained != nil { return .cycles }
        switch source {
        case .ring(let rate):
            return counters.awaited.map { .frames(UInt64(max(0, $0)), rate: rate) } ?? .time(Limits.check)
        case .callback(let isTimed): return isTimed ? .time(Limits.check) : nil
        }
    }
}
