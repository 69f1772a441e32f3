import AudioSessionCore

/// The state machine of a player. It has no I/O and no clock: it receives events and returns
/// actions.
package struct PlayerStateMachine: Sendable {
    package var state = AudioPlayer.State.stopped
    package internal(set) var queue: [AudioPlayer.Item] = []
    /// The source of the ring's frames; empty until the decoder has begun.
    package internal(set) var timeline = PlaybackTimeline()
    /// The position at which playing begins, while the timeline is not valid.
    package internal(set) var position = PlaybackTimeline.Position(item: 0, frame: 0)
    /// The item of which listeners were last notified.
    package internal(set) var current: Int?
    package var pausesOnRouteLoss: Bool
    package var resumesAfterInterruption: Bool
    package var intent = PlaybackIntent.none
    package var activations: Set<PlayerActivation> = []
    package var steering = OutputSteering()
    /// The format of the ring, which outlives a released stream; `nil`: there is no ring.
    var format: AudioPlayer.Format?
    var feed = Feed.idle
    /// Whether the ring holds enough to start playing.
    package internal(set) var isPrimed = false
    var end: End?
    var generation: UInt64 = 0
    /// The queue's length when it was last played to its end.
    var finishedCount = 0
    /// How often the only item of the queue is repeated; without end if it is negative.
    package internal(set) var repetitions = 0
    /// The pause of a desktop client that is held back while the output may be lost.
    var heldPause = HeldPause.none
    var keepsDecoding = false

    enum HeldPause: Sendable {
        case none
        /// The session manager has removed the sink.
        case forRemoval
        case byClient
    }

    enum Feed: Sendable, Hashable {
        /// The decoder has no command to fill the ring.
        case idle
        /// The decoder has a command, but has not reported where it began.
        case ordered
        /// The timeline describes the ring's content.
        case running
    }

    struct End: Sendable {
        var frame: UInt64
        var next: Int?
        var itemCount: Int
        /// The limit of repetitions with which the decoder ended.
        var repetitions = 0
        /// The cycle by which the last frame has passed the resamplers and the device's buffer.
        var drainedCycle: UInt64?
    }

    package init(pausesOnRouteLoss: Bool, resumesAfterInterruption: Bool = true) {
        self.pausesOnRouteLoss = pausesOnRouteLoss
        self.resumesAfterInterruption = resumesAfterInterruption
    }

    package mutating func receive(_ event: PlayerEvent, _ counters: PlayerCounters) -> [PlayerAction] {
        steering.now = counters.now
        var actions: [PlayerAction] = []
        switch event {
        case .load(let items): load(items, &actions)
        case .enqueue(let items): enqueue(items, &actions)
        case .play(let session): play(in: session, &actions)
        case .pause: pause(&actions)
        case .pauseFromDesktop(let isAsleep, let isOfSessionManager):
            pauseFromDesktop(isAsleep: isAsleep, isOfSessionManager: isOfSessionManager, &actions)
        case .stop: stop(&actions)
        case .seek(let target): seek(to: target, counters, &actions)
        case .setRepetitions(let count, let restarts): setRepetitions(count, restarts, counters, &actions)
        case .join: actions += [.send(.report(.joined(facts))), .send(.request(.follow))]
        case .close: load([], &actions)
        case .playback(let event): receive(event, counters, &actions)
        case .decoder(let event): handle(event, counters, &actions)
        case .timer: relink()
        }
        announceItem(counters, &actions)
        checkEnd(counters, &actions)
        settle(counters, &actions)
        if case .close = event { actions += [.send(.request(.unfollow)), .send(.report(.left))] }
        return actions.withGateFirst
    }

    /// Returns the position of the next frame that the real-time thread reads.
    package func currentPosition(_ read: UInt64) -> PlaybackTimeline.Position {
        feed == .running ? timeline.position(at: read) ?? position : position
    }

    /// Whether the timeline is valid. Otherwise `position` counts.
    package var isTimelineValid: Bool { feed == .running && !timeline.isEmpty }
}

extension Array where Element: Equatable {
    /// Returns these elements with one element first, because closing a gate must not wait for
    /// slower actions.
    /// - Parameter isBarrier: Whether an element must stay before the new one, because it makes the
    ///   stream concerned.
    func beginning(with element: Element, unlessAfter isBarrier: (Element) -> Bool) -> Self {
        guard let index = firstIndex(of: element), index > 0, !self[..<index].contains(where: isBarrier) else {
            return self
        }
        return [element] + self[..<index] + self[(index + 1)...]
    }
}
