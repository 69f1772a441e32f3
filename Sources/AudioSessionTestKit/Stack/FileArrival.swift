import CTestKit
import Glibc
import PipeWireGraph

/// Tells when something is made in a directory.
final class FileArrival: Sendable {
    private let watch: Int32
    private let interruption: Pipe

    /// From now on; `nil` if the system has no file left.
    init?(in directory: String) {
        guard let interruption = Pipe() else { return nil }
        self.interruption = interruption
        watch = ctk_watch(directory)
        if watch < 0 { return nil }
    }

    deinit { close(watch) }

    /// Makes `next` return at once, now and for ever.
    func interrupt() { interruption.closeWriting() }

    /// Returns when something was made since the last call, at the latest after `limit`.
    func next(within limit: Duration) async {
        let milliseconds = limit.components.seconds * 1000 + limit.components.attoseconds / 1_000_000_000_000_000
        await Thread.run { [self] in
            _ = ctk_await(watch, interruption.reading, Int32(clamping: max(1, milliseconds)))
        }
    }
}

/// A pipe that no child inherits, unless it is given to it.
final class Pipe: Sendable {
    let reading: Int32
    private let writing: Locked<Int32?>

    init?() {
        var ends: [Int32] = [-1, -1]
        guard ctk_pipe(&ends) >= 0 else { return nil }
        reading = ends[0]
        writing = Locked(ends[1])
    }

    deinit {
        closeWriting()
        close(reading)
    }

    /// Waits if nobody reads and it is full. Never to nobody: this end keeps the other open as well.
    func write(_ text: String) {
        writing.withLock { end in
            guard let file = end else { return }
            var rest = ArraySlice(text.utf8)
            while !rest.isEmpty {
                let count =
                    rest.withContiguousStorageIfAvailable { Glibc.write(file, $0.baseAddress, $0.count) } ?? -1
                guard count > 0 || errno == EINTR else { return }
                rest = rest.dropFirst(max(count, 0))
            }
        }
    }

    /// Whoever reads is told of the end.
    func closeWriting() {
        writing.withLock { end in
            if let file = end { close(file) }
            end = nil
        }
    }
}
