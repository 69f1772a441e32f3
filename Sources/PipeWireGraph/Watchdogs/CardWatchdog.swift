package import AudioSessionCore

/// Switches cards back after this process ends, unless another program publishes a mark of the same end.
package final class CardWatchdog {
    private let process: WatchdogProcess

    /// - Parameter remote: the daemon's socket; `nil` as the environment says.
    package init?(remote: String?) {
        guard let process = WatchdogProcess(remote: remote) else { return nil }
        self.process = process
    }

    /// - Parameter mark: the name of this program's marks.
    package func entrust(_ charges: [CardCharge], mark: String) {
        _ = process.order(charges.map { "@\($0.chosen) \($0.back) \($0.mark.control.text)" }, mark: mark)
    }
}
