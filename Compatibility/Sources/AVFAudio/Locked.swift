import Foundation

/// A value behind a lock.
///
/// Not `Synchronization.Mutex`, because ThreadSanitizer reports that one's futex lock as a race.
final class Locked<Value>: Sendable {
    private let lock = NSLock()
    private nonisolated(unsafe) var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
