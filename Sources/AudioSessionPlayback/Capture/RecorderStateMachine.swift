package import AudioSessionCore

/// The state machine of a recorder, or of an input, which is a recording without a file. It has no
/// I/O and no clock: it receives events with their times and returns actions.
package struct RecorderStateMachine: Sendable {
    package internal(set) var state = AudioRecorder.State.stopped
    /// The input of the current or last recording.
    package internal(set) var input: PortDescription?
    package var continuesAfterInterruption: Bool
    /// Whether a paused recording stays paused when it cannot resume by itself, or its session
    /// ends.
    let keepsPausedRecordings: Bool
    /// Whether another microphone replaces one that is lost.
    let continuesOnOtherInput: Bool
    /// The name of a recording without a file, for the user.
    let title: String
    /// The number of the current or last recording.
    package internal(set) var recording: UInt64 = 0
    /// The path of the recording's file; `nil` without a file.
    package internal(set) var path: String?
    package internal(set) var request = Request.none
    /// The number of calls of `record` that have not returned.
    private var recordCalls = 0
    /// The number of calls of `resume` that have not returned.
    private var resumeCalls = 0
    /// The recordings that have ended but whose files are not closed.
    var finishing: [UInt64: AudioRecorder.FinishReason] = [:]
    var hasStream = false
    /// The number of the current or last stream.
    private var streamNumber: UInt64 = 0
    /// The node of the stream.
    var node: ObjectID?
    var observation = InputObservation()
    var link = Link()
    var mutes: Set<AudioRecorder.Muter> = []
    var reportedMutes: Set<AudioRecorder.Muter> = []
    /// The mute that was last reported to the session.
    var reportedMute = false
    var applied = Applied()
    var progress = Progress()
    /// How many more streams may replace one that the session manager does not link.
    ///
    /// WirePlumber 0.4.13 leaves one stream of some hundred without a link if they appear while it
    /// starts or takes a card.
    var relinksLeft = Limits.relinks
    /// When the event that is being received happened.
    var now = MonotonicTime(nanoseconds: 0)

    /// A call that waits for the session's activation, or for its file.
    package enum Request: Sendable, Hashable {
        case none
        case record
        /// A call of `record` that was cancelled by `pause` or `stop`. It starts nothing.
        case cancelledRecord
        case resume
    }

    /// The state of the path from the microphone to the stream.
    struct Link: Sendable {
        /// Whether the microphone is missing, moved or changed. Later events decide whether it was
        /// lost.
        var isSuspect = false
        /// The deadline for a microphone to appear.
        var deadline: MonotonicTime?
        /// The time since which the stream has no link although a microphone is available.
        var awaited: MonotonicTime?
        /// The source of the last link. It counts while the session manager moves the stream.
        var source: ObjectID?
        /// Whether the jack counted as empty when its microphone was first used, so that it is not
        /// a change.
        var isKnownGone = false
    }

    /// The last requests, so that none is repeated.
    struct Applied: Sendable {
        /// Whether the gate is closed; `nil` if it may have closed by itself.
        var isGateClosed: Bool?
        var isMuted = false
        var wake: MonotonicTime?
    }

    struct Progress: Sendable {
        var frames: UInt64 = 0
        var dropped: UInt64 = 0
        /// The number of successive checks in which no frame had arrived.
        var idleChecks = 0
        var nextCheck: MonotonicTime?
        /// Whether the input has been zeros for a while, muted or not.
        var areZeros = false
        /// When the last mute ended.
        var unmuteTime: MonotonicTime?
        var isSilenceReported = false
    }

    /// The time limits for events that are known to follow.
    enum Limits {
        static let relinks = 3
        /// The limit for the session manager to link a new stream to a microphone.
        static let start = Duration.seconds(3)
        /// The limit for a card to show a missing microphone again, because its profile may be
        /// switching.
        static let suspicion = Duration.seconds(1)
        /// The limit for a session manager to restart and to re-create its devices.
        static let restart = Duration.seconds(3)
        /// The interval between two checks of whether sound arrives. Two failed checks are
        /// required, because a process that was stopped fails once.
        static let check = Duration.seconds(1)
        /// How long an input must be only zeros, and not muted, until that is reported.
        static let silence = Duration.seconds(2)
    }

    package init(
        continuesAfterInterruption: Bool, keepsPausedRecordings: Bool = false,
        continuesOnOtherInput: Bool = false, isMuted: Bool = false, title: String = "Recording"
    ) {
        self.continuesAfterInterruption = continuesAfterInterruption
        self.keepsPausedRecordings = keepsPausedRecordings
        self.continuesOnOtherInput = continuesOnOtherInput
        self.title = title
        if isMuted { mutes = [.program] }
    }

    /// Whether the recording is silent because its input is muted.
    package var isMuted: Bool { state == .recording && !mutes.isEmpty }

    /// Whether a call of `record` is in progress.
    package var isStarting: Bool { request == .record || request == .cancelledRecord }

    /// The facts that the recorder reports to its session.
    package var facts: ParticipantFacts {
        var facts = ParticipantFacts()
        facts.isHeard = false
        facts.isInputMuted = isMuted
        guard state == .recording else { return facts }
        (facts.isRunning, facts.source, facts.title) = (true, link.source, path ?? title)
        return facts
    }

    func isFinishing(_ recording: UInt64) -> Bool { finishing[recording] != nil }

    package mutating func receive(_ event: RecorderEvent, _ counters: RecorderCounters) -> [RecorderAction] {
        now = counters.now
        var actions: [RecorderAction] = []
        notifyOverrun(counters, &actions)
        handle(event, counters, &actions)
        let isOtherMute = isMuted != reportedMute
        if isOtherMute, !isMuted { progress.unmuteTime = now }
        settle(&actions)
        if isOtherMute {
            reportedMute = isMuted
            // Listeners are notified later, and read the session.
            actions.insert(.send(.report(.muted(facts))), at: 0)
        }
        return actions.beginning(with: .setGate(closed: true), unlessAfter: \.isAboutAnotherStream)
    }

    private mutating func handle(
        _ event: RecorderEvent, _ counters: RecorderCounters, _ actions: inout [RecorderAction]
    ) {
        switch event {
        case .recordRequested:
            request = .record
            recordCalls += 1
        case .record(let path): record(path, &actions)
        case .recordReturned:
            recordCalls -= 1
            if isStarting, recordCalls == 0 { request = .none }
        case .pause:
            cancelRequest()
            pause(.user, &actions)
        case .resumeRequested:
            resumeCalls += 1
            if !isStarting { request = .resume }
        case .resumeReturned:
            resumeCalls -= 1
            if request == .resume, resumeCalls == 0 { request = .none }
        case .resume:
            guard request == .resume else { return }
            request = .none
            resume(&actions)
        case .stop:
            cancelRequest()
            finish(.stopped, &actions)
        case .join: actions.append(.send(.report(.joined(facts))))
        case .close:
            cancelRequest()
            finish(.stopped, &actions)
            actions.append(.send(.report(.left)))
        case .sessionInterrupted: interrupted(&actions)
        case .interruptionEnded(let shouldResume): interruptionEnded(shouldResume: shouldResume, &actions)
        case .activationEnded(let state, let isGranted): activationEnded(state, isGranted: isGranted, &actions)
        case .sessionDeactivated: endWithSession(.sessionDeactivated, &actions)
        case .configurationChanged(let allowsRecording):
            if !allowsRecording { endWithSession(.categoryChanged, &actions) }
        case .inputChosen(let source): inputChosen(source, &actions)
        case .muted(let isMuted): setMute(.program, isMuted)
        case .inputChanged: observeInput(&actions)
        case .observed(let observation): observed(observation, &actions)
        case .connectionLost: finish(.mediaServicesLost, &actions)
        case .streamNode(let node):
            self.node = node
            observeInput(&actions)
        case .streamFailed(let error): fail(error, &actions)
        case .writer(let event): handle(event, &actions)
        case .timer: timer(counters, &actions)
        }
    }
}

