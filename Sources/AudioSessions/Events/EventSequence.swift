import PipeWireGraph

/// Events in the order in which they happened, for one listener.
///
/// Each sequence has its own bounded buffer, filled from the moment that the sequence was made. When the listener
/// falls behind by more than the buffer holds, the oldest events go and ``droppedCount`` says how many. The sequence
/// ends when its source is closed.
public struct EventSequence<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = Never
    fileprivate let reader: EventReader<Element>

    /// How many events this listener has lost by being slow.
    public var droppedCount: Int { reader.buffer.dropped }

    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// Takes one event after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: EventReader<Element>

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await reader.buffer.next(isolation: actor)
        }
    }
}

/// Keeps a handler registered for as long as it lives; letting go of it, or ``cancel()``, ends it.
public final class EventObservation: Sendable {
    private let end: @Sendable () -> Void

    fileprivate init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }

    /// The handler is not called again, unless a call is under way on another thread.
    public func cancel() { end() }
}

/// Hands each event to every listener.
package final class EventBroadcaster<Element: Sendable>: Sendable {
    private struct State {
        // As each event needs them, in the order in which they came.
        var listeners: [(id: UInt64, buffer: EventBuffer<Element>)] = []
        var handlers: [(id: UInt64, call: @Sendable (Element) -> Void)] = []
        var last: UInt64 = 0
        var isFinished = false

        mutating func makeID() -> UInt64 {
            last += 1
            return last
        }
    }

    private let state = Locked(State())

    package init() {}

    package func events(bufferingNewest capacity: Int) -> EventSequence<Element> {
        let buffer = EventBuffer<Element>(capacity: capacity)
        let id: UInt64? = state.withLock { state in
            guard !state.isFinished else { return nil }
            let id = state.makeID()
            state.listeners.append((id, buffer))
            return id
        }
        if let id {
            buffer.onEnd { [weak self] in self?.removeListener(id) }
        } else {
            buffer.finish()
        }
        return EventSequence(reader: EventReader(buffer))
    }

    package func observe(_ handler: @escaping @Sendable (Element) -> Void) -> EventObservation {
        let id = state.withLock { state in
            let id = state.makeID()
            if !state.isFinished { state.handlers.append((id, handler)) }
            return id
        }
        return EventObservation { [weak self] in self?.removeHandler(id) }
    }

    /// To be called from one thread at a time, or the order is lost. Handlers run before this returns.
    package func send(_ element: Element) {
        let (listeners, handlers) = state.withLock { ($0.listeners, $0.handlers) }
        for (_, handler) in handlers { handler(element) }
        for (_, buffer) in listeners { buffer.send(element) }
    }

    package func finish() {
        let (listeners, handlers) = state.withLock { state in
            state.isFinished = true
            defer { (state.listeners, state.handlers) = ([], []) }
            return (state.listeners, state.handlers)
        }
        for (_, buffer) in listeners { buffer.finish() }
        withExtendedLifetime(handlers) {}
    }

    // What is removed goes when the lock is free: it may hold the last reference to somebody who ends an observation here.

    private func removeListener(_ id: UInt64) {
        let listener = state.withLock { state in
            state.listeners.firstIndex { $0.id == id }.map { state.listeners.remove(at: $0) }
        }
        withExtendedLifetime(listener) {}
    }

    private func removeHandler(_ id: UInt64) {
        let handler = state.withLock { state in
            state.handlers.firstIndex { $0.id == id }.map { state.handlers.remove(at: $0) }
        }
        withExtendedLifetime(handler) {}
    }
}
