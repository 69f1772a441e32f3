import AudioSessionCore

extension AudioSessionError {
    init(_ failure: BoardFailure) {
        switch failure {
        case .insufficientPriority(let cause):
            let who = cause.applicationName ?? cause.processID.map { "process \($0)" } ?? "another program"
            self.init(
                .insufficientPriority, rule: "A session of higher priority (of \(who)) has the sound.",
                fix: "Try again when it has ended.")
        case .cannotInterruptOthers:
            self.init(
                .cannotInterruptOthers,
                rule: "In the background only the program that played last may silence others.",
                fix: "Use option mixWithOthers, or activate in the foreground.")
        case .timedOut(let timeout): self = .timedOut(after: timeout)
        case .mediaServicesFailed:
            self.init(.mediaServicesFailed, "There is no connection to PipeWire. Try again when it is back.")
        case .tokenNotMade:
            self.init(
                .mediaServicesFailed,
                "PipeWire did not show this program's session to others. "
                    + "Its modules session-manager and client-device may be switched off, or the program may not use them."
            )
        case .tooManyTokens:
            self.init(
                .resourcesExhausted,
                rule: "There are too many sessions: 1,024 tokens of one process count, 4,096 of all.",
                fix: "Try again in a second, or end the program that has so many ('audiosession status').")
        case .tooManyRequests:
            self.init(
                .resourcesExhausted, "Too many requests for this session wait for an answer. Wait for each of them.")
        case .noSuchSession:
            self.init(.expiredSession, "The session was closed. Make another one.")
        }
    }
}
