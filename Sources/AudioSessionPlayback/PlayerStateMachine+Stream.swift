import AudioSessionCore

/// This extension receives events of the stream.
extension PlayerStateMachine {
    mutating func streamFailed(
        _ error: PlaybackError, _ counters: PlayerCounters, _ actions: inout [PlayerAction]
    ) {
        guard let output, !output.isDead else { return }
        suspend(counters, &actions)
        self.output?.isDead = true
        self.output?.isRunning = false
        actions.append(.tell(.failed(error)))
        if state == .playing { enter(.paused(reason: .outputFailed), &actions) }
    }

    /// Stores the place, because the ring is released.
    mutating func suspend(_ counters: PlayerCounters, _ actions: inout [PlayerAction]) {
        place = currentPlace(counters.read)
        endDecoding(&actions)
    }

    mutating func closeOutput(_ actions: inout [PlayerAction]) {
        endDecoding(&actions)
        complaint = nil
        isUnserved = false
        guard output != nil else { return }
        output = nil
        applied.isActive = false
        applied.isGateClosed = false
        actions.append(.closeStream)
    }

    mutating func endDecoding(_ actions: inout [PlayerAction]) {
        if feed != .idle { actions.append(.endDecoding) }
        feed = .idle
        generation += 1
        timeline = PlaybackTimeline()
        end = nil
        isPrimed = false
        applied.keepsDecoding = false
    }

    mutating func order(_ actions: inout [PlayerAction]) {
        generation += 1
        feed = .ordered
        timeline = PlaybackTimeline()
        end = nil
        isPrimed = false
        actions.append(.decode(place, generation: generation))
    }
}

/// This extension controls the stream.
extension PlayerStateMachine {
    /// Appends the actions that the state requires and that were not issued yet.
    mutating func settle(_ counters: PlayerCounters, _ actions: inout [PlayerAction]) {
        if state == .playing { provide(&actions) }
        steer(&actions)
        setStreams(&actions)
        wake(counters, &actions)
    }

    mutating func provide(_ actions: inout [PlayerAction]) {
        if output?.isDead == true { closeOutput(&actions) }
        if output == nil {
            let item = queue[place.item]
            output = Output(format: item.format)
            actions.append(.openStream(item))
        }
        if feed == .idle { order(&actions) }
    }

    mutating func steer(_ actions: inout [PlayerAction]) {
        guard let output, !output.isDead else { return }
        // A seek does not stop a running stream. The new sound is there within a cycle or two.
        let isActive = state == .playing && (isPrimed || applied.isActive) && !output.hasFallen
        if isActive, output.needsRenewal, !applied.isActive || output.isOutdated { renew(output, &actions) }
        guard self.output?.isReleased == false else { return }
        let isGateClosed = isEndangered || isGateHeld
        if isGateClosed != applied.isGateClosed {
            applied.isGateClosed = isGateClosed
            actions.append(.setGate(closed: isGateClosed))
        }
        if isActive != applied.isActive {
            applied.isActive = isActive
            actions.append(.setActive(isActive))
            // The session manager may just have linked it again.
            if !isActive, !output.isRunning { self.output?.needsRenewal = true }
        }
        if isActive, !isGateClosed { self.output?.hasSounded = true }
        let keepsDecoding = isActive && self.output?.isRunning == true && !isGateClosed
        if keepsDecoding != applied.keepsDecoding {
            applied.keepsDecoding = keepsDecoding
            actions.append(.keepDecoding(keepsDecoding))
        }
        let isUnfinished = self.output?.needsRenewal == true || !output.hasRun
        if isUnfinished, state != .playing, !awaitsRoute { release(output, &actions) }
    }

    /// Releases a stream after it was linked, because PipeWire finishes no link of an inactive
    /// stream.
    ///
    /// Depending on the order in which its parts start, WirePlumber 0.4.13 waits for that link
    /// before it selects another default. Headphones that are plugged in again would then stay
    /// silent.
    mutating func release(_ output: Output, _ actions: inout [PlayerAction]) {
        self.output = Output(format: output.format, needsRenewal: true, isReleased: true)
        actions.append(.releaseStream)
    }

    mutating func renew(_ output: Output, _ actions: inout [PlayerAction]) {
        self.output = Output(format: output.format)
        // Each stream counts its own cycles.
        end?.drainedCycle = nil
        if applied.isActive {
            self.output?.formerNode = output.node ?? output.formerNode
            applied.isActive = false
            actions.append(.setActive(false))
        }
        applied.isGateClosed = false
        actions.append(.renewStream(queue[current ?? place.item]))
    }

    /// Replaces the stream by a new one, even while it is active.
    mutating func replaceStream() {
        output?.needsRenewal = true
        output?.isOutdated = true
    }

    mutating func relink() {
        guard awaitsLink else { return }
        relinksLeft -= 1
        applied.isLinkAwaited = false
        replaceStream()
    }

    var awaitsLink: Bool {
        guard let output, !output.isDead, !output.isRunning else { return false }
        return applied.isActive && relinksLeft > 0 && !isUnserved && complaint == nil
    }

    mutating func setStreams(_ actions: inout [PlayerAction]) {
        var streams: Set<ObjectID> = []
        if let output, !output.isDead, let node = output.node ?? output.formerNode, state == .playing || awaitsRoute {
            streams = [node]
        }
        guard streams != applied.streams else { return }
        applied.streams = streams
        actions += [.send(.request(.setStreams(streams))), .send(.report(.moved(facts)))]
    }

    mutating func wake(_ counters: PlayerCounters, _ actions: inout [PlayerAction]) {
        // Other events do not delay the deadline of the link.
        guard !(awaitsLink && applied.isLinkAwaited) else { return }
        applied.isLinkAwaited = awaitsLink
        let wakeUp = nextWakeUp(counters)
        guard wakeUp != nil || applied.isAwaited else { return }
        applied.isAwaited = wakeUp != nil
        actions.append(.wake(after: wakeUp))
    }

    func nextWakeUp(_ counters: PlayerCounters) -> WakeUp? {
        if awaitsLink { return .time(Limits.link) }
        guard applied.keepsDecoding, let output else { return nil }
        if let end, end.frame <= counters.read {
            return end.next == nil && end.itemCount < queue.count ? nil : .cycles
        }
        let frames = [timeline.boundary(after: counters.read), end?.frame].compactMap { $0 }.min()
        return frames.map { .frames($0 - counters.read, rate: output.format.sampleRate) }
    }
}
