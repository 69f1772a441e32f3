/// What the user asks for.
extension PlayerStateMachine {
    mutating func load(_ items: [AudioPlayer.Item], _ actions: inout [PlayerAction]) {
        closeOutput(&actions)
        wish = .none
        activations = []
        isPauseHeld = false
        queue = items
        finishedCount = 0
        place = PlaybackTimeline.Place(item: 0, frame: 0)
        actions.append(.setQueue(queue))
        enter(.stopped, &actions)
        current = items.isEmpty ? nil : 0
        actions.append(.tell(.itemChanged(items.first)))
    }

    mutating func enqueue(_ items: [AudioPlayer.Item], _ actions: inout [PlayerAction]) {
        guard !items.isEmpty else { return }
        queue += items
        actions.append(.setQueue(queue))
        guard current == nil else { return }
        current = 0
        actions.append(.tell(.itemChanged(queue[0])))
    }

    mutating func play(_ actions: inout [PlayerAction]) {
        isPauseHeld = false
        guard !queue.isEmpty, state != .playing else { return }
        if state == .finished {
            place = PlaybackTimeline.Place(item: finishedCount < queue.count ? finishedCount : 0, frame: 0)
            announce(place.item, &actions)
        }
        awaitsRoute = false
        isGateHeld = false
        wish = .none
        relinksLeft = Limits.relinks
        enter(.playing, &actions)
    }

    mutating func pause(_ actions: inout [PlayerAction]) {
        isPauseHeld = false
        wish = .none
        activations = []
        switch state {
        case .playing, .paused: enter(.paused(reason: .user), &actions)
        case .stopped, .finished: break
        }
    }

    /// WirePlumber pauses players whose sink has gone (from 0.5.11 on), before or after that is a loss here. It is no wish of the
    /// user that they stay paused when the sink is back.
    mutating func pauseFromDesktop(_ actions: inout [PlayerAction]) {
        switch state {
        case .paused(reason: .routeLost): break
        case .playing where isEndangered: isPauseHeld = true
        default: pause(&actions)
        }
    }

    /// It is known what the pause was for.
    mutating func obeyHeldPause(_ actions: inout [PlayerAction]) {
        if isPauseHeld { pause(&actions) }
    }

    mutating func stop(_ counters: PlayerCounters, _ actions: inout [PlayerAction]) {
        place = PlaybackTimeline.Place(item: current ?? 0, frame: 0)
        closeOutput(&actions)
        wish = .none
        activations = []
        enter(.stopped, &actions)
    }

    mutating func seek(to target: PlaybackTimeline.Place, _ actions: inout [PlayerAction]) {
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

/// What the decoder tells, and what follows for the items that are heard.
extension PlayerStateMachine {
    mutating func handle(
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

    mutating func announceItem(_ counters: PlayerCounters, _ actions: inout [PlayerAction]) {
        guard feed == .running, let place = timeline.place(at: counters.read) else { return }
        timeline.prune(counters.read)
        announce(place.item, &actions)
    }

    mutating func announce(_ item: Int, _ actions: inout [PlayerAction]) {
        guard item != current, queue.indices.contains(item) else { return }
        current = item
        if output?.isReleased == false { actions.append(.name(queue[item])) }
        actions.append(.tell(.itemChanged(queue[item])))
    }

    /// The end is not when the last frame was read, but when it is through.
    mutating func checkEnd(_ counters: PlayerCounters, _ actions: inout [PlayerAction]) {
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

extension DecoderEvent {
    fileprivate var generation: UInt64 {
        switch self {
        case .began(let generation, _), .primed(let generation), .ended(let generation, _, _),
            .needsOtherFormat(let generation, _, _), .failed(let generation, _):
            generation
        }
    }
}
