/// The round trips to PipeWire that callers wait for. Each has one outcome, after the timeout at
/// the latest.
package struct OpenQuestions: Sendable {
    private let timeout: Duration
    /// The pending round trips, the oldest first. It also has the earliest deadline.
    private var open: [(question: UInt64, deadline: MonotonicTime)] = []
    private var wakeTime: MonotonicTime?

    package enum Input: Sendable, Hashable {
        case asked(UInt64)
        case answered(UInt64)
        case disconnected
        case deadline
    }

    package enum Action: Sendable, Hashable {
        case finish(UInt64, Outcome)
        /// Send ``Input/deadline`` at this time; `nil` disarms the timer.
        case wake(at: MonotonicTime?)
    }

    package enum Outcome: Sendable, Hashable {
        /// PipeWire has sent everything that precedes the answer.
        case answered
        case timedOut
        case disconnected
    }

    /// Makes a state machine without pending round trips.
    /// - Parameter timeout: The timeout of each round trip.
    package init(timeout: Duration = .seconds(5)) { self.timeout = timeout }

    package mutating func receive(_ input: Input, now: MonotonicTime) -> [Action] {
        var actions: [Action]
        switch input {
        case .asked(let question):
            open.append((question, now + timeout))
            actions = []
        case .answered(let question): actions = finish(.answered) { $0.question == question }
        case .disconnected: actions = finish(.disconnected) { _ in true }
        case .deadline:
            wakeTime = nil
            actions = finish(.timedOut) { $0.deadline <= now }
        }
        if wakeTime != open.first?.deadline {
            wakeTime = open.first?.deadline
            actions.append(.wake(at: wakeTime))
        }
        return actions
    }

    private mutating func finish(
        _ outcome: Outcome, where isOver: ((question: UInt64, deadline: MonotonicTime)) -> Bool
    ) -> [Action] {
        let actions = open.filter(isOver).map { Action.finish($0.question, outcome) }
        open.removeAll(where: isOver)
        return actions
    }
}
