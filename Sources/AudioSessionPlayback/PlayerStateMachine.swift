package import AudioSessionCore

/// Decides what a player does. Does no I/O and knows no clock: it is told what happened and says what to do.
package struct PlayerStateMachine: Sendable {
    package internal(set) var state = AudioPlayer.State.stopped
    package internal(set) var queue: [AudioPlayer.Item] = []
    /// Where the ring's frames come from; empty until the decoder has begun.
    package internal(set) var timeline = PlaybackTimeline()
    /// Where playing begins, while the timeline does not say better.
    package internal(set) var place = PlaybackTimeline.Place(item: 0, frame: 0)
    /// The item that was last told of.
    package internal(set) var current: Int?
    package var pausesOnRouteLoss: Bool
    package var resumesAfterInterruption: Bool
    /// Why to go on when the session is active again.
    package internal(set) var wish = Wish.none
    /// What waits for the session's activation. A pause, a stop and any change of the state cancel it.
    package internal(set) var activations: Set<PlayerActivation> = []
    var output: Output?
    var feed = Feed.idle
    /// There is enough in the ring to begin with.
    var isPrimed = false
    var end: End?
    var generation: UInt64 = 0
    /// The queue's length when it was last played to its end.
    var finishedCount = 0
    /// It was told that there is nothing to play to.
    var isUnserved = false
    /// That there is nothing to play to, not yet told: while the output is in danger that is no news.
    var complaint: PlaybackError?
    var isEndangered = false
    /// A pause came from the desktop while the output was in danger.
    var isPauseHeld = false
    /// From the loss of the output that paused the player until the user plays: making a stream inactive takes a
    /// round trip, the gate does not.
    var isGateHeld = false
    /// After a loss the stream counts as ours until it is known where sound goes instead.
    var awaitsRoute = false
    var applied = Applied()
    /// How often another stream may still take the place of one that the session manager does not let run. WirePlumber 0.4.13
    /// leaves one of some hundred without a link that come while it starts or takes a card.
    var relinksLeft = Limits.relinks

    enum Limits {
        static let relinks = 3
        /// For a session manager to link a stream.
        static let link = Duration.seconds(3)
    }

    package enum Wish: Sendable, Hashable {
        case none
        /// It played when it was interrupted.
        case goOn
        /// Somebody asked to play meanwhile.
        case play
    }

    struct Output: Sendable {
        var format: AudioPlayer.Format
        var node: ObjectID?
        var isRunning = false
        var hasRun = false
        /// It was active with its gate open.
        var hasSounded = false
        var isDead = false
        /// It ran and stopped without being asked: its sink went, or the session manager moves it.
        var wasStopped = false
        /// That, and the output is in danger. Were it not made inactive, what a resampler still holds could be heard
        /// on the next sink before anybody has decided.
        var hasFallen = false
        /// A stream that was made inactive while the session manager linked it anew may never run again (seen with
        /// PipeWire 0.3.65), so another one takes its place.
        var needsRenewal = false
        /// It asks for another output than the session has chosen, and is replaced even while it runs.
        var isOutdated = false
        /// The stream that this one took the place of: until this one runs, the route is still that one's.
        var formerNode: ObjectID?
        /// There is a ring, but no stream until the player plays.
        var isReleased = false
    }

    enum Feed: Sendable, Hashable {
        /// The decoder has no order.
        case idle
        /// It has one and has not said where it began.
        case ordered
        /// The timeline tells what is in the ring.
        case running
    }

    struct End: Sendable {
        var frame: UInt64
        var next: Int?
        var itemCount: Int
        /// The cycle by which the last frame is through resamplers and on its way.
        var drainedCycle: UInt64?
    }

    /// What was last asked for, so that nothing is asked for twice.
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

    /// What the session knows of the player.
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

    /// The place of the next frame that the real-time thread takes.
    package func currentPlace(_ read: UInt64) -> PlaybackTimeline.Place {
        feed == .running ? timeline.place(at: read) ?? place : place
    }

    /// Whether the timeline holds; if not, `place` does.
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
            // Whoever saw the danger is gone as well.
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
            // Another one holds nothing that could be heard before it is known where the sound goes.
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
    /// With this element first: the closing of a gate must not wait for what takes time.
    /// - Parameter isBarrier: of elements that have to stay before it, because they make the stream that it is about.
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
