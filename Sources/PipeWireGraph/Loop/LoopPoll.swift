import CPipeWireShim

/// Tells when an open file can be read, or written to. To be made, used and dropped on the loop's thread. The file may be
/// closed before.
package final class LoopPoll {
    private let executor: LoopExecutor
    private let poll: OpaquePointer
    private let context: Unmanaged<Handler>

    private final class Handler {
        var ready: (() -> Void)?
        init(_ ready: @escaping () -> Void) { self.ready = ready }
    }

    /// `nil` if the system has no memory or file left.
    package init?(file: Int32, on executor: LoopExecutor, ready: @escaping () -> Void) {
        context = .passRetained(Handler(ready))
        let poll = cpw_poll_create(
            executor.loop, file, { Unmanaged<Handler>.fromOpaque($0).takeUnretainedValue().ready?() },
            context.toOpaque())
        guard let poll else {
            context.release()
            return nil
        }
        self.executor = executor
        self.poll = poll
    }

    /// Whether room to write is news as well.
    package func setWriting(_ isWriting: Bool) { cpw_poll_set_writing(poll, isWriting) }

    /// Ends it, and closes what else belongs to the file in `closing`, when no callback of it can be under way.
    package func end(_ closing: @escaping () -> Void) {
        context.takeUnretainedValue().ready = nil
        executor.end { [executor, poll, context] in
            cpw_poll_destroy(poll)
            context.release()
            closing()
            withExtendedLifetime(executor) {}
        }
    }
}
