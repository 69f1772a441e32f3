package import AudioSessionCore

/// The state machine of a player. It has no I/O and no clock: it receives events and returns
/// actions.
package struct PlayerStateMachine: Sendable {
    package internal(set) var state = AudioPlayer.State.stopped
    package internal(set) var queue: [AudioPlayer.Item] = []
    /// The source of the ring's frames; empty until the decoder has begun.
    package internal(set) var timeline = PlaybackTimeline()
    /// The place at which playing begins, while the timeline is not valid.
    package internal(set) var place = PlaybackTimeline.Place(item: 0, frame: 0)
    /// The item of which listeners were last notified.
    package internal(set) var current: Int?
    package var pausesOnRouteLoss: Bool
    package var resumesAfterInterruption: Bool
    /// The reason to play when the session becomes active again.
    package internal(set) var wish = Wish.none
    /// The requests that wait for the session's activation. A pause, a stop and any change of the
    /// state cancel them.
    package internal(set) var activations: Set<PlayerActivation> = []
    var output: Output?
    var feed = Feed.idle
    /// Whether the ring holds enough to start playing.
    var isPrimed = false
    var end: End?
    var generation: UInt64 = 0
    /// The queue's length when it was last played to its end.
    var finishedCount = 0
    /// Whether listeners were notified that there is no output.
    var isUnserved = false
    /// The pending error that there is no output. It is held back while the output may be lost,
    /// because the loss explains it.
    var complaint: PlaybackError?
    var isEndangered = false
    /// Whether a desktop client paused the player while the output may be lost.
    var isPauseHeld = false
    /// Whether the gate stays closed, from the loss that paused the player until the user plays.
    /// Making the stream inactive takes a round trip, the gate does not.
    var isGateHeld = false
    /// Whether the route after a loss is not known yet. Until then the stream's node counts as the
    /// player's.
    var awaitsRoute = false
    var applied = Applied()
    /// How many more streams may replace one that the session manager does not let run.
    ///
    /// WirePlumber 0.4.13 leaves one stream of some hundred without a link if they appear while it
    /// starts or takes a card.
    var relinksLeft = Limits.relinks

    enum Limits {
        static let relinks = 3
        /// The time limit for a session manager to link a stream.
        static let link = Duration.seconds(3)
    }

    package enum Wish: Sendable, Hashable {
        case none
        /// The player was playing when it was interrupted.
        case goOn
        /// The user requested to play during the interruption.
        case play
    }

    struct Output: Sendable {
        var format: AudioPlayer.Format
        var node: ObjectID?
        var isRunning = false
        var hasRun = false
        /// Whether the stream was active with its gate open.
        var hasSounded = false
        var isDead = false
        /// Whether the running stream stopped by itself, because its sink was removed or the
        /// session manager moves it.
        var wasStopped = false
        /// Whether the stream stopped by itself while the output may be lost. It is made inactive,
        /// because the rest in its resampler could be heard on the next sink before the loss is
        /// decided.
        var hasFallen = false
        /// Whether the stream must be replaced. One that is made inactive while the session manager
        /// relinks it may never run again (seen with PipeWire 0.3.65).
        var needsRenewal = false
        /// Whether the session has chosen another output than the stream requests. It is then
        /// replaced even while it runs.
        var isOutdated = false
        /// The node of the stream that this one replaced. The route is still that node's until this
        /// stream runs.
        var formerNode: ObjectID?
        /// Whether the stream was released, so that only the ring exists until the player plays.
        var isReleased = false
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
        /// The cycle by which the last frame has passed the resamplers and the device's buffer.
        var drainedCycle: UInt64?
    }

    /// The last requests, so that none is repeated.
    struct Applied: Sendable {
        var isActive = false
        var isGateClosed = false
        var keepsDecoding = false
        var streams: Set<ObjectID> = []
        var isAwaited = false
        var isLinkAwaited = false
    }

    package init(pausesOnRouteLoss: Bool, resumesAfterInterruption: Bool = true) {
        self.pausesOnRouteLoss = pausesOnRouteLoss
        self.resumesAfterInterruption = resumesAfterInterruption
    }

    /// The facts that the player reports to its session.
    package var facts: ParticipantFacts {
        var facts = ParticipantFacts()
        facts.isRunning = state == .playing
        facts.isStoppedByRouteLoss = state == .paused(reason: .routeLost)
        facts.streams = applied.streams
        if facts.isRunning, let current { facts.title = queue[current].path }
        return facts
    }

    package mutating func receive(_ event: PlayerEvent, _ counters: PlayerCounters) -> [PlayerAction] {
        var actions: [PlayerAction] = []
        handle(event, counters, &actions)
        announceItem(counters, &actions)
        checkEnd(counters, &actions)
        settle(counters, &actions)
        if case .close = event { actions += [.send(.request(.unfollow)), .send(.report(.left))] }
        return actions.beginning(with: .setGate(closed: true), unlessAfter: \.isAboutAnotherStream)
    }

    /// Returns the place of the next frame that the real-time thread reads.
    package func currentPlace(_ read: UInt64) -> PlaybackTimeline.Place {
        feed == .running ? timeline.place(at: read) ?? place : place
    }

    /// Whether the timeline is valid. Otherwise `place` counts.
    package var isPlaced: Bool { feed == .running && !timeline.isEmpty }

    mutating func handle(
        _ event: PlayerEvent, _ counters: PlayerCounters, _ actions: inout [PlayerAction]
    ) {
        switch event {
        case .load(let items): load(items, &actions)
        case .enqueue(let items): enqueue(items, &actions)
        case .play(let session): play(in: session, &actions)
        case .pause: pause(&actions)
        case .pauseFromDesktop: pauseFromDesktop(&actions)
        case .stop: stop(counters, &actions)
        case .sessionActivated: if wish == .play { play(&actions) }
        case .sessionInterrupted: interrupted(&actions)
        case .interruptionEnded(let shouldResume): interruptionEnded(shouldResume: shouldResume, &actions)
        case .activated(let activation, let state, let route): activated(activation, state, on: route, &actions)
        case .outputRegained(let route): outputRegained(route, &actions)
        case .sessionDeactivated: deactivated(&actions)
        case .outputLostMeanwhile(let port, let route): outputLostMeanwhile(port, from: route, &actions)
        case .seek(let target): seek(to: target, &actions)
        case .join: actions += [.send(.report(.joined(facts))), .send(.request(.follow))]
        case .close: load([], &actions)
        case .routeEndangered: routeEndangered()
        case .routeKept:
            dangerIsOver()
            awaitsRoute = false
            complaint = nil
            obeyHeldPause(&actions)
        case .outputLost(let port, let time, let session, let pauses):
            outputLost(port, at: time, in: session, pauses: pauses, &actions)
        case .routeChanged(let change):
            actions.append(.tell(.routeChanged(change)))
            awaitsRoute = false
        case .sessionManagerChanged(let isThere):
            if isThere { relinksLeft = Limits.relinks }
            if !applied.isActive { output?.needsRenewal = true }
        case .connectionLost:
            suspend(counters, &actions)
            closeOutput(&actions)
            // No event of the lost connection can end the danger any more.
            dangerIsOver()
            awaitsRoute = false
            isPauseHeld = false
            if state == .playing { enter(.paused(reason: .mediaServicesLost), &actions) }
        case .targetsChanged(let reason): actions.append(.send(.request(.retarget(reason))))
        case .outputChosen: replaceStream()
        case .streamPaused(let node):
            if output?.isRunning == true { output?.wasStopped = applied.isActive }
            if isEndangered { routeEndangered() }
            output?.node = node
            output?.isRunning = false
        case .streamRuns(let node):
            output?.node = node
            output?.isRunning = true
            output?.hasRun = true
            output?.wasStopped = false
            relinksLeft = Limits.relinks
            isUnserved = false
            complaint = nil
        case .streamLinked(let node):
            guard !applied.isActive, let output, output.hasRun, output.node == node else { break }
            self.output?.needsRenewal = true
            // A new stream holds no frames that could be heard before the route is known.
            self.output?.hasFallen = false
        case .streamUnserved(let error):
            complaint = error
            complain(&actions)
        case .streamFailed(let error): streamFailed(error, counters, &actions)
        case .decoder(let event): handle(event, counters, &actions)
        case .timer: relink()
        }
    }
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

extension PlayerAction {
    fileprivate var isAboutAnotherStream: Bool {
        switch self {
        case .openStream, .renewStream: true
        default: false
        }
    }
}

extension PlayerStateMachine {
    mutating func enter(_ state: AudioPlayer.State, _ actions: inout [PlayerAction]) {
        guard state != self.state else { return }
        self.state = state
        activations = []
        actions += [.send(.report(.changed(facts))), .tell(.stateChanged(state))]
    }
}
