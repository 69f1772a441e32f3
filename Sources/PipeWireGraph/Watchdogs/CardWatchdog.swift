package import AudioSessionCore

/// Switches cards back after this process ended, unless another program publishes a mark with the
/// same route or profile.
///
/// Sendable, because each of its functions may be called on any thread, by one thread at a time.
package final class CardWatchdog: @unchecked Sendable {
    private let process: WatchdogProcess

    private init?(remote: String?) {
        guard let process = WatchdogProcess(remote: remote) else { return nil }
        self.process = process
    }

    /// Starts the process on a thread of its own. The fork of a program takes longer the more
    /// memory it has, and may have to be repeated; no gate would close in that time.
    ///
    /// - Parameters:
    ///   - remote: The daemon's socket. `nil`: by the environment.
    ///   - started: Receives the watchdog on that thread; `nil` if the system has no thread,
    ///     process or file left.
    package static func start(remote: String?, _ started: @escaping @Sendable (CardWatchdog?) -> Void) {
        let worker = WorkerThread()
        let isPosted = worker.post { started(CardWatchdog(remote: remote)) }
        worker.end()
        if !isPosted { started(nil) }
    }

    /// Replaces the choices that the watchdog undoes.
    /// - Parameter mark: The name of this program's marks.
    package func restoreAtExit(_ orders: [CardRestoreOrder], mark: String) {
        _ = process.order(orders.compactMap(\.line), mark: mark)
    }
}
