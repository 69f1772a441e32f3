import AudioSessions
import Synchronization

/// The events of a manager, each with the values that were current when it was sent.
final class MonitorFeed: Sendable {
    let status: Status
    let events: AsyncStream<MonitorEvent>
    private let observation: EventObservation
    private let dropped: DropCount

    private final class DropCount: Sendable {
        let value = Atomic(0)
    }

    /// Subscribes on the manager's own thread, so that no change falls between the first status and
    /// the first event.
    init(of manager: isolated AudioSessionManager) {
        let (events, continuation) = AsyncStream.makeStream(
            of: MonitorEvent.self, bufferingPolicy: .bufferingNewest(1_000))
        let dropped = DropCount()
        observation = manager.observe { [unowned manager] event in
            let event = manager.assumeIsolated { MonitorEvent(event, Status(of: $0)) }
            if case .dropped = continuation.yield(event) { dropped.value.add(1, ordering: .relaxed) }
        }
        self.events = events
        self.dropped = dropped
        status = Status(of: manager)
    }

    /// Returns the number of oldest events that were dropped since the last call; `nil` if none
    /// was.
    func takeDropped() -> Int? {
        let count = dropped.value.exchange(0, ordering: .relaxed)
        return count > 0 ? count : nil
    }
}
