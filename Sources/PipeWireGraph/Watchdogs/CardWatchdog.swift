package import AudioSessionCore

/// Switches cards back after this process ended, unless another program publishes a mark with the
/// same route or profile.
package final class CardWatchdog {
    private let process: WatchdogProcess

    /// Starts the process. `nil` if the system has no process or file left.
    /// - Parameter remote: The daemon's socket. `nil`: by the environment.
    package init?(remote: String?) {
        guard let process = WatchdogProcess(remote: remote) else { return nil }
        self.process = process
    }

    /// Replaces the choices that the watchdog undoes.
    /// - Parameter mark: The name of this program's marks.
    package func entrust(_ charges: [CardCharge], mark: String) {
        _ = process.order(charges.map { "@\($0.chosen) \($0.back) \($0.mark.control.text)" }, mark: mark)
    }
}
