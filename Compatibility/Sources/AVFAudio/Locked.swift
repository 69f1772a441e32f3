import Foundation

/// A value that a lock protects.
///
/// This type replaces `Synchronization.Mutex`, because ThreadSanitizer reports its futex as a race.
/// The library's own `Locked` is not visible to this package. The value is accessed only while the
/// lock is held, which the compiler cannot know.
package final class Locked<Value>: Sendable {
    private let lock = NSLock()
    private nonisolated(unsafe) var value: Value

    package init(_ value: Value) { self.value = value }

    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