extension RecorderAction {
    fileprivate var isAboutAnotherStream: Bool { if case .openStream = self { true } else { false } }
}

// MARK: - The file and the stream

extension RecorderStateMachine {
    private mutating func handle(_ event: WriterEvent, _ actions: inout [RecorderAction]) {
        switch event {
        case .failed(let number, let error):
            if number == recording, state != .stopped {
                fail(error, &actions)
            } else if finishing[number] != nil {
                // This is an error at the end of the file, which is written after the recording has
                // stopped.
                finishing[number] = .failed
                actions.append(.notify(.failed(error, at: now)))
            }
        // The event of a former stream may arrive late. Its zeros are those of another microphone.
        case .zeros(let number, let areZeros): if number == streamNumber { progress.areZeros = areZeros }
        case .finished(let number, let result):
            guard let reason = finishing.removeValue(forKey: number) else { return }
            actions.append(.notify(.finished(result, reason: reason, at: now)))
        }
    }

    /// Reports that the input is only zeros, unless a mute explains it.
    private mutating func notifySilence(_ actions: inout [RecorderAction]) {
        guard progress.areZeros else {
            progress.isSilenceReported = false
            return
        }
        guard state == .recording, mutes.isEmpty, !progress.isSilenceReported else { return }
        if let unmuteTime = progress.unmuteTime, now < unmuteTime + Limits.silence { return }
        progress.isSilenceReported = true
        actions.append(.notify(.microphoneSilent(at: now)))
    }

