import PipeWireGraph

/// Those who wait until the state of one actor fulfils something. Confined to that actor, which is on a loop.
///
/// A wait ends by the state or by its deadline; cancelling the task that waits does not shorten it.
final class Expectations<State> {
    private struct Expectation {
        let isMet: (State) -> Bool
        let deadline: LoopTimer?
        let answer: CheckedContinuation<Outcome, Never>
    }

    enum Outcome: Sendable {
        case met
        case late
        case failed(TestKitError)
    }

    private var waiting: [Int: Expectation] = [:]
    private var next = 0

    /// Waits until `isMet`, asked now and after every change.
    ///
    /// - Parameter state: what it is now, or why it can change no more. Asked for when the wait is registered: until then the
    ///   state may change, because a task that prefers an executor leaves the actor at each `await`.
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
            let deadline = LoopTimer(on: executor) { [weak self] in self?.end(id, .late) }
            deadline?.arm(after: limit)
            waiting[id] = Expectation(isMet: isMet, deadline: deadline, answer: answer)
        }
    }

    /// The state changed.
    func evaluate(_ state: State) {
        for (id, expectation) in waiting where expectation.isMet(state) { end(id, .met) }
    }

    /// Nothing that anybody waits for can come any more.
    func fail(_ error: TestKitError) {
        for id in waiting.keys { end(id, .failed(error)) }
    }

    private func end(_ id: Int, _ outcome: Outcome) {
        waiting.removeValue(forKey: id)?.answer.resume(returning: outcome)
    }
}
