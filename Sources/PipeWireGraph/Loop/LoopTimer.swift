package import AudioSessionCore
import CPipeWireShim

/// A timer of a loop. It is created, used and released on the loop's thread.
///
/// While the daemon sends events without a pause, the timer fires in their callbacks.
package final class LoopTimer {
    /// Makes a timer that is not armed; `nil` if memory or files are exhausted.
    package typealias Make = @Sendable (LoopExecutor, _ fired: @escaping () -> Void) -> LoopTimer?

    private let timer: OpaquePointer
    private let context: Unmanaged<LoopCallback>

    /// Makes a timer that is not armed; `nil` if memory or files are exhausted.
    package init?(on executor: LoopExecutor, fired: @escaping () -> Void) {
        context = .passRetained(LoopCallback(fired))
        let timer = cpw_timer_create(executor.loop, true, { LoopCallback.call($0) }, context.toOpaque())
        guard let timer else {
            context.release()
            return nil
        }
        self.timer = timer
    }

    deinit {
        cpw_timer_destroy(timer)
        context.release()
    }

    /// Arms the timer to fire once, `duration` from now, which replaces the time of an earlier
    /// call. A duration of more than a century counts as a century.
    package func arm(after duration: Duration) {
        let (seconds, attoseconds) = duration.withinCentury.components
        cpw_timer_arm(timer, UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000)
    }

    package func disarm() { cpw_timer_disarm(timer) }
}

extension MonotonicTime {
    /// The current time of `CLOCK_MONOTONIC`.
    package static var now: MonotonicTime { MonotonicTime(nanoseconds: cpw_now()) }

    /// The time that the computer has slept since it was started.
    package static var slept: Duration { .nanoseconds(Int64(clamping: cpw_time_asleep())) }
}
