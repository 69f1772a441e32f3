import AudioSessionPlayback
import AudioSessions
import PipeWireGraph

/// The events of a player or a session, each with the time at which it was received.
struct DemoJournal<Event: Sendable>: Sendable {
    struct Note: Sendable {
        var event: Event
        var time: MonotonicTime
    }

    private enum Entry: Sendable {
        case note(Note)
        /// The limit of a call of `collect` has passed. The calls are numbered.
        case deadline(Int)
    }

    private let entries: AsyncStream<Entry>
    private let continuation: AsyncStream<Entry>.Continuation
    private let calls = Locked(0)
    private let observation: EventObservation

    /// Starts to record events.
    ///
    /// - Parameter observe: registers the handler that it receives, and returns the observation.
    init(_ observe: (@escaping @Sendable (Event) -> Void) -> EventObservation) {
        let (entries, continuation) = AsyncStream.makeStream(of: Entry.self)
        (self.entries, self.continuation) = (entries, continuation)
        observation = observe { continuation.yield(.note(Note(event: $0, time: .now))) }
    }

    /// Returns the events since the last call. Waits until `isComplete` is true for them, or until
    /// the limit has passed.
    func collect(within limit: Duration, until isComplete: @escaping @Sendable ([Note]) -> Bool) async -> [Note] {
        let call: Int = calls.withLock { calls in
            calls += 1
            return calls
        }
        // The deadline is an entry, because cancelling the task of an iteration would finish the
        // stream, and all later events would be missing.
        let deadline = Task { [continuation] in
            try await Task.sleep(for: limit)
            continuation.yield(.deadline(call))
        }
        defer { deadline.cancel() }
        var seen: [Note] = []
        for await entry in entries {
            switch entry {
            case .note(let note):
                seen.append(note)
                if isComplete(seen) { return seen }
            case .deadline(call): return seen
            case .deadline: break
            }
        }
        return seen
    }
}

/// The effects of a lost output, as read from a player's events.
struct LossNotes: Sendable {
    var noisyTime: MonotonicTime?
    var pauseTime: MonotonicTime?
    var lost: PortDescription?
    var change: RouteChange?
    var changeTime: MonotonicTime?

    /// Extracts the events that belong to one loss.
    ///
    /// - Parameters:
    ///   - notes: the recorded events.
    ///   - start: the start of the measurement; earlier events are ignored.
    init(_ notes: [DemoJournal<AudioPlayer.Event>.Note], since start: MonotonicTime) {
        for note in notes where note.time >= start {
            switch note.event {
            case .becameNoisy(let port, _):
                noisyTime = noisyTime ?? note.time
                lost = lost ?? port
            case .stateChanged(.paused(reason: .routeLost), _): pauseTime = pauseTime ?? note.time
            // A route change that precedes the loss is not its consequence.
            case .routeChanged(let change) where noisyTime != nil && changeTime == nil:
                self.change = change
                changeTime = note.time
            default: break
            }
        }
    }

    var isComplete: Bool { noisyTime != nil && pauseTime != nil && change != nil }
}

extension MonotonicTime {
    static func - (time: Self, duration: Duration) -> Self {
        let nanoseconds = duration / .nanoseconds(1)
        return Self(nanoseconds: time.nanoseconds - min(time.nanoseconds, UInt64(max(0, nanoseconds))))
    }
}
