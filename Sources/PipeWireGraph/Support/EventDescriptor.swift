import CPipeWireShim
import Glibc

/// A file descriptor that a main loop polls. It is readable from ``signal()`` to ``clear()``, and
/// closed when this is released.
package final class EventDescriptor: Sendable {
    package let number: Int32

    /// Returns `nil` if the process or the system has no descriptor left.
    package init?() {
        number = cpw_event_descriptor()
        guard number >= 0 else { return nil }
    }

    deinit { if number >= 0 { close(number) } }

    /// Makes the descriptor readable. Does not block.
    package func signal() { withUnsafeBytes(of: 1 as UInt64) { _ = write(number, $0.baseAddress, $0.count) } }

    /// Makes the descriptor unreadable. Does not block.
    package func clear() {
        var count: UInt64 = 0
        withUnsafeMutableBytes(of: &count) { _ = read(number, $0.baseAddress, $0.count) }
    }
}
