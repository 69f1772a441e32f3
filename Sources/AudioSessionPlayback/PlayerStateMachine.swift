import AudioSessionCore

/// Decides what a player does. Does no I/O and knows no clock: it is told what happened and says what to do.
package struct PlayerStateMachine: Sendable {
    package private(set) var state = AudioPlayer.State.stopped
    package private(set) var queue: [AudioPlayer.Item] = []
    /// Where the ring's frames come from; empty until the decoder has begun.
    package private(set) var timeline = PlaybackTimeline()
    /// Where playing begins, while the timeline does not say better.
    package private(set) var place = PlaybackTimeline.Place(item: 0, frame: 0)
    /// The item that was last told of.
    package private(set) var current: Int?
    package var pausesOnRouteLoss: Bool
    /// Why to go on when the session is active again.
    package private(set) var wish = Wish.none
    private var output: Output?
    private var feed = Feed.idle
    /// There is enough in the ring to begin with.
    private var isPrimed = false
    private var end: End?
    private var generation: UInt64 = 0
    /// The queue's length when it was last played to its end.
    private var finishedCount = 0
    /// It was told that there is nothing to play to.
    private var isUnserved = false
    /// That there is nothing to play to, not yet told: while the output is in danger that is no news.
    private var complaint: PlaybackError?
    private var isEndangered = false
    /// From the loss of the output that paused the player until the user plays: making a stream inactive takes a
    /// round trip, the gate does not.
    private var isGateHeld = false
    /// After a loss the stream counts as ours until it is known where sound goes instead.
    private var awaitsRoute = false
    private var applied = Applied()

    package enum Wish: Sendable, Hashable {
        case none
        /// It played when it was interrupted.
        case goOn
        /// Somebody asked to play meanwhile.
        case play
    }

    private struct Output: Sendable {
        var format: AudioPlayer.Format
        var node: ObjectID?
        var isRunning = false
        var isDead = false
        /// It ran and stopped without being asked: its sink went, or the session manager moves it.
        var wasStopped = false
        /// That, and the output is in danger. Were it not made inactive, what a resampler still holds could be heard
        /// on the next sink before anybody has decided.
        var hasFallen = false
        /// A stream that was made inactive while the session manager linked it anew may never run again (seen with
        /// PipeWire 0.3.65), so another one takes its place.
        var needsRenewal = false
    }

    private enum Feed: Sendable, Hashable {
        /// The decoder has no order.
        case idle
        /// It has one and has not said where it began.
        case ordered
        /// The timeline tells what is in the ring.
        case running
    }

    private struct End: Sendable {
        var frame: UInt64
        var next: Int?
        var itemCount: Int
        /// The cycle by which the last frame is through resamplers and on its way.
        var drainedCycle: UInt64?
    }

    /// What was last asked for, so that nothing is asked for twice.
    private struct Applied: Sendable {
        var isActive = false
        var isGateClosed = false
        var keepsDecoding = false
        var streams: Set<ObjectID> = []
        var isAwaited = false
    }

    package init(pausesOnRouteLoss: Bool) { self.pausesOnRouteLoss = pausesOnRouteLoss }

    package mutating func receive(_ event: PlayerEvent, _ counters: PlayerCounters) -> [PlayerAction] {
        var actions: [PlayerAction] = []
        handle(event, counters, &actions)
        announceItem(counters, &actions)
        checkEnd(counters, &actions)
        settle(counters, &actions)
        return actions
    }

    /// The place of the next frame that the real-time thread takes.
    package func currentPlace(_ read: UInt64) -> PlaybackTimeline.Place {
        feed == .running ? timeline.place(at: read) ?? place : place
    }

    /// Whether the timeline holds; if not, `place` does.
    package var isPlaced: Bool { feed == .running && !timeline.isEmpty }

    private mutating func handle(
        _ event: PlayerEvent, _ counters: PlayerCounters, _ actions: inout [PlayerAction]
    ) {
        switch event {
        case .load(let items): load(items, &actions)
        case .enqueue(let items): enqueue(items, &actions)
        case .play: play(&actions)
        case .pause: pause(&actions)
        case .stop: stop(counters, &actions)
        case .sessionActivated: if wish == .play { play(&actions) }
        case .sessionInterrupted: interrupted(&actions)
        case .playWhenPermitted: playWhenPermitted(&actions)
        case .sessionDeactivated: deactivated(&actions)
        case .outputLostMeanwhile: outputLostMeanwhile(&actions)
        case .seek(let target): seek(to: target, &actions)
        case .close: load([], &actions)
        case .routeEndangered: routeEndangered()
        case .routeKept:
            dangerIsOver()
            complaint = nil
        case .becameNoisy(let port): becameNoisy(port, &actions)
        case .routeChanged(let change):
            actions.append(.tell(.routeChanged(change)))
            awaitsRoute = false
        case .sessionManagerChanged:
            if !applied.isActive { output?.needsRenewal = true }
        case .connectionLost:
            suspend(counters, &actions)
            closeOutput(&actions)
            if state == .playing { enter(.paused(reason: .mediaServicesLost), &actions) }
        case .streamPaused(let node):
            if output?.isRunning == true { output?.wasStopped = applied.isActive }
            if isEndangered { routeEndangered() }
            output?.node = node
            output?.isRunning = false
        case .streamRuns(let node):
            output?.node = node
            output?.isRunning = true
            output?.wasStopped = false
            isUnserved = false
            complaint = nil
        case .streamUnserved(let error):
            complaint = error
            complain(&actions)
        case .streamFailed(let error): streamFailed(error, counters, &actions)
        case .decoder(let event): handle(event, counters, &actions)
        case .timer: break
        }
    }
}