    /// Makes the stream of a recording. It exists only while it records.
    ///
    /// A stream that pauses may never run again if the session manager relinks it meanwhile (seen
    /// with PipeWire 0.3.65). It would also show a microphone in use that is not.
    mutating func open(_ actions: inout [RecorderAction]) {
        hasStream = true
        streamNumber += 1
        applied = Applied(wake: applied.wake)
        progress = Progress()
        observation = InputObservation()
        node = nil
        mutes.remove(.user)
        awaitMicrophone()
        actions.append(.openStream(recording: recording, stream: streamNumber))
        actions.append(.send(.request(.followInputs(true))))
    }

    /// Replaces the stream by another one, which appends to the recording.
    mutating func reopen(_ actions: inout [RecorderAction]) {
        release(&actions)
        actions.append(.pauseWriting)
        open(&actions)
    }

    /// Closes the gate, then releases the stream, because destroying a stream takes longer.
    mutating func release(_ actions: inout [RecorderAction]) {
        guard hasStream else { return }
        if applied.isGateClosed != true { actions.append(.setGate(closed: true)) }
        actions.append(.send(.request(.followInputs(false))))
        actions.append(.closeStream)
        hasStream = false
        link = Link(isKnownGone: link.isKnownGone)
    }

    private mutating func notifyOverrun(_ counters: RecorderCounters, _ actions: inout [RecorderAction]) {
        guard state != .stopped, counters.dropped > progress.dropped else { return }
        actions.append(.notify(.overrun(frames: Int(counters.dropped - progress.dropped), at: now)))
        progress.dropped = counters.dropped
    }

    private mutating func timer(_ counters: RecorderCounters, _ actions: inout [RecorderAction]) {
        applied.wake = nil
        if let deadline = link.deadline, deadline <= now { decide(&actions) }
        guard state == .recording, let next = progress.nextCheck, next <= now else { return }
        progress.nextCheck = now + Limits.check
        progress.idleChecks = counters.frames == progress.frames && isLinked ? progress.idleChecks + 1 : 0
        progress.frames = counters.frames
        if progress.idleChecks >= 2 { fail(.silentInput, &actions) }
    }

    /// Appends the actions that the state requires and that were not issued yet.
    private mutating func settle(_ actions: inout [RecorderAction]) {
        notifyMutes(&actions)
        notifySilence(&actions)
        if hasStream { steer(&actions) }
        if state != .recording {
            progress.nextCheck = nil
        } else if progress.nextCheck == nil {
            progress.nextCheck = now + Limits.check
            progress.idleChecks = 0
        }
        let wake = [link.deadline, progress.nextCheck].compactMap { $0 }.min()
        guard wake != applied.wake else { return }
        applied.wake = wake
        actions.append(.wake(at: wake))
    }

    private mutating func steer(_ actions: inout [RecorderAction]) {
        // Before a microphone is known, the stream may be linked to a sink's monitor.
        let isGateClosed = link.isSuspect || observation.port == nil
        if isGateClosed != applied.isGateClosed {
            applied.isGateClosed = isGateClosed
            actions.append(.setGate(closed: isGateClosed))
        }
        let isMuted = mutes.contains(.program)
        if isMuted != applied.isMuted {
            applied.isMuted = isMuted
            actions.append(.setMuted(isMuted))
        }
    }

    private mutating func notifyMutes(_ actions: inout [RecorderAction]) {
        guard state == .recording else { return }
        for muter in AudioRecorder.Muter.allCases where mutes.contains(muter) != reportedMutes.contains(muter) {
            // The mute of a microphone that is not linked yet is unknown.
            if muter == .user, observation.source == nil { continue }
            let isMuted = mutes.contains(muter)
            if isMuted { reportedMutes.insert(muter) } else { reportedMutes.remove(muter) }
            actions.append(
                .notify(isMuted ? .microphoneMuted(by: muter, at: now) : .microphoneUnmuted(by: muter, at: now)))
        }
    }
}
