import PipeWireGraph

/// Records events in order, and lets tests wait until they fulfill a condition.
package final class EventLog<Event: Sendable>: Sendable {
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

    package init() {}

    /// The events since the last ``clear()``.
    package var events: [Event] { state.withLock(\.events) }

    package func clear() { state.withLock { $0.events = [] } }

    package func append(_ event: Event) {
        let answers = state.withLock { state in
            state.events.append(event)
            let met = state.waiting.filter { $0.value.isMet(state.events) }
            for id in met.keys { state.waiting[id] = nil }
            return met.values.map(\.answer)
        }
        for answer in answers { answer.resume(returning: true) }
    }

    /// Waits until the events since the last ``clear()`` fulfill a condition.
    ///
    /// - Parameters:
    ///   - what: names the expected events in the error.
    ///   - limit: the timeout.
    ///   - fileID: the file of the call, for the error.
    ///   - line: the line of the call, for the error.
    ///   - isMet: the condition, evaluated at once and after every event.
    /// - Throws: ``EventMissing`` if the condition is not fulfilled within `limit`.
    package func wait(
        for what: String, within limit: Duration = .seconds(60), fileID: String = #fileID, line: Int = #line,
        until isMet: @escaping @Sendable ([Event]) -> Bool
    ) async throws(EventMissing) {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let deadline = Task {
            try await Task.sleep(for: limit)
            self.timedOut(id)
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
        if !wasMet {
            throw EventMissing(description: "\(fileID):\(line): \(what) was not notified; the events were \(events)")
        }
    }

    private func timedOut(_ id: Int) {
        state.withLock { $0.waiting.removeValue(forKey: id) }?.answer.resume(returning: false)
    }
}

/// The expected events that did not arrive in time.
package struct EventMissing: Error, CustomStringConvertible {
    package let description: String
}