// MARK: - The user

extension PlayerStateMachine {
    private mutating func load(_ items: [AudioPlayer.Item], _ actions: inout [PlayerAction]) {
        closeOutput(&actions)
        queue = items
        finishedCount = 0
        place = PlaybackTimeline.Place(item: 0, frame: 0)
        actions.append(.setQueue(queue))
        enter(.stopped, &actions)
        current = items.isEmpty ? nil : 0
        actions.append(.tell(.itemChanged(items.first)))
    }

    private mutating func enqueue(_ items: [AudioPlayer.Item], _ actions: inout [PlayerAction]) {
        guard !items.isEmpty else { return }
        queue += items
        actions.append(.setQueue(queue))
        guard current == nil else { return }
        current = 0
        actions.append(.tell(.itemChanged(queue[0])))
    }

    private mutating func play(_ actions: inout [PlayerAction]) {
        guard !queue.isEmpty, state != .playing else { return }
        if state == .finished {
            place = PlaybackTimeline.Place(item: finishedCount < queue.count ? finishedCount : 0, frame: 0)
            announce(place.item, &actions)
        }
        awaitsRoute = false
        isGateHeld = false
        wish = .none
        enter(.playing, &actions)
    }

    private mutating func pause(_ actions: inout [PlayerAction]) {
        wish = .none
        switch state {
        case .playing, .paused: enter(.paused(reason: .user), &actions)
        case .stopped, .finished: break
        }
    }

    private mutating func stop(_ counters: PlayerCounters, _ actions: inout [PlayerAction]) {
        place = PlaybackTimeline.Place(item: current ?? 0, frame: 0)
        closeOutput(&actions)
        wish = .none
        enter(.stopped, &actions)
    }

    private mutating func seek(to target: PlaybackTimeline.Place, _ actions: inout [PlayerAction]) {
        guard queue.indices.contains(target.item) else { return }
        let item = queue[target.item]
        place = target
        place.frame = max(0, item.frameCount > 0 ? min(target.frame, item.frameCount) : target.frame)
        if let output, !output.isDead, output.format.isCompatible(with: item.format) {
            order(&actions)
        } else {
            closeOutput(&actions)
        }
        if state == .finished { enter(.paused(reason: .user), &actions) }
        announce(place.item, &actions)
        actions.append(.tell(.positionChanged(Duration(frames: place.frame, rate: item.format.sampleRate))))
    }
}

// MARK: - The session

extension PlayerStateMachine {
    private mutating func interrupted(_ actions: inout [PlayerAction]) {
        guard state == .playing else { return }
        wish = .goOn
        hush(.interrupted, &actions)
    }

    private mutating func playWhenPermitted(_ actions: inout [PlayerAction]) {
        guard !queue.isEmpty, state != .playing else { return }
        wish = .play
        enter(.paused(reason: .interrupted), &actions)
    }

    private mutating func deactivated(_ actions: inout [PlayerAction]) {
        wish = .none
        switch state {
        case .playing, .paused(reason: .interrupted): hush(.sessionInactive, &actions)
        case .paused, .stopped, .finished: break
        }
    }

