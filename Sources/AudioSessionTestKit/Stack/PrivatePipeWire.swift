import Glibc
import PipeWireGraph

/// A private PipeWire with a session manager, for one test or one demonstration.
///
/// It needs no sound card, no desktop and no other program, and does not affect those of the
/// computer.
///
///     let pipeWire = try await PrivatePipeWire()
///     let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
///     …
///     await pipeWire.stop()
///
/// Its programs end with this process, even if this process is killed.
public actor PrivatePipeWire {
    /// The configuration of a private PipeWire.
    public struct Options: Sendable, Hashable {
        /// Frames in each cycle of the graph; `nil` for PipeWire's default.
        public var quantum: Int?
        /// Frames per second; `nil` for PipeWire's default.
        public var rate: Int?
        /// Whether a session manager (WirePlumber) runs.
        public var hasSessionManager = true
        /// Paths of programs that PipeWire before 1.0 restricts like those in a sandbox, and of
        /// those among them that it trusts. Later versions restrict the clients of
        /// ``PrivatePipeWire/restrictedRemote``.
        package var restrictedPrograms: [String] = []
        package var allowedPrograms: [String] = []
        /// Whether the daemon and its clients have Session objects to publish tokens. Otherwise
        /// tokens are Device objects.
        package var hasSessionObjects = Environment.current["AUDIOSESSIONS_CARRIER"] != "device"
        /// Whether logs and state remain in ``PrivatePipeWire/directory`` after the end.
        public var keepsDirectory = false
        /// The timeout for each program to become ready, or to end.
        public var patience: Duration = .seconds(20)

        /// Creates the default configuration, which includes a session manager.
        public init() {}
    }

    /// The configuration of this PipeWire.
    public nonisolated let options: Options
    /// The folder with sockets, configuration and logs.
    public nonisolated var directory: String { files.path }
    /// The absolute path of the socket, which clients use as `remote`.
    public nonisolated var remote: String { files.socket }
    /// A socket whose clients are restricted like those in a sandbox. It requires PipeWire 1.0 or
    /// later.
    package nonisolated var restrictedRemote: String { files.restrictedSocket }
    /// The complete environment for programs that use this PipeWire, such as `pw-play`.
    public nonisolated let environment: [String: String]

    private let files: StackDirectory
    private let installation: PipeWireInstallation
    private let watchdog: StackWatchdog
    private var daemon: ChildProcess?
    private var sessionManager: ChildProcess?
    private var probe: SessionManagerProbe?
    private var isStopped = false

    /// Starts PipeWire and the session manager, and waits until both are ready.
    ///
    /// - Parameter options: the configuration.
    /// - Throws: ``TestKitError`` if a program is not installed, cannot start, or is not ready in
    ///   time.
    public init(_ options: Options = Options()) async throws(TestKitError) {
        self.options = options
        installation = try PipeWireInstallation()
        files = try StackDirectory.make(for: installation, options)
        environment = Environment.forPrograms(of: installation, in: files)
        do {
            watchdog = try StackWatchdog(
                directory: files.path, log: files.log(of: "watchdog"), environment: environment,
                keepsDirectory: options.keepsDirectory)
        } catch {
            files.remove()
            throw error
        }
        do {
            try await startDaemon()
        } catch {
            await stop()
            throw error
        }
    }

    /// Starts PipeWire and the session manager after ``killDaemon()``, and waits until both are
    /// ready.
    ///
    /// - Throws: ``TestKitError`` if a program cannot start or is not ready in time, with code
    ///   `closed` after ``stop()``.
    public func startDaemon() async throws(TestKitError) {
        try check()
        guard daemon?.exitStatus != nil || daemon == nil else { return }
        // A killed daemon leaves its socket behind. Without removal it would pass for the new
        // socket.
        unlink(files.socket)
        let arrival: FileArrival
        do throws(ChildProcess.SpawnError) {
            arrival = try FileArrival(watching: files.run)
        } catch {
            throw cannotStart(
                "pipewire", "its folder cannot be watched: \(error)",
                remedy: "Close files, or raise the limits (ulimit -n, fs.inotify.max_user_instances).")
        }
        let daemon = try launch(installation.daemon)
        daemon.whenExited { _ in arrival.interrupt() }
        self.daemon = daemon
        probe = try await connect(to: daemon, after: arrival)
        if options.hasSessionManager { try await startSessionManager() }
    }

    /// Ends the session manager, waits until its objects and all cards are removed, and starts it
    /// again.
    ///
    /// - Parameter gracefully: `true` asks the session manager to end; `false` kills it.
    /// - Throws: ``TestKitError`` if the session manager does not end or start in time.
    public func restartSessionManager(gracefully: Bool = true) async throws(TestKitError) {
        try await stopSessionManager(gracefully: gracefully)
        try await startSessionManager()
    }

    /// Ends the session manager, and waits until its objects and all cards are removed.
    ///
    /// - Parameter gracefully: `true` asks the session manager to end; `false` kills it.
    /// - Throws: ``TestKitError`` if the objects are not removed in time.
    public func stopSessionManager(gracefully: Bool = true) async throws(TestKitError) {
        guard let sessionManager else { return }
        self.sessionManager = nil
        await end(sessionManager, with: gracefully ? SIGTERM : SIGKILL)
        if let outcome = await probe?.waitUntilGone(within: options.patience) {
            try check(outcome, "The session manager's objects were not removed")
        }
    }

    /// Starts the session manager after ``stopSessionManager(gracefully:)``, and waits until it is
    /// ready.
    ///
    /// - Throws: ``TestKitError`` if the session manager cannot start or is not ready in time, with
    ///   code `daemonUnreachable` after ``killDaemon()``, and `closed` after ``stop()``.
    public func startSessionManager() async throws(TestKitError) {
        guard sessionManager?.exitStatus != nil || sessionManager == nil else { return }
        try check()
        guard let probe else {
            throw TestKitError(
                .daemonUnreachable, "The session manager cannot be started", why: "PipeWire does not run",
                remedy: "Call startDaemon(), which starts both.")
        }
        let manager = try launch(installation.sessionManager)
        sessionManager = manager
        let early = ended(manager.name, "it ended at once")
        manager.whenExited { [weak self] _ in
            guard let self else { return }
            Task { await self.failWaits(for: manager, early) }
        }
        let outcome = await probe.waitUntilPresent(within: options.patience)
        if case .failed = outcome, let status = manager.exitStatus { throw ended(manager.name, "\(status)") }
        try check(outcome, "The session manager is not ready")
    }

    /// Fails the probe's waits if `manager` is still the current session manager. The notification
    /// of an exit may arrive after the next one was started.
    private func failWaits(for manager: ChildProcess, _ error: TestKitError) async {
        if sessionManager === manager { await probe?.fail(error) }
    }

    /// Kills PipeWire, like a crash. The session manager ends with it.
    public func killDaemon() async {
        if let daemon { await end(daemon, with: SIGKILL) }
        daemon = nil
        if let sessionManager { await end(sessionManager, with: SIGTERM) }
        sessionManager = nil
        await probe?.close()
        probe = nil
    }

    /// Suspends PipeWire, like `kill -STOP`, and returns after it has stopped.
    ///
    /// Its socket remains, and messages to it are queued. ``resumeDaemon()`` continues it.
    public func suspendDaemon() async {
        daemon?.signal(SIGSTOP)
        await daemon?.stopped()
    }

    /// Continues PipeWire after ``suspendDaemon()``.
    public func resumeDaemon() { daemon?.signal(SIGCONT) }

    /// Ends all programs, and removes the files unless ``Options/keepsDirectory`` is true.
    ///
    /// Repeated calls have no effect. Nothing can be started afterwards.
    public func stop() async {
        isStopped = true
        resumeDaemon()
        await probe?.close()
        probe = nil
        for child in [sessionManager, daemon] {
            if let child { await end(child, with: SIGTERM) }
        }
        sessionManager = nil
        daemon = nil
        await watchdog.dismiss()
        if !options.keepsDirectory { files.remove() }
    }

    /// The folder of PipeWire's programs.
    nonisolated var tools: String { installation.programs }

    /// Environment variables for programs without Session objects, although the daemon supports
    /// them.
    package func variablesWithoutSessionObjects() throws -> [String: String] {
        ["PIPEWIRE_CONFIG_DIR": try files.makeConfigurationWithoutSessionObjects()]
    }

    func launch(
        _ program: String, _ arguments: [String] = [], log: String? = nil, input: Int32 = -1,
        variables: [String: String] = [:]
    ) throws(TestKitError) -> ChildProcess {
        try check()
        do {
            let name = log ?? String(program.split(separator: "/").last ?? "")
            return try ChildProcess(
                program: program, arguments: arguments, environment: environment.merging(variables) { $1 },
                output: .log(files.log(of: name)), input: input, group: watchdog.group)
        } catch {
            throw cannotStart(
                program, "\(error)",
                remedy: "Check that \(program) exists, and end processes or close files if limits are reached.")
        }
    }

    private func connect(
        to daemon: ChildProcess, after arrival: FileArrival
    ) async throws(TestKitError) -> SessionManagerProbe {
        let end = ContinuousClock.now + options.patience
        while true {
            do {
                return try await SessionManagerProbe(remote: remote)
            } catch {
                guard error.isHostDown else { throw cannotStart(daemon.name, "\(error)") }
            }
            if let status = daemon.exitStatus { throw ended(daemon.name, "\(status)") }
            let rest = end - .now
            guard rest > .zero else { throw ended(daemon.name, "it did not listen within \(options.patience)") }
            // The daemon creates its socket before it listens on it. No event marks that it
            // listens, so this loop polls every millisecond.
            await arrival.next(within: access(remote, F_OK) == 0 ? min(rest, .milliseconds(1)) : rest)
        }
    }

    private func check() throws(TestKitError) {
        guard isStopped else { return }
        throw TestKitError(
            .closed, "The private PipeWire cannot be used", why: "it was stopped",
            remedy: "Create another PrivatePipeWire.")
    }

    private func end(_ child: ChildProcess, with signal: Int32) async {
        child.signal(signal)
        let timer = Task {
            try? await Task.sleep(for: options.patience.withinCentury)
            if !Task.isCancelled { child.signal(SIGKILL) }
        }
        await child.exited()
        timer.cancel()
    }

    private func check(_ outcome: Expectations<SessionManagerProbe.Scene>.Outcome, _ what: String)
        throws(TestKitError)
    {
        switch outcome {
        case .met: return
        case .failed(let error): throw error
        case .late:
            throw TestKitError(
                .timedOut, what, why: "it did not follow within \(options.patience)",
                remedy: remedy(fromLogOf: "wireplumber"))
        }
    }

    private nonisolated func ended(_ name: String, _ why: String) -> TestKitError {
        TestKitError(.programEnded, "\(name) cannot be started", why: why, remedy: remedy(fromLogOf: name))
    }

    private nonisolated func cannotStart(
        _ program: String, _ why: String, remedy: String? = nil
    ) -> TestKitError {
        let name = String(program.split(separator: "/").last ?? "")
        return TestKitError(
            .cannotStart, "\(name) cannot be started", why: why,
            remedy: remedy ?? self.remedy(fromLogOf: name))
    }

    /// The end of a program's log. The file is named only if it remains, because a failed
    /// initializer removes it.
    private nonisolated func remedy(fromLogOf name: String) -> String {
        let tail = files.tail(of: name)
        if options.keepsDirectory { return "Read the log \(files.log(of: name)), which ends with:\n\(tail)" }
        return tail.isEmpty
            ? "The log of \(name) is empty; set WIREPLUMBER_DEBUG or PIPEWIRE_DEBUG for more."
            : "The log of \(name) ends with:\n\(tail)"
    }
}
