import AudioSessionCore

/// This extension receives changes of the stream.
extension PlaybackStateMachine {
    mutating func streamPaused(_ node: ObjectID?) {
        let wasActive = steering.applied.isActive
        if steering.stream?.isRunning == true { steering.stream?.wasStopped = wasActive }
        if steering.isEndangered { routeEndangered() }
        steering.stream?.node = node
        steering.stream?.isRunning = false
    }

    mutating func streamRuns(_ node: ObjectID?) {
        steering.stream?.node = node
        steering.stream?.isRunning = true
        steering.stream?.hasRun = true
        steering.stream?.wasStopped = false
        // A gate trigger may have closed the gate although the output was not lost.
        if steering.applied.isGateClosed == false { steering.applied.isGateClosed = nil }
        expectLink()
    }

    mutating func streamLinked(_ node: ObjectID) {
        guard !steering.applied.isActive, let stream = steering.stream, stream.hasRun, stream.node == node else {
            return
        }
        steering.stream?.needsRenewal = true
        // Another stream holds nothing that could be heard before it is known where the sound goes.
        steering.stream?.hasFallen = false
    }

    mutating func streamFailed(_ error: AudioSessionError, _ counters: Counters, _ actions: inout [Action]) {
        guard let stream = steering.stream, !stream.isDead else { return }
        suspend(counters, &actions)
        steering.stream?.isDead = true
        steering.stream?.isRunning = false
        actions.append(.notify(.failed(error, at: steering.now)))
        if state == .playing { enter(.paused(reason: .outputFailed), &actions) }
    }
}

/// This extension steers the stream and its gate.
extension PlaybackStateMachine {
    /// Forgets the stream and what was requested of it.
    /// - Returns: Whether there was a stream to close.
    mutating func forgetStream() -> Bool {
        steering.pendingError = nil
        steering.isUnserved = false
        guard steering.stream != nil else { return false }
        steering.stream = nil
        steering.applied.isActive = false
        steering.applied.isGateClosed = false
        return true
    }

    /// Makes the stream sound, or not, and opens or closes its gate.
    mutating func steer(_ actions: inout [Action]) {
        guard let stream = steering.stream, !stream.isDead else { return }
        let applied = steering.applied
        // What is to be played may change without stopping a stream that runs.
        let isActive = state == .playing && (isPrimed || applied.isActive) && !stream.hasFallen
        if isActive, stream.needsRenewal, !applied.isActive || stream.isOutdated { renew(stream, &actions) }
        guard steering.stream?.isReleased == false else { return }
        let isGateClosed = steering.isEndangered || steering.isGateHeld
        if isGateClosed != steering.applied.isGateClosed {
            steering.applied.isGateClosed = isGateClosed
            actions.append(.setGate(closed: isGateClosed))
        }
        if isActive != steering.applied.isActive {
            steering.applied.isActive = isActive
            actions.append(.setActive(isActive))
            // The stream may just have been linked anew.
            if !isActive, !stream.isRunning { steering.stream?.needsRenewal = true }
        }
        if isActive, !isGateClosed { steering.stream?.hasSounded = true }
    }

    /// Whether the real-time thread takes what there is to play.
    var isTakingSound: Bool {
        let applied = steering.applied
        return applied.isActive && steering.stream?.isRunning == true && applied.isGateClosed == false
    }

    /// Releases a stream that does not play and may have an unfinished link, because PipeWire
    /// finishes no link of an inactive stream. WirePlumber 0.4.13 waits for that link before it
    /// chooses another default, if its parts happened to start in a certain order: headphones that
    /// come back would stay silent.
    mutating func releaseUnfinished(_ actions: inout [Action]) {
        guard let stream = steering.stream, !stream.isDead, !stream.isReleased else { return }
        guard stream.needsRenewal || !stream.hasRun, state != .playing, !steering.awaitsRoute else { return }
        steering.stream = OutputSteering.Stream(needsRenewal: true, isReleased: true)
        actions.append(.releaseStream)
    }

    private mutating func renew(_ stream: OutputSteering.Stream, _ actions: inout [Action]) {
        steering.stream = OutputSteering.Stream()
        streamRenewed()
        if steering.applied.isActive {
            steering.stream?.formerNode = stream.node ?? stream.formerNode
            steering.applied.isActive = false
            actions.append(.setActive(false))
        }
        steering.applied.isGateClosed = false
        actions.append(renewal)
    }

    /// Marks the stream to be replaced, even while it is active.
    mutating func replaceStream() {
        steering.stream?.needsRenewal = true
        steering.stream?.isOutdated = true
    }

    /// Expects a link also of a stream for which there was no output.
    mutating func expectLink() {
        steering.relinksLeft = OutputSteering.Limits.relinks
        steering.isUnserved = false
        steering.pendingError = nil
    }

    mutating func relink() {
        guard awaitsLink else { return }
        steering.relinksLeft -= 1
        steering.applied.isLinkAwaited = false
        replaceStream()
    }

    private var awaitsLink: Bool {
        guard let stream = steering.stream, !stream.isDead, !stream.isRunning else { return false }
        return steering.applied.isActive && steering.relinksLeft > 0 && !steering.isUnserved
            && steering.pendingError == nil
    }

    mutating func setStreams(_ actions: inout [Action]) {
        var streams: Set<ObjectID> = []
        if let stream = steering.stream, !stream.isDead, let node = stream.node ?? stream.formerNode,
            state == .playing || steering.awaitsRoute
        {
            streams = [node]
        }
        guard streams != steering.applied.streams else { return }
        steering.applied.streams = streams
        actions += [.send(.request(.setStreams(streams))), .send(.report(.moved(facts)))]
    }

    mutating func wake(_ counters: Counters, _ actions: inout [Action]) {
        // Other events do not postpone the deadline of a link.
        guard !(awaitsLink && steering.applied.isLinkAwaited) else { return }
        steering.applied.isLinkAwaited = awaitsLink
        let wakeUp = awaitsLink ? .time(OutputSteering.Limits.link) : nextWakeUp(counters)
        guard wakeUp != nil || steering.applied.isAwaited else { return }
        steering.applied.isAwaited = wakeUp != nil
        actions.append(.wake(after: wakeUp))
    }
}

extension Array where Element: PlaybackAction {
    /// With the closing of the gate first, unless its stream is made here: it must not wait for
    /// what takes time.
    var withGateFirst: Self {
        beginning(with: .setGate(closed: true), unlessAfter: \.makesStream)
    }
}
