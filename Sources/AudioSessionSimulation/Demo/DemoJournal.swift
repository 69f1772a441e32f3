import AudioSessionPlayback
import AudioSessions
import PipeWireGraph

/// What a player or a session tells, with the moment at which it does.
struct DemoJournal<Event: Sendable>: Sendable {
    struct Note: Sendable {
        var event: Event
        var time: MonotonicTime
    }

    private let notes: AsyncStream<Note>
    private let observation: EventObservation

    /// - Parameter observe: has every event handed to what it is given.
    init(_ observe: (@escaping @Sendable (Event) -> Void) -> EventObservation) {
        let (notes, continuation) = AsyncStream.makeStream(of: Note.self)
        self.notes = notes
        observation = observe { continuation.yield(Note(event: $0, time: .now)) }
    }

    /// What came since the last call, up to a moment when `isComplete` is true of all of it, or until it is too late.
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

/// What is known of a loss from a player's events.
struct LossNotes: Sendable {
    var noisyTime: MonotonicTime?
    var pauseTime: MonotonicTime?
    var lost: PortDescription?
    var change: RouteChange?
    var changeTime: MonotonicTime?

    /// - Parameter start: what was told earlier belongs to something else.
    init(_ notes: [DemoJournal<AudioPlayer.Event>.Note], since start: MonotonicTime) {
        for note in notes where note.time >= start {
            switch note.event {
            case .becameNoisy(let port):
                noisyTime = noisyTime ?? note.time
                lost = lost ?? port
            case .stateChanged(.paused(reason: .routeLost)): pauseTime = pauseTime ?? note.time
            // Another one, told before the loss, is not its consequence.
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
