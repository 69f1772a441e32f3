import AudioSessionCore
import PipeWireGraph
import Testing

/// Everything that somebody told, in order, and those who wait for more of it.
final class EventLog<Event: Sendable>: Sendable {
    private struct Waiting {
        let isMet: @Sendable ([Event]) -> Bool
        let answer: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var events: [Event] = []
        var waiting: [Int: Waiting] = [:]
        var lastID = 0
    }

    private let state = Locked(State())

    /// What was told since the last ``clear()``.
    var events: [Event] { state.withLock(\.events) }

    func clear() { state.withLock { $0.events = [] } }

    func append(_ event: Event) {
        let answers = state.withLock { state in
            state.events.append(event)
            let met = state.waiting.filter { $0.value.isMet(state.events) }
            for id in met.keys { state.waiting[id] = nil }
            return met.values.map(\.answer)
        }
        for answer in answers { answer.resume(returning: true) }
    }

    /// Waits until the events since the last ``clear()`` fulfil a condition, and takes the test's end if they do not.
    func wait(
        for what: String, within limit: Duration = .seconds(10), sourceLocation: SourceLocation = #_sourceLocation,
        until isMet: @escaping @Sendable ([Event]) -> Bool
    ) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let deadline = Task {
            try await Task.sleep(for: limit)
            self.giveUp(id)
        }
        defer { deadline.cancel() }
        let wasMet = await withCheckedContinuation { answer in
            let isMetAlready = state.withLock { state in
                if isMet(state.events) { return true }
                state.waiting[id] = Waiting(isMet: isMet, answer: answer)
                return false
            }
            if isMetAlready { answer.resume(returning: true) }
        }
        try #require(wasMet, "\(what) was not told, but \(events)", sourceLocation: sourceLocation)
    }

    private func giveUp(_ id: Int) {
        state.withLock { $0.waiting.removeValue(forKey: id) }?.answer.resume(returning: false)
    }
}
