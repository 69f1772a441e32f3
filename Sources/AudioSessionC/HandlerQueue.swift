import CAudioSession
import PipeWireGraph

/// An event that handlers of C programs receive.
protocol CEvent: Sendable {
    /// Calls `body` with the event for C programs, an `as_event` or its counterpart, which lasts
    /// until `body` returns.
    func withC(dropped: UInt32, _ body: (UnsafeRawPointer) -> Void)
}

/// Delivers the events of one session, manager or stream to its handler.
///
/// All handlers are called on one thread, or by the dispatcher of their manager.
final class HandlerQueue: Sendable {
    /// A C function that receives the sender's handle, an event and the program's pointer.
    typealias Function = @Sendable (OpaquePointer?, UnsafeRawPointer, UnsafeMutableRawPointer?) -> Void

    static let thread = WorkerThread()
    private static let capacity = 256

    private struct Handler {
        let function: Function
        let userData: UInt
    }

    private struct State {
        var sender: UInt = 0
        var handler: Handler?
        /// Whether the sender is released, after which it gets no handler.
        var isDetached = false
        var events: [any CEvent] = []
        var dropped: UInt32 = 0
        /// Whether the thread or the dispatcher is going to call ``deliver()``, or is in it.
        var isAwaited = false
        /// The number of calls of handlers that have begun.
        var begunCalls: UInt64 = 0
        /// The number of calls that have returned. At most one call is under way.
        var endedCalls: UInt64 = 0
    }

    private let state = LockedCondition(State())
    /// What calls the handler, unless the thread does.
    let dispatcher: Dispatcher?

    init(calledBy dispatcher: Dispatcher?) { self.dispatcher = dispatcher }

    private var isCallingHandlers: Bool { dispatcher?.isCurrent ?? Self.thread.isCurrent }

    func setSender(_ handle: OpaquePointer) { state.update { $0.sender = UInt(bitPattern: handle) } }

    /// Replaces the handler, and returns when no call of the old one is under way.
    ///
    /// A handler that calls this does not wait for itself. Handlers of other senders are not waited
    /// for, because they may need a lock that the caller holds.
    /// - Throws: `onLoopThread`, because the call under way may wait for that thread.
    func setFunction(_ function: Function?, _ userData: UnsafeMutableRawPointer?) throws(Failure) {
        try checkMayWait()
        let calls = replace(function.map { Handler(function: $0, userData: UInt(bitPattern: userData)) })
        waitForCalls(calls)
    }

    /// Replaces the handler, and drops the events of the former one.
    /// - Returns: The number of calls of former handlers. The last one may be under way.
    @discardableResult
    private func replace(_ new: Handler?) -> UInt64 {
        state.update { state in
            state.handler = state.isDetached ? nil : new
            state.events = []
            state.dropped = 0
            return state.begunCalls
        }
    }

    /// Removes the handler for good. A call of it may still be under way, see ``waitForCalls()``.
    func detachHandler() {
        state.update { $0.isDetached = true }
        replace(nil)
        dispatcher?.remove(self)
    }

    /// Returns when no call of a detached handler is under way. A handler does not wait for itself.
    func waitForCalls() { waitForCalls(state.update { $0.begunCalls }) }

    /// Returns when this number of calls has returned. It does not wait for later calls, which are
    /// those of another handler.
    private func waitForCalls(_ count: UInt64) {
        guard !isCallingHandlers else { return }
        _ = state.wait(until: nil) { $0.endedCalls >= count }
    }

    /// Sets a handler of sessions or managers, whose types are the same.
    func setHandler(_ function: as_session_handler?, _ userData: UnsafeMutableRawPointer?) throws(Failure) {
        guard let handler = function else { return try removeHandler() }
        try setFunction({ handler($0, $1.assumingMemoryBound(to: as_event.self), $2) }, userData)
    }

    /// Sets a handler of outputs, inputs, players or recorders, whose types are the same.
    func setStreamHandler(_ function: as_output_handler?, _ userData: UnsafeMutableRawPointer?) throws(Failure) {
        guard let handler = function else { return try removeHandler() }
        try setFunction({ handler($0, $1.assumingMemoryBound(to: as_stream_event.self), $2) }, userData)
    }

    /// Removes the handler, and returns when no call of it is under way.
    func removeHandler() throws(Failure) { try setFunction(nil, nil) }

    func push(_ event: some CEvent) {
        state.update { state in
            guard state.handler != nil else { return }
            if state.events.count == Self.capacity {
                state.events.removeFirst()
                state.dropped += 1
            }
            state.events.append(event)
            guard !state.isAwaited else { return }
            state.isAwaited = true
            fetch()
        }
    }

    /// Has ``deliver()`` called. The caller holds the lock, so that the dispatcher cannot list this
    /// after ``detachHandler()`` has removed it.
    private func fetch() {
        if let dispatcher { dispatcher.add(self) } else { Self.thread.post { [self] in deliver() } }
    }

    /// Delivers one event, so that other sessions are served in between.
    func deliver() {
        let (next, sender) = state.update { state in
            guard let handler = state.handler, !state.events.isEmpty else {
                state.isAwaited = false
                return (nil as (Handler, any CEvent, UInt32)?, state.sender)
            }
            state.begunCalls += 1
            defer { state.dropped = 0 }
            return ((handler, state.events.removeFirst(), state.dropped), state.sender)
        }
        guard let (handler, event, dropped) = next else { return }
        event.withC(dropped: dropped) { event in
            handler.function(
                OpaquePointer(bitPattern: sender), event, UnsafeMutableRawPointer(bitPattern: handler.userData))
        }
        state.update { state in
            state.endedCalls += 1
            state.isAwaited = !state.events.isEmpty
            if state.isAwaited { fetch() }
        }
    }
}
