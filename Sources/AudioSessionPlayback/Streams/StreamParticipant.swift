package import AudioSessionCore
package import AudioSessions
package import PipeWireGraph

/// An actor that plays or records for a session, with a stream that a state machine controls.
///
/// It runs on the manager's executor, as its session does. The session and the manager send it
/// inputs, and its state machine's actions send them messages.
package protocol StreamParticipant: Actor, SessionParticipant {
    associatedtype Machine: StreamStateMachine

    static var direction: PortDirection { get }
    nonisolated var session: AudioSession { get }
    nonisolated var environment: StreamEnvironment<Machine.Stream> { get }
    var driver: StreamDriver<Machine> { get set }
    var counters: Machine.Counters { get }
    /// The timing that the running stream reports.
    var streamTiming: ParticipantTiming { get }

    /// Publishes the state machine's state to the snapshot.
    func publish()
    func perform(_ action: Machine.Action)
    func streamChanged(_ status: GraphStream.Status)
    func sessionChanged(_ input: ParticipantInput)
    func routeChanged(_ input: RouteInput)
    /// Ends the work on files, and all event sequences.
    func finish()
}

extension StreamParticipant {
    nonisolated var manager: AudioSessionManager { session.manager }
    nonisolated var isReady: Bool { environment.isReady(manager) }
    var machine: Machine { driver.machine }
    var stream: Machine.Stream? { driver.stream }

    package nonisolated var timing: ParticipantTiming { assumeIsolated { $0.streamTiming } }

    package nonisolated func receive(_ input: ParticipantInput) { assumeIsolated { $0.sessionChanged(input) } }

    package nonisolated func receive(_ input: RouteInput) { assumeIsolated { $0.routeChanged(input) } }

    /// Executes the actions that follow from an event. Events that an action causes are queued, and
    /// handled after all of these actions.
    func handle(_ event: Machine.Event) {
        driver.inbox.append(event)
        guard !driver.isReceiving else { return }
        driver.isReceiving = true
        while !driver.inbox.isEmpty {
            let (event, counters) = (driver.inbox.removeFirst(), counters)
            let actions = driver.machine.receive(event, counters)
            publish()
            for action in actions {
                switch action.message {
                case .report(let change)?: session.assumeIsolated { $0.receive(change, from: self) }
                case .request(let request)?: manager.assumeIsolated { $0.receive(request, from: self, of: session) }
                case nil: perform(action)
                }
            }
        }
        driver.isReceiving = false
    }

    /// Registers the participant with its session and the manager, when it first plays or records.
    ///
    /// The session then knows whether the participant renders its sound, and the manager closes its
    /// gate at a loss even before its first stream runs.
    package func joinSession() {
        guard !driver.hasJoined else { return }
        driver.hasJoined = true
        handle(.join)
    }

    /// Waits until the callbacks of released streams are not called any more.
    package func waitForEndOfStreams() async {
        await withCheckedContinuation { waiter in manager.environment.afterCallback { waiter.resume() } }
    }

    func shutDown() {
        guard !driver.isClosed else { return }
        driver.isClosed = true
        handle(.close)
        driver.timer = nil
        finish()
    }

    // MARK: Stream

    /// Opens a stream on the manager's connection.
    /// - Parameter properties: Returns the properties in addition to the session's. The argument
    ///   says whether the session manager ducks by roles and leaves streams without a role alone.
    func openStream(
        _ exchange: SampleExchange, rate: Int, echoReference: [(String, String)]? = nil,
        properties: (_ sparesStreamsWithoutRole: Bool) -> [(String, String)]
    ) throws(AudioSessionError) {
        // The value moves from one actor to another on the same executor, which the compiler cannot
        // know.
        nonisolated(unsafe) var connection: Connection?
        let sparesStreamsWithoutRole = manager.assumeIsolated { manager in
            connection = manager.connection
            return manager.graph.sparesStreamsWithoutRole
        }
        driver.target = session.target(Self.direction)
        let request = StreamRequest(
            exchange: exchange, rate: rate,
            properties: properties(sparesStreamsWithoutRole) + session.streamProperties(Self.direction),
            echoReference: echoReference)
        driver.stream = try environment.open(connection, request) { [weak self] status in
            self?.assumeIsolated { $0.streamChanged(status) }
        }
    }

    /// Releases the stream, which may call back while it ends.
    func dropStream() {
        let old = driver.stream
        driver.stream = nil
        withExtendedLifetime(old) {}
    }

    /// Whether the session has chosen another port than the stream requests.
    var isTargetOutdated: Bool { stream != nil && driver.target != session.target(Self.direction) }

    /// Arms the participant's timer; `nil` disarms it.
    func armTimer(after duration: Duration?) {
        guard let duration else {
            driver.timer?.disarm()
            return
        }
        if makeTimer() { driver.timer?.arm(after: duration) }
    }

    /// Makes the participant's timer if there is none yet.
    /// - Returns: Whether the system granted the timer.
    func makeTimer() -> Bool {
        if driver.timer == nil {
            driver.timer = manager.environment.makeTimer { [weak self] in
                self?.assumeIsolated { $0.handle(.timer) }
            }
        }
        return driver.timer != nil
    }
}

extension AudioSessionError {
    /// A stream is not opened without its timer, because its end would not be detected. Nor is a
    /// file decoded or written without one, because the ring would not be filled or emptied.
    static let noTimer = AudioSessionError(
        .resourcesExhausted,
        "The system has no timer left for this process. Close files, or raise the limit ('ulimit -n').")

    static func noThread(of owner: String, _ error: PipeWireError) -> Self {
        Self(
            .resourcesExhausted,
            "The \(owner)'s thread cannot be started (\(error)). End threads or close files, or raise the limits "
                + "('ulimit -u', 'ulimit -n').", underlying: error)
    }
}
