/// The lost outputs that stopped a session's sound.
struct RouteLosses: Sendable {
    /// The lost output of which participants are about to be notified.
    var last: (output: String, time: MonotonicTime)?
    /// Whether a loss stopped sound that the program renders itself, and the program has not shown
    /// since that it plays again.
    var isOwnSoundStopped = false
    /// Whether the session recorded when it was interrupted.
    var wasRecording = false
    /// The participants that a loss had stopped, and those that ran, at the last evaluation.
    var stopped: Set<ParticipantID> = []
    var running: Set<ParticipantID> = []
    /// The stopped participants after whose stop the user has started another one. They stop the
    /// session no longer.
    var overruled: Set<ParticipantID> = []
}

extension SessionStateMachine {
    mutating func participantChanged(
        _ id: ParticipantID, _ change: SessionInput.ParticipantChange,
        _ surroundings: some SessionSurroundings
    ) {
        switch change {
        case .joined(let facts):
            participants[id] = facts
            actions.append(.sendTo(id, .ducked(gain)))
        case .left:
            participants[id] = nil
            followStreams()
            actions.append(setSounding)
            updateSilence(surroundings)
        case .changed(let facts):
            guard participants[id] != nil else { return }
            participants[id] = facts
            updateRouteLoss(surroundings)
            // A recorder that stops keeps its node. Its facts may be known from another report.
            if setStreams != followedStreams { followStreams() }
            actions.append(setSounding)
            updateSilence(surroundings)
            actions.append(.updateSound)
        case .moved(let facts):
            guard participants[id] != nil else { return }
            participants[id] = facts
            updateSilence(surroundings)
            followStreams()
            actions.append(.updateSound)
        case .muted(let facts):
            guard participants[id] != nil else { return }
            participants[id] = facts
            updateSilence(surroundings)
        case .losesOutput(let output, let time): losses.last = (output, time)
        }
    }

    private var setSounding: SessionAction {
        .ask(.setSounding(participants.values.contains(where: \.isRunning)))
    }

    private mutating func followStreams() {
        followedStreams = setStreams
        actions.append(followedStreams)
    }

    private var setStreams: SessionAction {
        let streams = participants.values.filter(\.isHeard).reduce(into: Set()) { $0.formUnion($1.streams) }
        return .ask(.setStreams(streams, recordingFrom: Set(participants.values.compactMap(\.source))))
    }

    // MARK: Loss

    /// Whether the program renders the session's sound itself, and is expected to pause by itself.
    private var rendersItself: Bool { !participants.values.contains(where: \.isHeard) }

    mutating func lost(
        _ port: PortDescription, at time: MonotonicTime, _ surroundings: some SessionSurroundings
    ) {
        let pauses = configuration.pausesWhenOutputDisappears
        switch state {
        case .active where pauses:
            actions.append(.notify(.becameNoisy(port, at: time)))
            stopOwnSound(port, at: time, surroundings)
        case .active: break
        case .interrupted, .inactive:
            // A session that holds a claim after an interruption may still resume.
            guard state == .interrupted || surroundings.status?.state == .advised else { return }
            losses.last = (port.outputID, time)
            guard pauses else { return }
            actions.append(.send(.outputLost(port)))
            // While it is interrupted, the end without advice is enough.
            if state == .inactive { actions.append(.notify(.becameNoisy(port, at: time))) }
            stopOwnSound(port, at: time, surroundings)
        }
    }

    /// Counts the program's own sound as stopped. Otherwise the program would be advised to resume
    /// on another output when an interruption ends.
    private mutating func stopOwnSound(
        _ port: PortDescription, at time: MonotonicTime, _ surroundings: some SessionSurroundings
    ) {
        guard rendersItself, configuration.pausesOnRouteLoss else { return }
        losses.isOwnSoundStopped = true
        updateRouteLoss(surroundings)
        receive(replug: .stopped(byLossOf: port.outputID, at: time), surroundings)
    }

    mutating func forgetOwnLoss() {
        guard losses.isOwnSoundStopped else { return }
        losses.isOwnSoundStopped = false
        actions.append(setStoppedByRouteLoss)
    }

    private var setStoppedByRouteLoss: SessionAction {
        // A recorder continues after the loss of an output, and resumes after an interruption.
        let records = state == .active ? isRecording : losses.wasRecording
        return .ask(.setStoppedByRouteLoss(losses.isOwnSoundStopped && !records || areStoppedByRouteLoss))
    }

    var isRecording: Bool { participants.values.contains { $0.isRunning && !$0.isHeard } }

    /// Whether a lost output keeps participants silent, and the user has started no other since.
    var areStoppedByRouteLoss: Bool {
        participants.contains { $1.isStoppedByRouteLoss && !losses.overruled.contains($0) }
    }

    private mutating func updateRouteLoss(_ surroundings: some SessionSurroundings) {
        let stopped = Set(participants.lazy.filter(\.value.isStoppedByRouteLoss).map(\.key))
        let running = Set(participants.lazy.filter { $1.isRunning && $1.isHeard }.map(\.key))
        // A participant that starts, or that a loss does not stop any more, shows another intention
        // of the user.
        let hasStarted = !running.isSubset(of: losses.running)
        let isOverruled = hasStarted || !losses.stopped.isSubset(of: stopped)
        let hasStopped = !stopped.isSubset(of: losses.stopped)
        if hasStarted {
            losses.overruled.formUnion(losses.stopped)
            losses.isOwnSoundStopped = false
        }
        losses.overruled.formIntersection(stopped)
        (losses.stopped, losses.running) = (stopped, running)
        if isOverruled { receive(replug: .overruled, surroundings) }
        if hasStopped, let last = losses.last {
            receive(replug: .stopped(byLossOf: last.output, at: last.time), surroundings)
        }
        actions.append(setStoppedByRouteLoss)
    }

    // MARK: Advice

    /// Receives an input of the replug state machine. Listeners are notified before participants
    /// resume, so that the program can decide first.
    mutating func receive(
        replug event: ReplugStateMachine.Event, _ surroundings: some SessionSurroundings
    ) {
        guard replug.receive(event) else { return }
        readOthers(surroundings)
        // A session that is not active any more does not resume over other programs.
        guard state == .active || !otherAudio.isPrimaryPlaying else { return }
        actions.append(.notify(.resumeAdvice(reason: .routeRestored, at: now)))
        forgetOwnLoss()
        for id in participants.keys where participants[id]?.isStoppedByRouteLoss == true {
            actions.append(.sendTo(id, .outputRegained))
        }
    }
}
