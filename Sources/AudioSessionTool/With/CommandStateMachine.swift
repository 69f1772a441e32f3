import AudioSessions
import Glibc

/// Decides how `audiosession with` runs COMMAND.
///
/// It decides whether COMMAND runs, which signals it receives, when the session is active, and with
/// which exit code the tool ends.
///
/// COMMAND is in the same process group, so it can use the terminal. Signals of the terminal reach
/// both processes, and only other signals are forwarded, except while COMMAND is started. While
/// COMMAND is stopped, the session is inactive, so other programs may be heard. After a stop during
/// an interruption, COMMAND stays silent until the session is active.
struct CommandStateMachine: Sendable {
    enum Event: Sendable, Hashable {
        case activated
        case notActivated(NotActivated, reason: String)
        case started
        /// COMMAND was not started, with the system's error number.
        case notStarted(Int32)
        /// This process received a signal.
        case signaled(Int32, isFromTerminal: Bool)
        /// COMMAND was stopped by this signal.
        case stopped(Int32)
        /// COMMAND continues after a stop.
        case continued
        /// This process continues after ``Action/stop``.
        case resumed
        case ended(CommandEnd)
        /// The session's state has changed, to the interrupted one or another.
        case interrupted(Bool)
        case interruptionEnded
        /// The time of ``Action/retryLater`` has passed.
        case retry
        /// Other programs are restored after ``Action/exit(_:)``, or the wait for that has ended.
        case restored
    }

    enum NotActivated: Sendable, Hashable {
        /// Another program's session prevented the activation.
        case refused
        /// PipeWire does not run or does not answer.
        case unavailable
    }

    enum Action: Sendable, Hashable {
        case activate, deactivate
        /// Pause or mute COMMAND until the session is active, unless its user has let it play since
        /// the first of these actions.
        case silence
        /// Report ``Event/retry`` after a second. PipeWire sends no event when a session may be
        /// activated that was refused.
        case retryLater
        case start
        case warn(String)
        /// Send this signal to COMMAND.
        case forward(Int32)
        /// Stop this process, and report ``Event/resumed`` when it continues.
        case stop
        /// Restore other programs, and report ``Event/restored``. The exit code is this one.
        case exit(Int32)
        /// Wait no longer for a headset, on which players are resumed.
        case stopWaiting
        /// End the program. Its watchdog restores what is not restored yet.
        case leave
    }

    private enum Phase: Sendable {
        case activating, starting, running, stopped, over
    }

    /// Whether COMMAND runs even if the activation is refused, and whether it does not run without
    /// PipeWire.
    private let (runsAnyway, requiresSession): (Bool, Bool)
    private let command: String
    private var phase = Phase.activating
    private var isInterrupted = false
    /// Whether COMMAND is silent until an activation succeeds, whether the user knows the reason,
    /// and whether another attempt follows.
    private var (isSilenced, isReported, isRetrying) = (false, false, false)

    /// Makes a state machine that waits for the activation.
    ///
    /// - Parameters:
    ///   - command: The name of COMMAND, for messages.
    ///   - runsAnyway: Whether COMMAND runs even if the activation is refused.
    ///   - requiresSession: Whether COMMAND does not run without PipeWire.
    init(_ command: String, runsAnyway: Bool = false, requiresSession: Bool = false) {
        self.command = command
        self.runsAnyway = runsAnyway
        self.requiresSession = requiresSession
    }

    mutating func receive(_ event: Event) -> [Action] {
        switch event {
        case .activated:
            (isSilenced, isReported) = (false, false)
            return phase == .activating ? enter(.starting, [.start]) : []
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
            // After a stop by a debugger, only COMMAND is continued, so this process must not stop.
            let stop: [Action] = Self.ofJobControl.contains(number) ? [.stop] : []
            let actions = deactivate() + stop
            return enter(.stopped, actions)
        case .continued: return phase == .stopped ? enter(.running, [.activate]) : []
        case .resumed: return phase == .stopped ? enter(.running, [.forward(SIGCONT), .activate]) : []
        case .ended(let status): return phase == .over ? [] : end(status.exitCode)
        case .interrupted(let isInterrupted):
            self.isInterrupted = isInterrupted
            return []
        case .interruptionEnded: return phase == .starting || phase == .running ? [.activate] : []
        case .retry:
            isRetrying = false
            // An interrupted session is activated at the end of the interruption.
            return isSilenced && phase == .running && !isInterrupted ? [.activate] : []
        case .restored: return phase == .over ? [.leave] : []
        }
    }

    /// Deactivates the session of a stopped COMMAND, also during an interruption: if this process
    /// stops too, it does not notice the end, and would keep other programs silent.
    private mutating func deactivate() -> [Action] {
        let staysSilent = isInterrupted && !runsAnyway
        isInterrupted = false
        guard staysSilent else { return [.deactivate] }
        isSilenced = true
        return [.silence, .deactivate]
    }

    static let ofJobControl: Set<Int32> = [SIGTSTP, SIGTTIN, SIGTTOU]
    /// The signals by which a user or another program ends this one.
    private static let ending: Set<Int32> = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]
    /// The signals that are handled. All others have their default effect on this process.
    static let signals: Set<Int32> = ofJobControl.union(ending).union([SIGUSR1, SIGUSR2])

    private mutating func enter(_ phase: Phase, _ actions: [Action]) -> [Action] {
        self.phase = phase
        return actions
    }

    private mutating func end(_ code: Int32, warning: String? = nil) -> [Action] {
        enter(.over, (warning.map { [.warn($0)] } ?? []) + [.exit(code)])
    }

    private mutating func fail(_ cause: NotActivated, _ reason: String) -> [Action] {
        guard phase == .activating else { return failAgain(cause, reason) }
        switch cause {
        case .refused where !runsAnyway: return end(75, warning: reason)
        case .unavailable where requiresSession: return end(69, warning: reason)
        case .refused, .unavailable: return enter(.starting, [.warn(reason), .start])
        }
    }

    /// Handles the failure of a later activation. Only the first of several is reported. If COMMAND
    /// is silent already, PipeWire may be lost for a while.
    private mutating func failAgain(_ cause: NotActivated, _ reason: String) -> [Action] {
        if phase == .over { return [] }
        guard cause == .refused || isSilenced, !runsAnyway else { return [.warn(reason)] }
        let actions: [Action] = (isReported ? [] : [.warn(reason)]) + [.silence] + (isRetrying ? [] : [.retryLater])
        (isSilenced, isReported, isRetrying) = (true, true, true)
        return actions
    }

    private mutating func take(_ number: Int32, _ isFromTerminal: Bool) -> [Action] {
        switch phase {
        case .activating: Self.ofJobControl.contains(number) ? [] : end(128 + number)
        // COMMAND may run already, but may have been started after the terminal sent the signal.
        // SIGTTIN and SIGTTOU are only sent to a process group that has used the terminal itself.
        case .starting: isFromTerminal && [SIGTTIN, SIGTTOU].contains(number) ? [] : [.forward(number)]
        case .running: isFromTerminal ? [] : [.forward(number)]
        // COMMAND may have stopped its whole process group. After this process continues, the
        // signal would stop COMMAND again.
        case .stopped: isFromTerminal || Self.ofJobControl.contains(number) ? [] : [.forward(number)]
        case .over: Self.ending.contains(number) ? [.stopWaiting] : []
        }
    }
}
