package import AudioSessionCore
package import AudioSessions
package import PipeWireGraph

/// An actor that captures while its session is active: a recorder or an input.
///
/// It sends reports of the session, the manager and the stream to its state machine.
package protocol CaptureParticipant: StreamParticipant where Machine == RecorderStateMachine {
    /// The values that can be read from any thread.
    nonisolated var snapshot: Locked<CaptureSnapshot> { get }
    /// The last observation of the stream's input.
    var observed: InputObservation? { get set }
    func checkUsable() throws(AudioSessionError)
    /// Gives the policies of the session's configuration to the state machine, before an event that
    /// depends on them.
    func readPolicies()
    nonisolated var prefersEchoCancelledInput: Bool { get }
    /// The `node.name` of the output whose echo is cancelled; `nil` for the default.
    var echoTarget: String? { get set }
}

/// The values of a recorder or an input that can be read from any thread.
package struct CaptureSnapshot: Sendable {
    var state = AudioRecorder.State.stopped
    var input: PortDescription?
    /// The facts that were reported to the session.
    var facts = ParticipantFacts()
}

// MARK: Reports of the session and the manager

extension CaptureParticipant {
    package static var direction: PortDirection { .input }

    package nonisolated var facts: ParticipantFacts { snapshot.withLock(\.facts) }

    package func publish() {
        let machine = machine
        snapshot.withLock { snapshot in
            snapshot.state = machine.state
            snapshot.input = machine.input
            snapshot.facts = machine.facts
        }
    }

    package func readPolicies() {}

    package var counters: RecorderCounters {
        let report = stream?.report ?? CaptureStream.Report()
        return RecorderCounters(frames: report.frames, dropped: report.dropped, now: manager.environment.now())
    }

    package func sessionChanged(_ input: ParticipantInput) {
        switch input {
        case .interrupted:
            readPolicies()
            handle(.sessionInterrupted)
        case .interruptionEnded(let shouldResume):
            readPolicies()
            handle(.interruptionEnded(shouldResume: shouldResume))
        case .deactivated(let isFinal):
            handle(.sessionDeactivated)
            // A recording that stays paused ends as well.
            if isFinal { handle(.connectionLost) }
        case .connectionLost: handle(.connectionLost)
        case .targetChanged:
            chooseInput()
            followEcho()
        case .reconfigured: handle(.configurationChanged(allowsRecording: session.configuration.allowsRecording))
        case .properties(let properties): stream?.setProperties(properties.map { ($0.key, $0.value) })
        case .activated, .activatedAgain, .outputLost, .outputRegained, .ducked: break
        }
    }

    package func routeChanged(_ input: RouteInput) {
        switch input {
        case .inputChanged: handle(.inputChanged)
        case .inputObserved(let observation): observe(observation)
        case .inputMuted(let isMuted): handle(.muted(isMuted))
        default: break
        }
    }

    /// Sets the gate's trigger before anything is evaluated.
    private func observe(_ observation: InputObservation) {
        guard let stream, observation != observed else { return }
        observed = observation
        stream.setGateTriggers(observation.source.map { [$0] } ?? [])
        handle(.observed(observation))
        chooseInput()
    }

    private func chooseInput() {
        guard isTargetOutdated else { return }
        handle(.inputChosen(source: session.target(.input) ?? manager.currentRoute.inputs.first?.nodeName))
    }

    // MARK: Activation

    func activateToResume() async {
        guard machine.state == .paused(reason: .interrupted) else { return }
        let isGranted = (try? await session.activate()) != nil
        startCapture(.activationEnded(session.state, isGranted: isGranted))
    }

    /// Handles an event that starts a stream.
    func startCapture(_ event: RecorderEvent) {
        // Mutes are followed only while there is a stream.
        handle(.muted(manager.isInputMuted))
        handle(event)
    }

    /// Continues a paused capture.
    func resumeCapture() async throws(AudioSessionError) {
        try checkSurroundings()
        handle(.resumeRequested)
        defer { handle(.resumeReturned) }
        try await activate()
        guard session.state == .active else { throw .interrupted }
        try checkSurroundings()
        startCapture(.resume)
    }

    func activate() async throws(AudioSessionError) {
        guard session.state != .active else { return }
        try await session.activate()
        try checkUsable()
    }

    /// Checks that there is an input, and that the session's category records.
    func checkSurroundings() throws(AudioSessionError) {
        guard isReady else { throw .recorderNotConnected }
        try session.configuration.require(.input, for: "Recording")
        guard !manager.availableInputs.isEmpty else { throw .noMicrophone }
    }
}

// MARK: Stream

extension CaptureParticipant {
    /// Makes a stream that records at once.
    /// - Parameter properties: Those besides the session's.
    func openCapture(
        _ exchange: SampleExchange, rate: Int, properties: [(String, String)]
    ) throws(AudioSessionError) {
        guard makeTimer() else { throw .noTimer }
        echoTarget = session.target(.output)
        try openStream(exchange, rate: rate, echoReference: echoReference) { _ in
            // Without normalization, PipeWire mixes a stereo microphone to mono 3 dB above full
            // scale.
            [("channelmix.normalize", "true")] + properties
        }
    }

    func closeStream() {
        if let report = stream?.report { driver.formerReport = report }
        dropStream()
    }

    /// Arms the timer. It fires once a second while the stream records, often enough to follow the
    /// latency of the output.
    func wake(at time: MonotonicTime?) {
        stream?.setOutputLatency(session.assumeIsolated { $0.outputStreamDelay })
        armTimer(after: time.map { max(.zero, $0.since(manager.environment.now())) })
    }

    package func streamChanged(_ status: GraphStream.Status) {
        switch status.state {
        case .streaming, .paused, .connecting: handle(.streamNode(status.node))
        case .unconnected, .error:
            let reason = status.message ?? "the server ended the stream"
            handle(
                .streamFailed(
                    AudioSessionError(.inputFailed, "The stream from PipeWire failed: \(reason). Record again.")))
        }
    }

    package var streamTiming: ParticipantTiming {
        guard machine.state == .recording, let report = stream?.report else { return ParticipantTiming() }
        return ParticipantTiming(
            input: StreamTiming(quantum: report.quantum, rate: report.graphRate, delay: report.delay))
    }

    /// Returns the level of each channel, which is silence while nothing is recorded.
    func levels(ofChannels count: Int) -> [AudioRecorder.Level] {
        guard machine.state == .recording, let levels = stream?.report.levels, !levels.isEmpty else {
            return Array(repeating: .silence, count: max(0, min(count, FrameRing.maximumChannels)))
        }
        return levels.map { AudioRecorder.Level(meanSquare: $0.meanSquare, peak: $0.peak) }
    }

    var streamStatistics: AudioRecorder.Statistics {
        let report = stream?.report ?? driver.formerReport
        var statistics = AudioRecorder.Statistics()
        statistics.cycles = report.cycles
        statistics.droppedFrames = report.dropped
        statistics.gateTime = report.gateTime
        if let event = report.gateEventTime { statistics.gateDelay = report.gateTime?.since(event) }
        return statistics
    }
}
