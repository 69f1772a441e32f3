import AudioSessions
import Dispatch
import PipeWireGraph

/// Writes events and replies in one order, on a thread that may block.
///
/// PipeWire's thread must not wait for the reader of the output.
final class RunOutput: Sendable {
    /// The limit of events that wait for a slow reader.
    static let capacity = 1_000

    private let output: LineOutput
    private let ending: Ending
    private let queue = DispatchQueue(label: "audiosession.output")
    private let backlog = Locked(Backlog())

    private struct Backlog {
        var waiting = 0
        var dropped = 0
        var failure: ToolFailure?
    }

    init(_ output: LineOutput, ending: Ending) {
        self.output = output
        self.ending = ending
    }

    /// The first failure of the output; `nil` if there was none.
    var failure: ToolFailure? { backlog.withLock(\.failure) }

    /// Queues a line and returns at once. Lines beyond the limit are dropped, and their number is
    /// written before the next line.
    func post(_ line: JSONValue) {
        let dropped: Int? = backlog.withLock { backlog in
            guard backlog.waiting < Self.capacity else {
                backlog.dropped += 1
                return nil
            }
            backlog.waiting += 1
            defer { backlog.dropped = 0 }
            return backlog.dropped
        }
        guard let dropped else { return }
        queue.async { [self] in
            if dropped > 0 { write(JSONFormat.event(.dropped(dropped, at: .now))) }
            write(line)
            backlog.withLock { $0.waiting -= 1 }
        }
    }

    /// Writes a line and returns when it is written. A client that does not read replies therefore
    /// cannot send further commands.
    func reply(_ line: JSONValue) async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                write(line)
                continuation.resume()
            }
        }
    }

    private func write(_ line: JSONValue) {
        guard failure == nil else { return }
        do {
            try output.write(line.description)
        } catch {
            backlog.withLock { $0.failure = error }
            ending.request()
        }
    }
}
