import AudioSessions
import Glibc

/// Decides what `audiosession with` does: whether COMMAND runs, which signals it gets, when the session is active, and with
/// which status all of it ends.
///
/// COMMAND is in the same process group, so that the terminal is its own: what the terminal sends reaches both, and only
/// other signals are forwarded. If COMMAND stops, others may be heard until it continues.
struct CommandStateMachine: Sendable {
    enum Event: Sendable, Hashable {
        case activated
        case notActivated(NotActivated, reason: String)
        case started
        /// The error number of the system.
        case notStarted(Int32)
        /// A signal to this process.
        case signaled(Int32, isFromTerminal: Bool)
        /// COMMAND was stopped by this signal.
        case stopped(Int32)
        /// COMMAND runs on.
        case continued
        /// This process runs on after ``Action/stop``.
        case resumed
        case ended(CommandEnd)
        case interruptionEnded
    }

    enum NotActivated: Sendable, Hashable {
        /// Another program's session has the sound.
        case refused
        /// PipeWire is not there, or does not answer.
        case unavailable
    }

    enum Action: Sendable, Hashable {
        case activate, deactivate
        case start
        case warn(String)
        /// Send this signal to COMMAND.
        case forward(Int32)
        /// Stop this process, and report ``Event/resumed`` when it continues.
        case stop
        /// Put everything back and end.
        case exit(Int32)
    }

    private enum Phase: Sendable {
        case activating, starting, running, stopped, over
    }

    /// Whether COMMAND runs if the activation is refused, and whether it does not without PipeWire.
    private let (runsAnyway, requiresSession): (Bool, Bool)
    private let command: String
    private var phase = Phase.activating

    /// - Parameter command: its name, for messages.
    init(_ command: String, runsAnyway: Bool = false, requiresSession: Bool = false) {
        self.command = command
        self.runsAnyway = runsAnyway
        self.requiresSession = requiresSession
    }

    mutating func receive(_ event: Event) -> [Action] {
        switch event {
        case .activated: return phase == .activating ? enter(.starting, [.start]) : []
        case .notActivated(let cause, let reason): return fail(cause, reason)
        case .started: return phase == .starting ? enter(.running, []) : []
        case .notStarted(let error):
            guard phase == .starting else { return [] }
            return end(
                error == ENOENT ? 127 : 126,
                warning: "'\(command)' cannot be run: \(systemMessage(error)). Check its name and its permissions.")
        case .signaled(let number, let isFromTerminal): return take(number, isFromTerminal)
        case .stopped(let number):
            guard phase == .running else { return [] }
            // A debugger that stops COMMAND lets only COMMAND continue.
            return enter(.stopped, [.deactivate] + (Self.ofJobControl.contains(number) ? [.stop] : []))
        case .continued: return phase == .stopped ? enter(.running, [.activate]) : []
        case .resumed: return phase == .stopped ? enter(.running, [.forward(SIGCONT), .activate]) : []
        case .ended(let status): return phase == .over ? [] : end(status.exitCode)
        case .interruptionEnded: return phase == .running ? [.activate] : []
        }
    }

    static let ofJobControl: Set<Int32> = [SIGTSTP, SIGTTIN, SIGTTOU]
    /// Those that are acted on; all others mean to this process what they mean to any.
    static let signals: Set<Int32> = ofJobControl.union([SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2])

    private mutating func enter(_ phase: Phase, _ actions: [Action]) -> [Action] {
        self.phase = phase
        return actions
    }

    private mutating func end(_ code: Int32, warning: String? = nil) -> [Action] {
        enter(.over, (warning.map { [.warn($0)] } ?? []) + [.exit(code)])
    }

    private mutating func fail(_ cause: NotActivated, _ reason: String) -> [Action] {
        guard phase == .activating else { return phase == .over ? [] : [.warn(reason)] }
        switch cause {
        case .refused where !runsAnyway: return end(75, warning: reason)
        case .unavailable where requiresSession: return end(69, warning: reason)
        case .refused, .unavailable: return enter(.starting, [.warn(reason), .start])
        }
    }

    private mutating func take(_ number: Int32, _ isFromTerminal: Bool) -> [Action] {
        switch phase {
        case .activating, .starting: Self.ofJobControl.contains(number) ? [] : end(128 + number)
        case .running, .stopped: isFromTerminal ? [] : [.forward(number)]
        case .over: []
        }
    }
}
