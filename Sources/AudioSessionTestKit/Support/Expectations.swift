import PipeWireGraph

/// Pending waits for a state of one actor. Confined to that actor, which runs on a loop.
///
/// A wait ends when the state fulfills its condition, or at its deadline. Cancelling the waiting
/// task does not shorten it.
final class Expectations<State> {
    private struct Expectation {
        let isMet: (State) -> Bool
        let deadline: LoopTimer
        let answer: CheckedContinuation<Outcome, Never>
    }

    enum Outcome: Sendable {
        case met
        case late
        case failed(TestKitError)
    }

    private var waiting: [Int: Expectation] = [:]
    private var next = 0
    private let makeTimer: (LoopExecutor, @escaping () -> Void) -> LoopTimer?

    /// Creates a list without pending waits.
    ///
    /// - Parameter makeTimer: creates the timer of a deadline; `nil` without resources.
    init(makeTimer: @escaping (LoopExecutor, @escaping () -> Void) -> LoopTimer? = { LoopTimer(on: $0, fired: $1) }) {
        self.makeTimer = makeTimer
    }

    /// Waits until `isMet` is true. It is evaluated now and after every change.
    ///
    /// - Parameters:
    ///   - state: returns the current state, or throws the error that prevents further changes. It
    ///     is called when the wait is registered. The state may change before, because a task that
    ///     prefers an executor leaves the actor at each `await`.
    ///   - limit: the timeout.
    ///   - executor: the executor of the actor.
    ///   - isMet: the condition.
    /// - Returns: the outcome; a failure with code `cannotStart` without resources for a timer.
    func wait(
        _ state: () throws(TestKitError) -> State, within limit: Duration, on executor: LoopExecutor,
        until isMet: @escaping (State) -> Bool
    ) async -> Outcome {
        await withCheckedContinuation { answer in
            do throws(TestKitError) {
                if isMet(try state()) { return answer.resume(returning: .met) }
            } catch {
                return answer.resume(returning: .failed(error))
            }
            let id = next
            next += 1
            guard let deadline = makeTimer(executor, { [weak self] in self?.end(id, .late) }) else {
                return answer.resume(returning: .failed(.withoutTimer("A wait of the test kit cannot start")))
            }
            deadline.arm(after: limit)
            waiting[id] = Expectation(isMet: isMet, deadline: deadline, answer: answer)
        }
    }

    /// Ends the waits whose condition the changed state fulfills.
    func evaluate(_ state: State) {
        for (id, expectation) in waiting where expectation.isMet(state) { end(id, .met) }
    }

    /// Ends all waits with an error, because the state can no longer change.
    func fail(_ error: TestKitError) {
        for id in waiting.keys { end(id, .failed(error)) }
    }

    private func end(_ id: Int, _ outcome: Outcome) {
        waiting.removeValue(forKey: id)?.answer.resume(returning: outcome)
    }
}
