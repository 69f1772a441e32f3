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
/// All handlers are called on one thread.
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
        /// Once there was one, a call of it may be under way.
        var hadHandler = false
        var events: [any CEvent] = []
        var dropped: UInt32 = 0
        /// Whether the thread is to look for events.
        var isAwaited = false
    }

    private let state = Locked(State())

    func setSender(_ handle: OpaquePointer) { state.withLock { $0.sender = UInt(bitPattern: handle) } }

    /// Replaces the handler, and returns when no call of the old one is under way.
    ///
    /// A handler that calls this does not wait for itself.
    /// - Throws: `onLoopThread`, because the call under way may wait for that thread.
    func setFunction(_ function: Function?, _ userData: UnsafeMutableRawPointer?) throws(Failure) {
        try checkMayWait()
        let hadHandler = replace(function.map { Handler(function: $0, userData: UInt(bitPattern: userData)) })
        // Before the first handler there is no call, and the thread may be in another sender's
        // handler, which waits for the caller.
        if hadHandler { waitForCalls() }
    }

    /// Replaces the handler, and drops the events of the former one.
    /// - Returns: Whether there was a handler before.
    @discardableResult
    private func replace(_ new: Handler?) -> Bool {
        state.withLock { state in
            defer { state.hadHandler = state.hadHandler || new != nil }
            state.handler = new
            state.events = []
            state.dropped = 0
            return state.hadHandler
        }
    }

    /// Removes the handler. A call of it may still be under way, see ``waitForCalls()``.
    func detachHandler() { replace(nil) }

    /// Returns when no call of a former handler is under way. A handler does not wait for itself.
    func waitForCalls() {
        guard state.withLock(\.hadHandler), !Self.thread.isCurrent else { return }
        let done = Semaphore()
        if Self.thread.post({ done.signal() }) { done.wait() }
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
        let isFirst = state.withLock { state in
            guard state.handler != nil else { return false }
            if state.events.count == Self.capacity {
                state.events.removeFirst()
                state.dropped += 1
            }
            state.events.append(event)
            defer { state.isAwaited = true }
            return !state.isAwaited
        }
        if isFirst { fetch() }
    }

    private func fetch() { Self.thread.post { [self] in deliver() } }

    /// Delivers one event, so that other sessions are served in between.
    private func deliver() {
        let (next, sender) = state.withLock { state in
            guard let handler = state.handler, !state.events.isEmpty else {
                state.isAwaited = false
                return (nil as (Handler, any CEvent, UInt32)?, state.sender)
            }
            defer { state.dropped = 0 }
            return ((handler, state.events.removeFirst(), state.dropped), state.sender)
        }
        guard let (handler, event, dropped) = next else { return }
        event.withC(dropped: dropped) { event in
            handler.function(
                OpaquePointer(bitPattern: sender), event, UnsafeMutableRawPointer(bitPattern: handler.userData))
        }
        fetch()
    }
}
