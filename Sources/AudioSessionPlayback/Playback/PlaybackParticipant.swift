package import AudioSessionCore
package import AudioSessions
package import PipeWireGraph

/// An actor whose sound is heard while its session is active: a player or an output.
///
/// It sends reports of the session, the manager and the stream to its state machine, and holds the
/// stream's settings.
package protocol PlaybackParticipant: StreamParticipant
where Machine: PlaybackStateMachine, Machine.Stream == any PlaybackOutput {
    /// The nodes of the route whose removal closes the gate.
    var gateTriggers: [ObjectID] { get set }
    /// The volume, 0 to 1, on the scale of the desktop's sliders.
    nonisolated var volume: Float { get }
    nonisolated var route: RouteDescription { get }
    nonisolated var role: AudioPlayer.Role { get }

    nonisolated func noteRoute(_ route: RouteDescription)
    func checkUsable() throws(AudioSessionError)
    /// Ends calls that wait for the session, which was closed.
    func sessionEnded()
}

// MARK: Reports of the session and the manager

extension PlaybackParticipant {
    package static var direction: PortDirection { .output }

    package func sessionEnded() {}

    package func sessionChanged(_ input: ParticipantInput) {
        switch input {
        case .activated: handle(.sessionActivated)
        case .interrupted: handle(.sessionInterrupted)
        case .interruptionEnded(let shouldResume):
            readPolicies()
            handle(.interruptionEnded(shouldResume: shouldResume))
        case .deactivated(let isFinal):
            handle(.sessionDeactivated)
            guard isFinal else { return }
            connectionLost()
            sessionEnded()
        case .connectionLost: connectionLost()
        case .outputLost(let port):
            readPolicies()
            handle(.outputLostMeanwhile(port, from: route))
        case .outputRegained:
            readPolicies()
            handle(.outputRegained(route))
        case .ducked(let gain): stream?.setDuck(gain)
        case .targetChanged(let reason):
            handle(.targetsChanged(reason))
            if isTargetOutdated { handle(.outputChosen) }
        case .reconfigured: handle(.configurationChanged(allowsPlayback: session.configuration.allowsPlayback))
        case .properties(let properties): stream?.setProperties(properties.map { ($0.key, $0.value) })
        case .activatedAgain: break
        }
    }

    package func routeChanged(_ input: RouteInput) {
        switch input {
        case .gateTriggers(let nodes):
            gateTriggers = nodes
            stream?.setGateTriggers(nodes)
        case .endangered: handle(.routeEndangered)
        case .kept: handle(.routeKept)
        case .becameNoisy(let port, let time):
            readPolicies()
            let pauses = session.configuration.pausesWhenOutputDisappears
            handle(.outputLost(port, at: time, in: session.state, pauses: pauses))
        case .changed(let change): handle(.routeChanged(change))
        case .routed(let route): noteRoute(route)
        case .linked(let node): handle(.streamLinked(node))
        case .sessionManager(let isThere): handle(.sessionManagerChanged(isThere: isThere))
        case .inputChanged, .inputObserved, .inputMuted: break
        }
    }

    /// Forgets the gate triggers, because a restarted PipeWire may use their numbers for other
    /// nodes. The manager no longer follows routes, so it does not clear them.
    private func connectionLost() {
        gateTriggers = []
        handle(.connectionLost)
    }

    /// Gives the policies of the session's configuration to the state machine, before an event that
    /// depends on them. A session does not report its configuration to participants that have not
    /// played yet.
    private func readPolicies() {
        let configuration = session.configuration
        driver.machine.pausesOnRouteLoss = configuration.pausesOnRouteLoss
        driver.machine.resumesAfterInterruption = configuration.resumesAfterInterruption
    }

    func handle(_ event: PlaybackEvent) { handle(.playback(event)) }

    // MARK: Activation

    /// Activates an inactive session, and plays if the session is active. While the session is
    /// interrupted, the request is kept.
    func playInTurn() async throws(AudioSessionError) {
        guard isReady else { throw .playerNotConnected }
        joinSession()
        guard session.configuration.allowsPlayback else { throw .cannotPlay(session.configuration) }
        handle(.play(in: session.state))
        if machine.awaitsActivation { try await activateAndPlay() }
    }

    private func activateAndPlay() async throws(AudioSessionError) {
        driver.waitingCalls += 1
        defer { driver.waitingCalls -= 1 }
        do {
            try await session.activate()
        } catch {
            // Another call may still be granted.
            if driver.waitingCalls == 1 { handle(.activated(.play, .inactive, on: route)) }
            throw error
        }
        try checkUsable()
        handle(.activated(.play, session.state, on: route))
    }

