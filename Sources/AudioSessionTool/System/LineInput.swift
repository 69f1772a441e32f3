import AudioSessionText
import Dispatch
import Glibc

/// Reads the lines of a descriptor on demand, so that a faster writer has to wait.
package struct LineInput {
    private let descriptor: Int32
    private let ending: Ending
    private var assembler: LineAssembler
    private var lines: [String] = []
    private var isAtEnd = false

    /// Reads from a descriptor until its end or until `ending` is requested.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - ending: The request to end.
    ///   - limit: The length in bytes. Only enough of a longer line is kept to detect its length.
    package init(descriptor: Int32 = STDIN_FILENO, ending: Ending, limit: Int) {
        self.descriptor = descriptor
        self.ending = ending
        assembler = LineAssembler(limit: limit)
    }

    /// Returns the next line without its terminator; `nil` if there is none or the end was
    /// requested.
    package mutating func next() async -> String? {
        while lines.isEmpty {
            guard !isAtEnd, let chunk = await read() else { return nil }
            isAtEnd = chunk.isEmpty
            lines = isAtEnd ? [assembler.finish()].compactMap(\.self) : assembler.append(chunk)
        }
        return lines.removeFirst()
    }

    /// Returns some bytes; none at the end of the input, `nil` when the end was requested.
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
            // A read error counts as the end of the input.
            guard errno == EINTR || errno == EAGAIN else { return [] }
        }
        return nil
    }
}
