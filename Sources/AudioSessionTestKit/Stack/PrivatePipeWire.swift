import Glibc
import PipeWireGraph

/// A PipeWire of its own, with a session manager, for one test or one demonstration: no sound card, no desktop and no
/// other program is needed, and none of the machine's is touched.
///
///     let pipeWire = try await PrivatePipeWire()
///     let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
///     …
///     await pipeWire.stop()
///
/// Its programs end with this process, however that ends.
public actor PrivatePipeWire {
    /// How the private PipeWire is to be.
    public struct Options: Sendable, Hashable {
        /// Frames in each cycle of the graph; `nil` for PipeWire's default.
        public var quantum: Int?
        /// Frames per second; `nil` for PipeWire's default.
        public var rate: Int?
        /// Whether there is a session manager (WirePlumber).
        public var hasSessionManager = true
        /// Paths of programs that PipeWire before 1.0 restricts like those in a sandbox, and of those among them that it
        /// trusts. Later versions restrict the clients of ``PrivatePipeWire/restrictedRemote``.
        package var restrictedPrograms: [String] = []
        package var allowedPrograms: [String] = []
        /// Whether the daemon and its clients have Session objects, which carry tokens. Without them Devices do.
        package var hasSessionObjects = Environment.current["AUDIOSESSIONS_CARRIER"] != "device"
        /// Whether logs and state are left in ``PrivatePipeWire/directory`` after the end.
        public var keepsDirectory = false
        /// How long each program may take to be ready, or to end.
        public var patience: Duration = .seconds(20)

        /// PipeWire's defaults, with a session manager.
        public init() {}
    }

    /// What it was started with.
    public nonisolated let options: Options
    /// Where its files are: sockets, configuration, logs.
    public nonisolated var directory: String { files.path }
    /// Its socket, as an absolute path: the `remote` of everything that is to connect to it.
    public nonisolated var remote: String { files.socket }
    /// A socket whose clients are restricted like those in a sandbox; only with PipeWire 1.0 and later.
    package nonisolated var restrictedRemote: String { files.restrictedSocket }
    /// The whole environment for programs that are to use it, such as `pw-play`.
    public nonisolated let environment: [String: String]

    private let files: StackDirectory
    private let installation: PipeWireInstallation
    private let watchdog: StackWatchdog
    private var daemon: ChildProcess?
    private var sessionManager: ChildProcess?
    private var probe: SessionManagerProbe?

    /// Starts PipeWire and the session manager, and waits until both are ready.
    public init(_ options: Options = Options()) async throws(TestKitError) {
        self.options = options
        installation = try PipeWireInstallation()
        files = try StackDirectory.make(for: installation, options)
        environment = Environment.forPrograms(of: installation, in: files)
        do {
            watchdog = try StackWatchdog(files, environment: environment, keepsDirectory: options.keepsDirectory)
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

    /// Starts PipeWire and the session manager after ``killDaemon()``, and waits until both are ready.
    public func startDaemon() async throws(TestKitError) {
        guard daemon?.exitStatus != nil || daemon == nil else { return }
        // A killed daemon leaves its socket behind, which would be taken for the new one's.
        unlink(files.socket)
        guard let arrival = FileArrival(in: files.run) else {
            throw cannotStart("pipewire", "the system has no file left (\(String(cString: strerror(errno))))")
        }
        let daemon = try launch(installation.daemon)
        daemon.whenExited { _ in arrival.interrupt() }
        self.daemon = daemon
        probe = try await connect(to: daemon, after: arrival)
        if options.hasSessionManager { try await startSessionManager() }
    }

    /// Ends the session manager, waits until its objects and all cards are gone, and starts it again.
    ///
    /// - Parameter gracefully: whether it is asked to end, or killed.
    public func restartSessionManager(gracefully: Bool = true) async throws(TestKitError) {
        try await stopSessionManager(gracefully: gracefully)
        try await startSessionManager()
    }

    /// Ends the session manager, and waits until its objects and all cards are gone.
    public func stopSessionManager(gracefully: Bool = true) async throws(TestKitError) {
        guard let sessionManager else { return }
        self.sessionManager = nil
        await end(sessionManager, with: gracefully ? SIGTERM : SIGKILL)
        if let outcome = await probe?.waitUntilGone(within: options.patience) {
            try check(outcome, "The session manager's objects did not go")
        }
    }

    /// Starts the session manager after ``stopSessionManager(gracefully:)``, and waits until it is ready.
    public func startSessionManager() async throws(TestKitError) {
        guard sessionManager?.exitStatus != nil || sessionManager == nil else { return }
        let manager = try launch(installation.sessionManager)
        sessionManager = manager
        let early = cannotStart(manager.name, "it ended at once")
        manager.whenExited { [weak self] _ in
            guard let self else { return }
            Task { await self.giveUp(on: manager, early) }
        }
        if let outcome = await probe?.waitUntilPresent(within: options.patience) {
            if case .failed = outcome, let status = manager.exitStatus {
                throw cannotStart(manager.name, "\(status)")
            }
            try check(outcome, "The session manager is not ready")
        }
    }

    /// News of an end come late: by then the next session manager may be the one that is waited for.
    private func giveUp(on manager: ChildProcess, _ error: TestKitError) async {
        if sessionManager === manager { await probe?.giveUp(error) }
    }

    /// Kills PipeWire, as a crash would. The session manager ends with it.
    public func killDaemon() async {
        if let daemon { await end(daemon, with: SIGKILL) }
        daemon = nil
        if let sessionManager { await end(sessionManager, with: SIGTERM) }
        sessionManager = nil
        await probe?.close()
        probe = nil
    }

    /// Stops PipeWire in its tracks, as `kill -STOP` does: its socket is there, and what programs send waits.
    /// ``resumeDaemon()`` lets it go on. Returns when it stands still.
    public func suspendDaemon() async {
        daemon?.signal(SIGSTOP)
        await daemon?.stopped()
    }

    /// Lets PipeWire go on after ``suspendDaemon()``.
    public func resumeDaemon() { daemon?.signal(SIGCONT) }

    /// Ends everything and removes the files. Nothing is left to be ended afterwards.
    public func stop() async {
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

    /// Where PipeWire's programs are.
    nonisolated var tools: String { installation.programs }

    /// Variables for programs that have no Session objects, although the daemon has them.
    package func variablesWithoutSessionObjects() throws -> [String: String] {
        ["PIPEWIRE_CONFIG_DIR": try files.makeConfigurationWithoutSessionObjects()]
    }

    func launch(
        _ program: String, _ arguments: [String] = [], log: String? = nil, input: Int32 = -1,
        variables: [String: String] = [:]
    ) throws(TestKitError) -> ChildProcess {
        do {
            let name = log ?? String(program.split(separator: "/").last ?? "")
            return try ChildProcess(
                program: program, arguments: arguments, environment: environment.merging(variables) { $1 },
                output: .log(files.log(of: name)), input: input, group: watchdog.group)
        } catch {
            throw cannotStart(program, "\(error)")
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
            if let status = daemon.exitStatus { throw cannotStart(daemon.name, "\(status)") }
            let rest = end - .now
            guard rest > .zero else { throw cannotStart(daemon.name, "it did not listen within \(options.patience)") }
            // Between making its socket and listening on it the daemon does nothing that could be waited for.
            await arrival.next(within: access(remote, F_OK) == 0 ? min(rest, .milliseconds(1)) : rest)
        }
    }

    private func end(_ child: ChildProcess, with signal: Int32) async {
        child.signal(signal)
        let timer = Task {
            try? await Task.sleep(for: options.patience)
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
                .timedOut, what, why: "nothing of it was seen within \(options.patience)",
                remedy: "Look into \(files.log(of: "wireplumber")):\n\(files.tail(of: "wireplumber"))")
        }
    }

    private nonisolated func cannotStart(_ program: String, _ why: String) -> TestKitError {
        let name = String(program.split(separator: "/").last ?? "")
        return TestKitError(
            .cannotStart, "\(name) cannot be started", why: why,
            remedy: "Its last words in \(files.log(of: name)) were:\n\(files.tail(of: name))")
    }
}
