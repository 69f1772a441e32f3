package import AudioSessionCore
import CPipeWireShim

/// A helper process that restores, after this process ends in any way, what it has changed for other programs.
final class WatchdogProcess {
    private let handle: OpaquePointer

    /// - Parameter remote: the daemon's socket; `nil` as the environment says.
    init?(remote: String?) {
        var code: Int32 = 0
        guard let handle = cpw_watchdog_create(remote ?? "", &code) else { return nil }
        self.handle = handle
    }

    /// Makes the watchdog carry out its last order now.
    deinit { cpw_watchdog_destroy(handle) }

    /// Replaces the watchdog's order.
    /// - Parameter mark: the name of this program's marks.
    /// - Returns: whether the order was sent.
    func order(_ lines: [String], mark: String) -> Bool {
        var order = mark + "\n" + lines.joined(separator: "\n")
        return order.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { cpw_watchdog_set_order(handle, $0, text.count) >= 0 } ?? false
            }
        }
    }
}

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

extension ForeignStreams.Charge {
    /// Volumes to the last bit, in every language.
    fileprivate var line: String {
        let words = ["\(id)", serial, isMuted ? "1" : "0"] + volumes.map { String($0.bitPattern, radix: 16) }
        return words.joined(separator: " ")
    }
}
