import AudioSessions
import Glibc
import PipeWireGraph

/// Performs `audiosession with`: runs COMMAND while a session is active.
struct CommandRun: Sendable {
    let silencing: Silencing
    let remote: String?
    /// The program and its arguments as C strings.
    let command: [[CChar]]
    /// The output for warnings and events.
    let output: RunOutput
    let isJSON: Bool

    private typealias Event = CommandStateMachine.Event

    private var name: String {
        let path = command.first.map { String(decoding: $0.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self) }
        return (path ?? "").split(separator: "/").last.map(String.init) ?? ""
    }

    /// Runs COMMAND and waits for its end.
    ///
    /// - Parameters:
    ///   - runsAnyway: Whether COMMAND runs even if the activation is refused.
    ///   - requiresSession: Whether COMMAND does not run without PipeWire.
    /// - Returns: The exit code.
    /// - Throws: A failure if signals cannot be received.
    func run(runsAnyway: Bool, requiresSession: Bool) async throws(ToolFailure) -> Int32 {
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        let inbox = try SignalInbox(CommandStateMachine.signals) {
            continuation.yield($0 == .mark ? .resumed : .signaled($0.number, isFromTerminal: $0.isFromTerminal))
        }
        var machine = CommandStateMachine(name, runsAnyway: runsAnyway, requiresSession: requiresSession)
        var stage = Stage(run: self, inbox: inbox, send: { continuation.yield($0) })
        continuation.yield(await stage.open())
        for await event in events {
            for action in machine.receive(event) {
                if let code = await stage.perform(action) { return code }
            }
        }
        return EXIT_FAILURE
    }

    /// The objects on which actions are performed.
    private struct Stage {
        let run: CommandRun
        let inbox: SignalInbox
        let send: @Sendable (Event) -> Void
        var session: SilencingSession?
        var observation: EventObservation?
        var process: CommandProcess?
        var exitCode = EXIT_FAILURE
        /// Restores other programs at the end.
        var restoration: Task<Void, Never>?
        /// The group that this session shares with the sessions of COMMAND, so that they count as
        /// those of one program.
        let group =
            getenv(AudioSessionConfiguration.groupVariable).map { String(cString: $0) }.flatMap {
                $0.isEmpty ? nil : $0
            }
            ?? "with-" + String(UInt64.random(in: 0...(.max)), radix: 16)

        init(run: CommandRun, inbox: SignalInbox, send: @escaping @Sendable (Event) -> Void) {
            self.run = run
            self.inbox = inbox
            self.send = send
        }

        mutating func open() async -> Event {
            var silencing = run.silencing
            silencing.configuration.group = group
            let printLine: @Sendable (JSONValue) -> Void = { [output = run.output] in output.post($0) }
            do throws(AudioSessionError) {
                let session = try await SilencingSession(
                    silencing, remote: run.remote, name: "\(run.name), by audiosession", isHost: true,
                    onEvent: run.isJSON ? printLine : nil)
                self.session = session
                observation = session.session.observe { [send] event in
                    switch event {
                    case .stateChanged(let state, _): send(.interrupted(state == .interrupted))
                    case .interruptionEnded: send(.interruptionEnded)
                    default: break
                    }
                }
                try await session.session.activate()
                return .activated
            } catch {
                return .notActivated(.init(error), reason: error.message)
            }
        }

        /// Performs an action of the state machine.
        ///
        /// - Returns: The exit code if this was the last action.
        mutating func perform(_ action: CommandStateMachine.Action) async -> Int32? {
            switch action {
            case .activate: await activate()
            case .deactivate: await session?.deactivate()
            case .silence: await session?.silenceHosted()
            case .retryLater:
                Task { [send] in
                    try? await Task.sleep(for: .seconds(1))
                    send(.retry)
                }
            case .start: start()
            case .warn(let text): await run.warn(text)
            case .forward(let number): process?.signal(number)
            case .stop:
                // SIGSTOP is used, and not the signal that stopped COMMAND. The terminal sends that
                // signal to this process as well. If it arrived late, it would stop this process
                // again after it has continued.
                raise(SIGSTOP)
                // Behind the signals that arrived before the stop, because one that is handled
                // after ``Event/resumed`` would stop COMMAND again.
                if !inbox.mark() { send(.resumed) }
            case .exit(let code):
                exitCode = code
                restoration = Task { [session, send] in
                    await session?.restore()
                    send(.restored)
                }
            case .stopWaiting: restoration?.cancel()
            case .leave:
                await session?.leave()
                await run.output.drain()
                return exitCode
            }
            return nil
        }

        private func activate() async {
            do throws(AudioSessionError) {
                try await session?.session.activate()
                send(.activated)
            } catch {
                send(.notActivated(.init(error), reason: error.message))
            }
        }

        private mutating func start() {
            let variable = AudioSessionConfiguration.groupVariable + "="
            let prefix = variable.utf8.map { CChar(bitPattern: $0) }
            let environment =
                InheritedEnvironment.variables().filter { !$0.starts(with: prefix) }
                + [Array((variable + group).utf8CString)]
            do {
                let process = try CommandProcess(run.command, environment: environment)
                self.process = process
                send(.started)
                process.observe { [send] change in
                    switch change {
                    case .stopped(let number): send(.stopped(number))
                    case .continued: send(.continued)
                    case .ended(let end): send(.ended(end))
                    }
                }
            } catch {
                send(.notStarted(error.code))
            }
        }
    }

    /// Prints a warning before the next action. A reader that does not read delays the action for a
    /// limited time.
    private func warn(_ text: String) async {
        if isJSON {
            output.post(RunFormat.line(.now, "event", "warning", [("message", .string(text))]))
        } else {
            output.printError("audiosession: \(text)")
        }
        await output.drain()
    }
}
