import PipeWireGraph
import Synchronization

/// Events in the order in which they happened, for one listener.
///
/// Each sequence has its own bounded buffer, filled from the moment that the sequence was made. When the listener
/// falls behind by more than the buffer holds, the oldest events go and ``droppedCount`` says how many. The sequence
/// ends when its source is closed.
public struct EventSequence<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = Never
    fileprivate let stream: AsyncStream<Element>
    fileprivate let drops: DropCounter

    /// How many events this listener has lost by being slow.
    public var droppedCount: Int { drops.count.load(ordering: .relaxed) }

    public func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator()) }

    /// Takes one event after the other.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncStream<Element>.Iterator

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await base.next(isolation: actor)
        }
    }
}

private final class DropCounter: Sendable {
    let count = Atomic<Int>(0)
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
        var listeners: [UInt64: (continuation: AsyncStream<Element>.Continuation, drops: DropCounter)] = [:]
        var handlers: [UInt64: @Sendable (Element) -> Void] = [:]
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
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: .bufferingNewest(Swift.max(1, capacity)))
        let drops = DropCounter()
        let id: UInt64? = state.withLock { state in
            guard !state.isFinished else { return nil }
            let id = state.makeID()
            state.listeners[id] = (continuation, drops)
            return id
        }
        if let id {
            continuation.onTermination = { [weak self] _ in self?.removeListener(id) }
        } else {
            continuation.finish()
        }
        return EventSequence(stream: stream, drops: drops)
    }

    package func observe(_ handler: @escaping @Sendable (Element) -> Void) -> EventObservation {
        let id = state.withLock { state in
            let id = state.makeID()
            if !state.isFinished { state.handlers[id] = handler }
            return id
        }
        return EventObservation { [weak self] in self?.removeHandler(id) }
    }

    /// To be called from one thread at a time, or the order is lost. Handlers run before this returns.
    package func send(_ element: Element) {
        let (listeners, handlers) = state.withLock { state in
            // Most have nobody who listens, and a manager of hundreds of sessions has hundreds of these.
            state.listeners.isEmpty && state.handlers.isEmpty
                ? ([], []) : (Array(state.listeners.values), Array(state.handlers.values))
        }
        for handler in handlers { handler(element) }
        for (continuation, drops) in listeners {
            if case .dropped = continuation.yield(element) { drops.count.add(1, ordering: .relaxed) }
        }
    }

    package func finish() {
        let (listeners, handlers) = state.withLock { state in
            state.isFinished = true
            defer { (state.listeners, state.handlers) = ([:], [:]) }
            return (state.listeners, state.handlers)
        }
        for (continuation, _) in listeners.values { continuation.finish() }
        withExtendedLifetime(handlers) {}
    }

    // What is removed goes when the lock is free: it may hold the last reference to somebody who ends an observation here.

    private func removeListener(_ id: UInt64) {
        let listener = state.withLock { $0.listeners.removeValue(forKey: id) }
        withExtendedLifetime(listener) {}
    }

    private func removeHandler(_ id: UInt64) {
        let handler = state.withLock { $0.handlers.removeValue(forKey: id) }
        withExtendedLifetime(handler) {}
    }
}
