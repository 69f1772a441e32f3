import CPipeWireShim

/// A helper process that restores what this process changed for other programs, after it ended in
/// any way.
final class WatchdogProcess {
    private let handle: OpaquePointer

    /// Starts the process; `nil` if the system has no process or file left.
    ///
    /// - Parameter remote: The daemon's socket; `nil` takes that of the environment.
    init?(remote: String?) {
        var code: Int32 = 0
        guard let handle = cpw_watchdog_create(remote ?? "", &code) else { return nil }
        self.handle = handle
    }

    /// Makes the watchdog carry out its last order now.
    deinit { cpw_watchdog_destroy(handle) }

    /// Replaces the watchdog's order.
    /// - Parameter mark: The name of this program's marks.
    /// - Returns: Whether the order was sent.
    func order(_ lines: [String], mark: String) -> Bool {
        var order = mark + "\n" + lines.joined(separator: "\n")
        return order.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { cpw_watchdog_set_order(handle, $0, text.count) >= 0 } ?? false
            }
        }
    }
}
