import AudioSessions
import CAudioSession
import PipeWireGraph

/// Brings a session's events to its handler, on the thread on which all handlers are called.
final class Courier: Sendable {
    static let thread = WorkerThread()
    private static let capacity = 256

    private struct Handler {
        let function: as_session_handler
        let userData: UInt
    }

    private struct State {
        var session: UInt = 0
        var handler: Handler?
        /// Once there was one, a call of it may be under way.
        var hadHandler = false
        var events: [AudioSession.Event] = []
        var dropped: UInt32 = 0
        /// Whether the thread is to look for events.
        var isAwaited = false
    }

    private let state = Locked(State())

    func setSession(_ handle: OpaquePointer) { state.withLock { $0.session = UInt(bitPattern: handle) } }

    /// Returns when the handler before is called no more, and by nobody, but for whoever calls this from a handler.
    func setHandler(_ function: as_session_handler?, _ userData: UnsafeMutableRawPointer?) {
        let new = function.map { Handler(function: $0, userData: UInt(bitPattern: userData)) }
        let hadOne = state.withLock { state in
            defer {
                state.handler = new
                state.hadHandler = state.hadHandler || new != nil
            }
            state.events = []
            state.dropped = 0
            return state.hadHandler
        }
        guard hadOne, !Self.thread.isCurrent else { return }
        let done = Semaphore()
        if Self.thread.post({ done.signal() }) { done.wait() }
    }

    func push(_ event: AudioSession.Event) {
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

    /// One at a time, so that others have their turn.
    private func deliver() {
        let (next, session) = state.withLock { state in
            guard let handler = state.handler, !state.events.isEmpty else {
                state.isAwaited = false
                return (nil as (Handler, AudioSession.Event, UInt32)?, state.session)
            }
            defer { state.dropped = 0 }
            return ((handler, state.events.removeFirst(), state.dropped), state.session)
        }
        guard let (handler, event, dropped) = next else { return }
        event.withC(dropped: dropped) { event in
            handler.function(
                OpaquePointer(bitPattern: session), event, UnsafeMutableRawPointer(bitPattern: handler.userData))
        }
        fetch()
    }
}
