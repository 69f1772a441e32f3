import AudioSessionPlayback
import AudioSessions
import PipeWireGraph

/// The events of a player or a session, each with the time at which it was received.
struct DemoJournal<Event: Sendable>: Sendable {
    struct Note: Sendable {
        var event: Event
        var time: MonotonicTime
    }

    private let notes: AsyncStream<Note>
    private let observation: EventObservation

    /// Starts to record events.
    ///
    /// - Parameter observe: registers the handler that it receives, and returns the observation.
    init(_ observe: (@escaping @Sendable (Event) -> Void) -> EventObservation) {
        let (notes, continuation) = AsyncStream.makeStream(of: Note.self)
        self.notes = notes
        observation = observe { continuation.yield(Note(event: $0, time: .now)) }
    }

    /// Returns the events since the last call. Waits until `isComplete` is true for them, or until
    /// the limit has passed.
    func collect(within limit: Duration, until isComplete: @escaping @Sendable ([Note]) -> Bool) async -> [Note] {
        let (answers, answer) = AsyncStream.makeStream(of: [Note].self)
        let reader = Task {
            var seen: [Note] = []
            for await note in notes {
                seen.append(note)
                if isComplete(seen) { break }
            }
            answer.yield(seen)
            answer.finish()
        }
        let deadline = Task {
            try await Task.sleep(for: limit)
            reader.cancel()
        }
        defer { deadline.cancel() }
        for await seen in answers { return seen }
        return []
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
