package import AudioSessionCore
import CPipeWireShim

/// One timer of a loop. To be made, used and dropped on the loop's thread.
package final class LoopTimer {
    private let timer: OpaquePointer
    private let context: Unmanaged<Handler>

    private final class Handler {
        let fired: () -> Void
        init(_ fired: @escaping () -> Void) { self.fired = fired }
    }

    /// `nil` if the system has no file left.
    package init?(on executor: LoopExecutor, fired: @escaping () -> Void) {
        context = .passRetained(Handler(fired))
        let timer = cpw_timer_create(
            executor.loop, { Unmanaged<Handler>.fromOpaque($0).takeUnretainedValue().fired() }, context.toOpaque())
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

    /// Fires once, `duration` from now; an earlier request is forgotten. A duration of centuries is that of one.
    package func arm(after duration: Duration) {
        let century = Duration.seconds(100 * 365 * 24 * 3600)
        let (seconds, attoseconds) = min(max(.zero, duration), century).components
        cpw_timer_arm(timer, UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds) / 1_000_000_000)
    }

    package func disarm() { cpw_timer_disarm(timer) }
}

extension MonotonicTime {
    /// This moment.
    package static var now: MonotonicTime { MonotonicTime(nanoseconds: cpw_now()) }

    /// For how long the computer has slept since it was started.
    package static var slept: Duration { .nanoseconds(Int64(clamping: cpw_time_asleep())) }
}
