import CPipeWireShim

/// Notifies when an open file can be read or written, until ``end(_:)`` or its release. Created,
/// used and released on the loop's thread. The file may be closed before.
package final class LoopPoll {
    private let executor: LoopExecutor
    private let poll: OpaquePointer
    private let context: Unmanaged<LoopCallback>
    private var isEnded = false

    /// Starts polling. `nil` if memory or files are exhausted.
    package init?(file: Int32, on executor: LoopExecutor, ready: @escaping () -> Void) {
        context = .passRetained(LoopCallback(ready))
        let poll = cpw_poll_create(executor.loop, file, { LoopCallback.call($0) }, context.toOpaque())
        guard let poll else {
            context.release()
            return nil
        }
        self.executor = executor
        self.poll = poll
    }

    deinit { if !isEnded { end {} } }

    /// Enables or disables notifications of room to write.
    package func setWriting(_ isWriting: Bool) { cpw_poll_set_writing(poll, isWriting) }

    /// Ends polling. Calls `closing`, which may close the file, when no callback of this poll is
    /// under way.
    package func end(_ closing: @escaping () -> Void) {
        isEnded = true
        context.takeUnretainedValue().body = nil
        executor.end { [executor, poll, context] in
            cpw_poll_destroy(poll)
            context.release()
            closing()
            withExtendedLifetime(executor) {}
        }
    }
}