    /// Activates the session and reports the result. If another session was activated first, the
    /// participant resumes when that interruption ends.
    func activate(_ activation: PlayerActivation) async {
        guard !driver.isClosed, machine.activations.contains(activation) else { return }
        let isGranted = (try? await session.activate()) != nil && isReady
        // A request that failed must not count at a later interruption.
        handle(.activated(activation, isGranted ? session.state : .inactive, on: route))
    }
}

// MARK: Stream

extension PlaybackParticipant {
    var linearVolume: Float {
        let volume = volume
        return volume * volume * volume
    }

    /// Opens an inactive stream with the session's gain and the route's gate triggers.
    /// - Parameter properties: The properties other than those of the session and the role.
    func openPlayback(
        _ exchange: SampleExchange, rate: Int, properties: [(String, String)]
    ) throws(AudioSessionError) {
        guard makeTimer() else { throw .noTimer }
        try openStream(exchange, rate: rate) { sparesStreamsWithoutRole in
            let showsRole = outranksOthers || !sparesStreamsWithoutRole
            return (showsRole ? [("media.role", role.rawValue)] : []) + properties
        }
        stream?.setVolume(linearVolume)
        stream?.setDuck(session.gain)
        stream?.setGateTriggers(gateTriggers)
    }

    /// Whether the session ducks or outranks others. If not, a session manager that ducks by roles
    /// would duck its streams a second time.
    private var outranksOthers: Bool {
        let use = session.configuration
        return use.ducksOthers || use.effectivePriority > .media
    }

    /// Drops the stream, and keeps its last report.
    func releaseStream() {
        if var report = stream?.report {
            let former = driver.formerReport
            report.lastSoundTime = report.lastSoundTime ?? former.lastSoundTime
            if report.gateTime == nil {
                (report.gateTime, report.gateEventTime) = (former.gateTime, former.gateEventTime)
            }
            driver.formerReport = report
        }
        dropStream()
    }

    package func streamChanged(_ status: GraphStream.Status) {
        switch status.state {
        case .streaming: handle(.streamRuns(status.node))
        case .paused: handle(.streamPaused(status.node))
        case .connecting: break
        case .unconnected, .error:
            let reason = status.message ?? "the server ended the stream"
            handle(
                .streamFailed(
                    AudioSessionError(.outputFailed, "The stream to PipeWire failed: \(reason). Play again.")))
        }
        if status.state != .error, let message = status.message {
            handle(
                .streamUnserved(
                    AudioSessionError(
                        .noOutput,
                        "PipeWire has no output (\(message)). Connect one; the sound continues there.")))
        }
    }

    // MARK: Time

    func duration(of wakeUp: WakeUp) -> Duration {
        switch wakeUp {
        case .cycles: cycleTime
        case .time(let time): time
        // Frames are read once per cycle, so nothing changes before the next cycle.
        case .frames(let frames, let rate):
            max(Duration(frames: Int64(clamping: frames), rate: rate), cycleTime / 2)
        }
    }

    /// The duration of one cycle of the graph that runs the stream.
    private var cycleTime: Duration {
        guard let report = stream?.report, report.graphRate > 0, report.quantum > 0 else { return .milliseconds(20) }
        return max(Duration(frames: Int64(report.quantum), rate: report.graphRate), .milliseconds(1))
    }

    package var streamTiming: ParticipantTiming {
        guard machine.state == .playing, let report = stream?.report else { return ParticipantTiming() }
        return ParticipantTiming(
            output: StreamTiming(quantum: report.quantum, rate: report.graphRate, delay: report.delay))
    }

    var streamStatistics: AudioPlayer.Statistics {
        let former = driver.formerReport
        let report = stream?.report ?? former
        let gate = report.gateTime == nil ? former : report
        var statistics = AudioPlayer.Statistics()
        statistics.cycles = report.cycles
        statistics.quantum = report.quantum
        statistics.graphRate = report.graphRate
        statistics.latency = report.delay
        statistics.lastSoundTime = report.lastSoundTime ?? former.lastSoundTime
        statistics.gateTime = gate.gateTime
        if let event = gate.gateEventTime { statistics.gateDelay = gate.gateTime?.since(event) }
        return statistics
    }
}

extension AudioSessionError {
    static let volumeIsNoNumber = AudioSessionError(
        .badParam, rule: "A volume is a number from 0 to 1.", fix: "Use such a number.")

    fileprivate static func cannotPlay(_ configuration: AudioSession.Configuration) -> Self {
        Self(
            .incompatibleCategory,
            "The session's category \(configuration.category.name) does not play. "
                + "Use playback, ambient, soloAmbient or playAndRecord.")
    }
}
