package import AudioSessionCore

/// Restores the volumes of streams after this process ended, unless another program publishes a
/// mark. That program writes its own gain when this program's mark is removed.
package final class StreamWatchdog {
    private let process: WatchdogProcess

    /// Starts the process. `nil` if the system has no process or file left.
    /// - Parameter remote: The daemon's socket. `nil`: by the environment.
    package init?(remote: String?) {
        guard let process = WatchdogProcess(remote: remote) else { return nil }
        self.process = process
    }

    /// Replaces the streams that the watchdog restores.
    /// - Parameter mark: The name of this program's marks.
    /// - Returns: Whether the orders were sent.
    @discardableResult
    package func restoreAtExit(_ orders: [UnmanagedStreams.RestoreOrder], mark: String) -> Bool {
        process.order(orders.map(\.line), mark: mark)
    }
}

extension UnmanagedStreams.RestoreOrder {
    /// The line of the order. Volumes are bit patterns, which no rounding or locale changes.
    fileprivate var line: String {
        let words = ["\(id)", serial, isMuted ? "1" : "0"] + volumes.map { String($0.bitPattern, radix: 16) }
        return words.joined(separator: " ")
    }
}
