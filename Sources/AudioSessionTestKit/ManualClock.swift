package import AudioSessionCore
package import AudioSessions
import PipeWireGraph

/// A clock that advances only when a test requests it.
package final class ManualClock: Sendable {
    private struct State {
        var now = MonotonicTime(nanoseconds: 1_000_000_000)
        var timers: [ObjectIdentifier: Entry] = [:]
        /// The number of times that timers were armed.
        var armings: UInt64 = 0
    }

    private struct Entry {
        var due: MonotonicTime
        var order: UInt64
        weak var timer: ManualTimer?
    }

    private let state = Locked(State())
    private let executor: InlineExecutor

    package init(executor: InlineExecutor) { self.executor = executor }

    package var now: MonotonicTime { state.withLock(\.now) }

    package func makeTimer(_ fired: @escaping () -> Void) -> any GraphTimer { ManualTimer(clock: self, fired) }

    /// Advances the clock. Timers that become due fire in order of their deadlines, on the
    /// executor. Timers of equal deadlines fire in the order in which they were armed. A timer may
    /// advance the clock as well.
    package func advance(by duration: Duration) {
        let end = now + duration
        while let timer = nextDue(before: end) { executor.run { timer.fired() } }
        state.withLock { $0.now = max($0.now, end) }
    }

    private func nextDue(before end: MonotonicTime) -> ManualTimer? {
        state.withLock { state in
            let next = state.timers.min { ($0.value.due, $0.value.order) < ($1.value.due, $1.value.order) }
            guard let next, next.value.due <= end else { return nil }
            state.now = max(state.now, next.value.due)
            state.timers[next.key] = nil
            return next.value.timer
        }
    }

    fileprivate func arm(_ timer: ManualTimer, after duration: Duration?) {
        state.withLock { state in
            state.armings += 1
            let entry = duration.map { Entry(due: state.now + $0, order: state.armings, timer: timer) }
            state.timers[ObjectIdentifier(timer)] = entry
        }
    }
}

private final class ManualTimer: GraphTimer {
    let fired: () -> Void
    private let clock: ManualClock

    init(clock: ManualClock, _ fired: @escaping () -> Void) {
        self.clock = clock
        self.fired = fired
    }

    deinit { clock.arm(self, after: nil) }

    func arm(after duration: Duration) { clock.arm(self, after: duration) }
    func disarm() { clock.arm(self, after: nil) }
}
