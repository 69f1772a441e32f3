package import AudioSessionCore
import CPipeWireShim
import Glibc

/// A value behind a lock. Threads can wait for its changes until a deadline.
///
/// Sendable, because its value is used only under the lock.
package final class LockedCondition<Value: Sendable>: @unchecked Sendable {
    private var value: Value
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    package init(_ value: Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        // The time of day jumps when the clock is set.
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Reads or changes the value, and wakes the threads that wait.
    package func update<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return body(&value)
    }

    /// Evaluates `body` now and after each update, until it returns whether it is done or the
    /// deadline has passed.
    /// - Parameter deadline: `nil` waits for as long as it takes.
    /// - Returns: Whether `body` returned `true`.
    package func wait(until deadline: MonotonicTime?, _ body: (inout Value) -> Bool) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !body(&value) {
            let code =
                deadline.map { cpw_wait(condition, mutex, $0.nanoseconds) } ?? pthread_cond_wait(condition, mutex)
            if code != 0 { return body(&value) }
        }
        return true
    }
}
