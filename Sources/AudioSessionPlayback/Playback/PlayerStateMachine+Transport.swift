import AudioSessionCore

/// This extension receives the user's commands.
extension PlayerStateMachine {
    mutating func load(_ items: [AudioPlayer.Item], _ actions: inout [PlayerAction]) {
        closeOutput(&actions)
        intent = .none
        activations = []
        heldPause = .none
        queue = items
        finishedCount = 0
        position = PlaybackTimeline.Position(item: 0, frame: 0)
        actions.append(.setQueue(queue))
        enter(.stopped, &actions)
        current = items.isEmpty ? nil : 0
        actions.append(.notify(.itemChanged(items.first, at: steering.now)))
    }

    mutating func enqueue(_ items: [AudioPlayer.Item], _ actions: inout [PlayerAction]) {
        guard !items.isEmpty else { return }
        queue += items
        actions.append(.setQueue(queue))
        guard current == nil else { return }
        current = 0
        actions.append(.notify(.itemChanged(queue[0], at: steering.now)))
    }

    package mutating func play(_ actions: inout [PlayerAction]) {
        heldPause = .none
        guard !queue.isEmpty, state != .playing else { return }
        leaveEnd(&actions)
        begin(&actions)
    }

    package mutating func leaveEnd(_ actions: inout [PlayerAction]) {
        guard state == .finished else { return }
        position = PlaybackTimeline.Position(item: finishedCount < queue.count ? finishedCount : 0, frame: 0)
        announce(position.item, &actions)
    }

    mutating func pause(_ actions: inout [PlayerAction]) {
        heldPause = .none
        intent = .none
        activations = []
        switch state {
        case .playing, .paused: enter(.paused(reason: .user), &actions)
        case .stopped, .finished: break
        }
    }

    /// Pauses the player for a desktop client, unless the pause follows from a removed sink.
    ///
    /// WirePlumber 0.5.11 and later pauses players whose sink was removed, before or after the
    /// player detects the removal, and whether or not they play. Such a pause is not the user's, so
    /// it does not prevent resuming when the sink returns, or when the call ends for which a
    /// headset has switched its profile. The session decides what a lost output means.
    /// - Parameters:
    ///   - isAsleep: Whether the output is endangered because the computer sleeps.
    ///   - isOfSessionManager: Whether the session manager is known to be the client. A client in
    ///     another process namespace is not recognized, so the time of the pause counts as well.
    mutating func pauseFromDesktop(isAsleep: Bool, isOfSessionManager: Bool, _ actions: inout [PlayerAction]) {
        guard !isOfSessionManager else { return }
        let isForRemoval =
            steering.isEndangered && !isAsleep
            && steering.now.since(steering.endangeredAt) < OutputSteering.Limits.removal
        switch state {
        case .paused(reason: .routeLost): break
        case .paused(reason: .interrupted) where isForRemoval: break
        case .playing where steering.isEndangered: heldPause = isForRemoval ? .forRemoval : .byClient
        default: pause(&actions)
        }
    }

    /// Applies a held pause once its cause is known.
    package mutating func applyHeldPause(_ actions: inout [PlayerAction]) {
        if heldPause != .none { pause(&actions) }
    }

    package mutating func dropHeldPause() { heldPause = .none }

    package mutating func dropPauseForRemoval() { if heldPause == .forRemoval { heldPause = .none } }

    mutating func stop(_ actions: inout [PlayerAction]) {
        position = PlaybackTimeline.Position(item: current ?? 0, frame: 0)
        closeOutput(&actions)
        intent = .none
        activations = []
        enter(.stopped, &actions)
    }

    mutating func seek(
        to target: PlaybackTimeline.Position, _ counters: PlayerCounters, _ actions: inout [PlayerAction]
    ) {
        guard queue.indices.contains(target.item) else { return }
        let item = queue[target.item]
        let repetition = currentPosition(counters.read).repetition
        position = target
        position.repetition = repetition
        position.frame = max(0, item.frameCount > 0 ? min(target.frame, item.frameCount) : target.frame)
        if let stream = steering.stream, !stream.isDead, format?.isCompatible(with: item.format) == true {
            order(&actions)
        } else {
            closeOutput(&actions)
        }
        if state == .finished { enter(.paused(reason: .user), &actions) }
        announce(position.item, &actions)
        actions.append(
            .notify(
                .positionChanged(Duration(frames: position.frame, rate: item.format.sampleRate), at: steering.now)))
    }
}

