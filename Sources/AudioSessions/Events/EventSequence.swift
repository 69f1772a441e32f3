import PipeWireGraph

/// A sequence of events for one listener, in the order in which they happened.
///
/// Each sequence has its own bounded buffer, filled from the moment at which the sequence is made.
/// If the listener falls behind by more than the buffer holds, the oldest events are dropped, and
/// ``droppedCount`` counts them. The sequence ends when its source is closed.
///
/// A loop that begins while another one runs has a buffer of its own, and receives the events from
/// then on. A loop that follows another one continues where that stopped.
public struct EventSequence<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = Never
    fileprivate let buffers: EventBuffers<Element>

    /// How many events the loops over this sequence have missed by being slow, all together.
    public var droppedCount: Int { buffers.dropped.withLock(\.self) }

    public func makeAsyncIterator() -> Iterator { Iterator(reader: EventReader(buffers)) }

    /// An iterator that removes each event from the sequence's buffer.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: EventReader<Element>

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await reader.buffer.next(isolation: actor)
        }

        /// The events that the iterator has not returned yet.
        package var backlog: EventBacklog<Element> { EventBacklog(reader: reader) }
    }
}

/// The buffered events of one loop, in any isolation.
package struct EventBacklog<Element: Sendable>: Sendable {
    fileprivate let reader: EventReader<Element>

    /// Discards the events, for a listener that missed earlier ones and reads the present state
    /// instead. The caller must have the isolation in which events are sent.
    /// - Returns: The sequence's ``EventSequence/droppedCount``, which counts no discarded events.
    package func discard() -> Int {
        reader.buffer.discard()
        return reader.droppedCount
    }
}

/// The registration of an event handler. Releasing its last reference, or ``cancel()``, unregisters
/// the handler.
public final class EventObservation: Sendable {
    private let end: @Sendable () -> Void

    fileprivate init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }

    /// Unregisters the handler. A call that is already running on another thread still completes.
    public func cancel() { end() }
}

/// A broadcaster that delivers each event to every listener.
package final class EventBroadcaster<Element: Sendable>: Sendable {
    private struct State {
        // An array, because each event visits all listeners in the order of registration.
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
        let dropped = Locked(0)
        return EventSequence(
            buffers: EventBuffers(dropped: dropped) { [weak self] in
                let buffer = EventBuffer<Element>(capacity: capacity, dropped: dropped)
                if let self { self.add(buffer) } else { buffer.finish() }
                return buffer
            })
    }

    private func add(_ buffer: EventBuffer<Element>) {
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
    }

    package func observe(_ handler: @escaping @Sendable (Element) -> Void) -> EventObservation {
        let id = state.withLock { state in
            let id = state.makeID()
            if !state.isFinished { state.handlers.append((id, handler)) }
            return id
        }
        return EventObservation { [weak self] in self?.removeHandler(id) }
    }

    /// Delivers an event to all listeners. Handlers have run when it returns. Callers must use one
    /// thread at a time to preserve the order.
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

    // Removed handlers are released outside the lock, because their deinitializers may end another
    // observation here.

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
