import CAudioSession
import Glibc
import PipeWireGraph

/// Calls handlers on the thread on which the program calls `as_manager_dispatch`.
final class Dispatcher: Sendable {
    /// Events that one call delivers, so that a handler that causes events does not keep its loop
    /// busy forever.
    static let limit = 256

    private struct State {
        /// The queues with events, in the order of their next events. Each is listed once.
        var waiting: [HandlerQueue] = []
        /// Whether the manager is closed, after which no handler is called.
        var isClosed = false
        /// The thread that is in ``dispatch()``.
        var thread: pthread_t?
        /// The calls of ``dispatch()`` on that thread. A handler that runs a loop of its own makes
        /// another one.
        var depth = 0
    }

    private let state = Locked(State())
    private let eventDescriptor: EventDescriptor

    init() throws(Failure) {
        guard let made = EventDescriptor() else { throw .noDescriptor }
        eventDescriptor = made
    }

    /// The descriptor that is readable while events wait.
    var descriptor: Int32 { eventDescriptor.number }

    /// Whether the caller is a handler that ``dispatch()`` calls.
    var isCurrent: Bool { state.withLock(\.thread).map { pthread_equal($0, pthread_self()) != 0 } ?? false }

    /// Adds a queue that has events, and is not listed.
    func add(_ queue: HandlerQueue) {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.waiting.append(queue)
            if state.waiting.count == 1 { eventDescriptor.signal() }
        }
    }

    /// Removes the queue of an object that was released.
    func remove(_ queue: HandlerQueue) {
        state.withLock { state in
            state.waiting.removeAll { $0 === queue }
            if state.waiting.isEmpty { eventDescriptor.clear() }
        }
    }

    /// Ends all calls of handlers but the one that is under way.
    func close() {
        // Released outside the lock, because the queues refer to this.
        let waiting = state.withLock { state in
            state.isClosed = true
            eventDescriptor.clear()
            let waiting = state.waiting
            state.waiting = []
            return waiting
        }
        withExtendedLifetime(waiting) {}
    }

    /// Calls the handlers of the events that wait, each object's in order.
    /// - Throws: `dispatchesElsewhere`, while another thread is in this function;
    ///   `dispatchesOnLibraryThread`.
    func dispatch() throws(Failure) {
        try checkMayDispatch()
        let thread = pthread_self()
        let isFree = state.withLock { state in
            if let current = state.thread, pthread_equal(current, thread) == 0 { return false }
            state.thread = thread
            state.depth += 1
            return true
        }
        guard isFree else { throw .dispatchesElsewhere }
        defer {
            state.withLock { state in
                state.depth -= 1
                if state.depth == 0 { state.thread = nil }
            }
        }
        for _ in 0..<Self.limit {
            guard let queue = next() else { return }
            queue.deliver()
        }
    }

    private func next() -> HandlerQueue? {
        state.withLock { state in
            let queue = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
            if state.waiting.isEmpty { eventDescriptor.clear() }
            return queue
        }
    }
}

extension Dispatcher {
    /// Makes the dispatcher of a manager if the program asks for it.
    /// - Parameter options: of a size that was checked.
    static func asked(_ options: UnsafePointer<as_manager_options>?) throws(Failure) -> Dispatcher? {
        guard let options else { return nil }
        var known = as_manager_options()
        read(options, into: &known)
        return try known.calls_handlers_in_dispatch ? Dispatcher() : nil
    }
}
