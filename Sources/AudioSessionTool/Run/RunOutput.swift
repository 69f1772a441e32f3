import AudioSessions
import Dispatch
import PipeWireGraph

/// Events and replies in one order, written by a thread that may wait for the reader while PipeWire's must not.
final class RunOutput: Sendable {
    /// How many events wait for a slow reader.
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

    /// What went wrong with the output, if anything did.
    var failure: ToolFailure? { backlog.withLock(\.failure) }

    /// Returns at once. Events beyond all bounds are dropped, and counted in the next line.
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

    /// Returns when it is written: whoever does not read replies is asked for no more commands.
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
