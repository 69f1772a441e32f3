package import AudioSessionCore

/// Restores the volumes of streams after this process ends, unless another program publishes a mark: that one writes its own
/// gain when this program's mark is removed.
package final class StreamWatchdog {
    private let process: WatchdogProcess

    /// - Parameter remote: the daemon's socket; `nil` as the environment says.
    package init?(remote: String?) {
        guard let process = WatchdogProcess(remote: remote) else { return nil }
        self.process = process
    }

    /// - Parameter mark: the name of this program's marks.
    /// - Returns: whether the order was sent.
    @discardableResult
    package func entrust(_ charges: [ForeignStreams.Charge], mark: String) -> Bool {
        process.order(charges.map(\.line), mark: mark)
    }
}

extension ForeignStreams.Charge {
    /// Volumes to the last bit, in every language.
    fileprivate var line: String {
        let words = ["\(id)", serial, isMuted ? "1" : "0"] + volumes.map { String($0.bitPattern, radix: 16) }
        return words.joined(separator: " ")
    }
}