    private mutating func outputLostMeanwhile(_ actions: inout [PlayerAction]) {
        guard case .paused(reason: .interrupted) = state else { return }
        wish = .none
        enter(.paused(reason: .routeLost), &actions)
    }

    /// Silent now, by the gate: making a stream inactive takes a round trip.
    private mutating func hush(_ reason: AudioPlayer.PauseReason, _ actions: inout [PlayerAction]) {
        isGateHeld = true
        enter(.paused(reason: reason), &actions)
    }
}

// MARK: - The route and the stream

extension PlayerStateMachine {
    private mutating func routeEndangered() {
        isEndangered = true
        guard output?.wasStopped == true else { return }
        output?.hasFallen = true
        output?.needsRenewal = true
    }

    private mutating func dangerIsOver() {
        isEndangered = false
        output?.hasFallen = false
    }

    private mutating func complain(_ actions: inout [PlayerAction]) {
        guard let error = complaint, !isEndangered else { return }
        complaint = nil
        guard state == .playing, !isUnserved else { return }
        isUnserved = true
        actions.append(.tell(.failed(error)))
    }

    private mutating func becameNoisy(_ port: PortDescription, _ actions: inout [PlayerAction]) {
        dangerIsOver()
        guard state == .playing else { return }
        actions.append(.tell(.becameNoisy(port)))
        guard pausesOnRouteLoss else { return complain(&actions) }
        complaint = nil
        awaitsRoute = true
        isGateHeld = true
        output?.needsRenewal = true
        enter(.paused(reason: .routeLost), &actions)
    }

    private mutating func streamFailed(
        _ error: PlaybackError, _ counters: PlayerCounters, _ actions: inout [PlayerAction]
    ) {
        guard let output, !output.isDead else { return }
        suspend(counters, &actions)
        self.output?.isDead = true
        self.output?.isRunning = false
        actions.append(.tell(.failed(error)))
        if state == .playing { enter(.paused(reason: .outputFailed), &actions) }
    }

    /// Remembers the place, because the ring is given up.
    private mutating func suspend(_ counters: PlayerCounters, _ actions: inout [PlayerAction]) {
        place = currentPlace(counters.read)
        endDecoding(&actions)
    }

    private mutating func closeOutput(_ actions: inout [PlayerAction]) {
        endDecoding(&actions)
        guard output != nil else { return }
        output = nil
        applied.isActive = false
        applied.isGateClosed = false
        actions.append(.closeStream)
    }

    private mutating func endDecoding(_ actions: inout [PlayerAction]) {
        if feed != .idle { actions.append(.endDecoding) }
        feed = .idle
        generation += 1
        timeline = PlaybackTimeline()
        end = nil
        isPrimed = false
        applied.keepsDecoding = false
    }

    private mutating func order(_ actions: inout [PlayerAction]) {
        generation += 1
        feed = .ordered
        timeline = PlaybackTimeline()
        end = nil
        isPrimed = false
        actions.append(.decode(place, generation: generation))
    }
}

// MARK: - The decoder

extension PlayerStateMachine {
    private mutating func handle(
        _ event: DecoderEvent, _ counters: PlayerCounters, _ actions: inout [PlayerAction]
    ) {
        guard event.generation == generation, feed != .idle else { return }
        switch event {
        case .began(_, let mark):
            feed = .running
            timeline.append(mark, read: counters.read)
            if let end, end.frame <= mark.start { self.end = nil }
        case .primed: isPrimed = true
        case .ended(_, let frame, let itemCount):
            feed = .running
            isPrimed = true
            end = End(frame: frame, itemCount: itemCount)
        case .needsOtherFormat(_, let frame, let next):
            feed = .running
            isPrimed = true
            end = End(frame: frame, next: next, itemCount: next)
        case .failed(_, let error): actions.append(.tell(.failed(error)))
        }
    }

    private mutating func announceItem(_ counters: PlayerCounters, _ actions: inout [PlayerAction]) {
        guard feed == .running, let place = timeline.place(at: counters.read) else { return }
        timeline.prune(counters.read)
        announce(place.item, &actions)
    }

    private mutating func announce(_ item: Int, _ actions: inout [PlayerAction]) {
        guard item != current, queue.indices.contains(item) else { return }
        current = item
        if output != nil { actions.append(.name(queue[item])) }
        actions.append(.tell(.itemChanged(queue[item])))
    }