/// This extension repeats the only item of the queue.
extension PlayerStateMachine {
    mutating func setRepetitions(
        _ count: Int, _ restarts: Bool, _ counters: PlayerCounters, _ actions: inout [PlayerAction]
    ) {
        if count != repetitions {
            repetitions = count
            actions.append(.setRepetitions(count))
        }
        var present = currentPosition(counters.read)
        if restarts, present.repetition > 0 {
            present.repetition = 0
            position = present
            if feed != .idle { order(&actions) }
        }
        dropSurplusRepetitions(counters, &actions)
    }

    /// Decodes from the current position again if the ring holds more repetitions than are wanted.
    private mutating func dropSurplusRepetitions(_ counters: PlayerCounters, _ actions: inout [PlayerAction]) {
        guard repetitions >= 0, feed == .running, let last = timeline.marks.last else { return }
        let present = currentPosition(counters.read)
        guard last.position.repetition > max(repetitions, present.repetition) else { return }
        position = present
        order(&actions)
    }

    /// Whether the decoder is about to continue or to end anew, because it has not received the
    /// last change of the queue or of the repetitions.
    func isContinuing(after end: End) -> Bool {
        end.next == nil && (end.itemCount < queue.count || end.repetitions != repetitions)
    }
}

/// This extension receives the decoder's events and updates the current item.
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
            dropSurplusRepetitions(counters, &actions)
        case .primed: isPrimed = true
        case .ended(_, let frame, let itemCount, let repetitions):
            feed = .running
            isPrimed = true
            end = End(frame: frame, itemCount: itemCount, repetitions: repetitions)
        case .needsOtherFormat(_, let frame, let next):
            feed = .running
            isPrimed = true
            end = End(frame: frame, next: next, itemCount: next)
        case .failed(_, let error): actions.append(.notify(.failed(error, at: steering.now)))
        }
    }

    mutating func announceItem(_ counters: PlayerCounters, _ actions: inout [PlayerAction]) {
        guard feed == .running, let position = timeline.position(at: counters.read) else { return }
        timeline.prune(counters.read)
        announce(position.item, &actions)
    }

    mutating func announce(_ item: Int, _ actions: inout [PlayerAction]) {
        guard item != current, queue.indices.contains(item) else { return }
        current = item
        if steering.stream?.isReleased == false { actions.append(.name(queue[item])) }
        actions.append(.notify(.itemChanged(queue[item], at: steering.now)))
    }

    /// Detects the end of playback: when the last frame has passed the resamplers, not when it was
    /// read.
    mutating func checkEnd(_ counters: PlayerCounters, _ actions: inout [PlayerAction]) {
        guard state == .playing, let end, counters.read >= end.frame else { return }
        if isContinuing(after: end) { return }
        guard let cycle = end.drainedCycle else {
            self.end?.drainedCycle = counters.cycles + 2
            return
        }
        guard counters.cycles >= cycle else { return }
        let reached = currentPosition(counters.read)
        closeOutput(&actions)
        if let next = end.next {
            position = PlaybackTimeline.Position(item: next, frame: 0)
            announce(next, &actions)
        } else {
            finishedCount = queue.count
            // Items after the current one could not be opened.
            let last = current ?? queue.count - 1
            let length = queue[last].frameCount
            let isUnknown = length == 0 && reached.item == last
            position = PlaybackTimeline.Position(item: last, frame: isUnknown ? reached.frame : length)
            enter(.finished, &actions)
            actions.append(.notify(.finished(at: steering.now)))
        }
    }
}

extension DecoderEvent {
    fileprivate var generation: UInt64 {
        switch self {
        case .began(let generation, _), .primed(let generation), .ended(let generation, _, _, _),
            .needsOtherFormat(let generation, _, _), .failed(let generation, _):
            generation
        }
    }
}
