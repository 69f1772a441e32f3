import CTestKit
import Glibc
import PipeWireGraph

/// Detects when a file is created in a directory.
final class FileArrival: Sendable {
    private let watch: Int32
    private let interruption: Pipe

    /// Starts to watch the directory.
    ///
    /// - Throws: `SpawnError` with the reason, such as a limit of the system.
    init(watching directory: String) throws(ChildProcess.SpawnError) {
        guard let interruption = Pipe() else { throw ChildProcess.SpawnError(code: errno) }
        let watch = ctk_watch(directory)
        guard watch >= 0 else { throw ChildProcess.SpawnError(code: -watch) }
        self.interruption = interruption
        self.watch = watch
    }

    /// Starts to watch the directory; `nil` if it does not exist or a limit of the system is
    /// reached.
    convenience init?(in directory: String) {
        do {
            try self.init(watching: directory)
        } catch {
            return nil
        }
    }

    deinit { close(watch) }

    /// Makes all current and later calls of `next` return at once.
    func interrupt() { interruption.closeWriting() }

    /// Returns once a file was created since the last call, or after `limit`.
    func next(within limit: Duration) async {
        let milliseconds = limit.components.seconds * 1000 + limit.components.attoseconds / 1_000_000_000_000_000
        await Thread.run { [self] in
            _ = ctk_await(watch, interruption.reading, Int32(clamping: max(1, milliseconds)))
        }
    }
}

/// A pipe that child processes inherit only if it is passed to them.
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

    /// Writes a text, and blocks while the pipe is full. It never fails for lack of a reader,
    /// because this process keeps the reading end open.
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

    /// Closes the writing end, so that the reader receives the end of the file.
    func closeWriting() {
        writing.withLock { end in
            if let file = end { close(file) }
            end = nil
        }
    }
}