    /// The end is not when the last frame was read, but when it is through.
    private mutating func checkEnd(_ counters: PlayerCounters, _ actions: inout [PlayerAction]) {
        guard state == .playing, let end, counters.read >= end.frame else { return }
        // The decoder is about to go on with what was added meanwhile.
        if end.next == nil, end.itemCount < queue.count { return }
        guard let cycle = end.drainedCycle else {
            self.end?.drainedCycle = counters.cycles + 2
            return
        }
        guard counters.cycles >= cycle else { return }
        closeOutput(&actions)
        if let next = end.next {
            place = PlaybackTimeline.Place(item: next, frame: 0)
            announce(next, &actions)
        } else {
            finishedCount = queue.count
            place = PlaybackTimeline.Place(item: queue.count - 1, frame: queue[queue.count - 1].frameCount)
            enter(.finished, &actions)
            actions.append(.tell(.finished))
        }
    }
}

// MARK: - What follows

extension PlayerStateMachine {
    private mutating func enter(_ state: AudioPlayer.State, _ actions: inout [PlayerAction]) {
        guard state != self.state else { return }
        self.state = state
        actions.append(.tell(.stateChanged(state)))
    }

    /// Asks for what the state needs and was not asked for yet.
    private mutating func settle(_ counters: PlayerCounters, _ actions: inout [PlayerAction]) {
        if state == .playing { provide(&actions) }
        steer(&actions)
        setStreams(&actions)
        wake(counters, &actions)
    }

    private mutating func provide(_ actions: inout [PlayerAction]) {
        if output?.isDead == true { closeOutput(&actions) }
        if output == nil {
            let item = queue[place.item]
            output = Output(format: item.format)
            actions.append(.openStream(item))
        }
        if feed == .idle { order(&actions) }
    }

    private mutating func steer(_ actions: inout [PlayerAction]) {
        guard let output, !output.isDead else { return }
        // A seek does not stop a stream that runs: the new sound is there within a cycle or two.
        let isActive = state == .playing && (isPrimed || applied.isActive) && !output.hasFallen
        if isActive, !applied.isActive, output.needsRenewal { renew(output, &actions) }
        let isGateClosed = isEndangered || isGateHeld
        if isGateClosed != applied.isGateClosed {
            applied.isGateClosed = isGateClosed
            actions.append(.setGate(closed: isGateClosed))
        }
        if isActive != applied.isActive {
            applied.isActive = isActive
            actions.append(.setActive(isActive))
        }
        let keepsDecoding = isActive && self.output?.isRunning == true && !isGateClosed
        if keepsDecoding != applied.keepsDecoding {
            applied.keepsDecoding = keepsDecoding
            actions.append(.keepDecoding(keepsDecoding))
        }
    }

    private mutating func renew(_ output: Output, _ actions: inout [PlayerAction]) {
        self.output = Output(format: output.format)
        applied.isGateClosed = false
        actions.append(.renewStream(queue[current ?? place.item]))
    }

    private mutating func setStreams(_ actions: inout [PlayerAction]) {
        var streams: Set<ObjectID> = []
        if let output, !output.isDead, let node = output.node, state == .playing || awaitsRoute { streams = [node] }
        guard streams != applied.streams else { return }
        applied.streams = streams
        actions.append(.setStreams(streams))
    }

    private mutating func wake(_ counters: PlayerCounters, _ actions: inout [PlayerAction]) {
        let wakeUp = nextWakeUp(counters)
        guard wakeUp != nil || applied.isAwaited else { return }
        applied.isAwaited = wakeUp != nil
        actions.append(.wake(after: wakeUp))
    }

    private func nextWakeUp(_ counters: PlayerCounters) -> WakeUp? {
        guard applied.keepsDecoding, let output else { return nil }
        if let end, end.frame <= counters.read {
            return end.next == nil && end.itemCount < queue.count ? nil : .cycles
        }
        let frames = [timeline.boundary(after: counters.read), end?.frame].compactMap { $0 }.min()
        return frames.map { .frames($0 - counters.read, rate: output.format.sampleRate) }
    }
}

extension DecoderEvent {
    fileprivate var generation: UInt64 {
        switch self {
        case .began(let generation, _), .primed(let generation), .ended(let generation, _, _),
            .needsOtherFormat(let generation, _, _), .failed(let generation, _):
            generation
        }
    }
}
