import Dispatch
import Foundation

/// Prints the window's state and reads commands, so that a test compares text and not only pixels.
@MainActor
final class WindowConsole {
    /// The lines of standard input.
    let lines: AsyncStream<String>
    private let encoder = JSONEncoder()

    init() {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        DispatchQueue(label: "lines").async {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
    }

    func print(_ state: WindowState) {
        guard let line = try? encoder.encode(state) else { return }
        FileHandle.standardOutput.write(line + Data("\n".utf8))
    }
}
