import AudioSessionCore

extension AudioSessionError {
    init(_ failure: ActivationFailure) {
        switch failure {
        case .insufficientPriority(let cause):
            let who = cause.applicationName ?? cause.processID.map { "process \($0)" } ?? "another program"
            self.init(
                .insufficientPriority, rule: "A session of higher priority is active (of \(who)).",
                fix: "Activate again after it ends.")
        case .cannotInterruptOthers:
            self.init(
                .cannotInterruptOthers,
                rule: "In the background, only the program that is now playing may interrupt others.",
                fix: "Use option mixWithOthers, or activate in the foreground.")
        case .timedOut(let timeout): self = .timedOut(after: timeout)
        case .mediaServicesFailed: self = .notConnected
        case .tokenNotMade:
            self.init(
                .mediaServicesFailed,
                "PipeWire did not publish this program's session. "
                    + "Enable its module session-manager or client-device, and let this program use it."
            )
        case .tooManyTokens:
            self.init(
                .resourcesExhausted,
                rule: "There are too many sessions: the limit is 1,024 tokens of one process, 4,096 of all.",
                fix: "Try again in a second, or end the program with most of them ('audiosession why').")
        case .tooManyRequests:
            self.init(
                .resourcesExhausted,
                "Too many requests of this session wait for an answer. Await each call before the next.")
        case .noSuchSession: self = .sessionClosed
        }
    }

    static let notConnected = AudioSessionError(
        .mediaServicesFailed, "There is no connection to PipeWire. Try again when PipeWire runs.")
    static let sessionClosed = AudioSessionError(
        .expiredSession, "The session was closed. Make another one.")
}
