import AVFAudio

/// A queue of asynchronous jobs, each of which begins after the one before has ended.
///
/// Jobs begin in the order of the calls, which separate tasks do not guarantee.
package final class WorkQueue: Sendable {
    private let last = Locked<Task<Void, Never>?>(nil)

    package init() {}

    package func add(_ work: @escaping @Sendable () async -> Void) {
        last.withLock { last in
            let former = last
            last = Task {
                _ = await former?.value
                await work()
            }
        }
    }
}
