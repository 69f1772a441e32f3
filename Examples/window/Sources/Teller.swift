import Dispatch
import Foundation

/// Says what the window shows, and hears what is to be done in it, so that a test sees words and not only pixels.
@MainActor
final class Teller {
    /// Of standard input.
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

    func tell(_ state: WindowState) {
        guard let line = try? encoder.encode(state) else { return }
        FileHandle.standardOutput.write(line + Data("\n".utf8))
    }
}
