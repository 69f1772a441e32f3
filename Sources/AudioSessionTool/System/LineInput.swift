import AudioSessionText
import Dispatch
import Glibc

/// The lines of a descriptor, read as they are asked for: whoever sends more has to wait.
package struct LineInput {
    private let descriptor: Int32
    private let ending: Ending
    private var assembler: LineAssembler
    private var lines: [String] = []
    private var isAtEnd = false

    /// - Parameter limit: of longer lines only so much is kept as shows that they are too long.
    package init(descriptor: Int32 = STDIN_FILENO, ending: Ending, limit: Int) {
        self.descriptor = descriptor
        self.ending = ending
        assembler = LineAssembler(limit: limit)
    }

    /// The next line without its end; `nil` when there are no more, or the end was asked for.
    package mutating func next() async -> String? {
        while lines.isEmpty {
            guard !isAtEnd, let chunk = await read() else { return nil }
            isAtEnd = chunk.isEmpty
            lines = isAtEnd ? [assembler.finish()].compactMap(\.self) : assembler.append(chunk)
        }
        return lines.removeFirst()
    }

    /// Some bytes; none at the end of the input, `nil` when the end was asked for.
    private func read() async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "audiosession.input").async { continuation.resume(returning: readBlocking()) }
        }
    }

    private func readBlocking() -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 1 << 12)
        while !waitForAny(of: [.readable(ending.descriptor), .readable(descriptor)]).contains(0) {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count >= 0 { return Array(chunk[..<count]) }
            // An input that cannot be read any more has ended.
            guard errno == EINTR || errno == EAGAIN else { return [] }
        }
        return nil
    }
}
