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
        /// The lines that wait. The queue has one call of ``RunOutput/writeNext()`` for each.
        var lines: [JSONValue] = []
        var dropped = 0
        var failure: ToolFailure?
    }

    init(_ output: LineOutput, ending: Ending) {
        self.output = output
        self.ending = ending
    }

    /// The first failure of the output; `nil` if there was none.
    var failure: ToolFailure? { backlog.withLock(\.failure) }

    /// Queues a line and returns at once. Beyond the limit the oldest lines are dropped, and their
    /// number is written before the next line.
    func post(_ line: JSONValue) {
        let isFull: Bool = backlog.withLock { backlog in
            let isFull = backlog.lines.count >= Self.capacity
            if isFull {
                backlog.lines.removeFirst()
                backlog.dropped += 1
            }
            backlog.lines.append(line)
            return isFull
        }
        if !isFull { queue.async { [self] in writeNext() } }
    }

    /// Queues an error message for users, and returns at once.
    func printError(_ text: String) { queue.async { [output] in output.printError(text) } }

    /// Waits until all lines posted so far are written, or until the time has passed.
    func drain(within limit: Duration = .seconds(1)) async {
        let (end, continuation) = AsyncStream.makeStream(of: Void.self)
        queue.async { continuation.finish() }
        let deadline = Task {
            try await Task.sleep(for: limit)
            continuation.finish()
        }
        for await _ in end {}
        deadline.cancel()
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

    private func writeNext() {
        let (line, dropped): (JSONValue, Int) = backlog.withLock { backlog in
            defer { backlog.dropped = 0 }
            return (backlog.lines.removeFirst(), backlog.dropped)
        }
        if dropped > 0 {
            // Lines are in the order of their times.
            let time = line["t"]?.integer.map { MonotonicTime(nanoseconds: UInt64(clamping: $0)) }
            write(JSONFormat.event(.dropped(dropped, at: time ?? .now)))
        }
        write(line)
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
