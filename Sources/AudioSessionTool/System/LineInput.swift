import Dispatch
import Glibc

/// The lines of a descriptor, read as they are asked for: whoever sends more has to wait.
struct LineInput {
    private let descriptor: Int32
    private let ending: Ending
    private var rest: [UInt8] = []
    private var isAtEnd = false

    static let lengthLimit = 1 << 16

    init(descriptor: Int32 = STDIN_FILENO, ending: Ending) {
        self.descriptor = descriptor
        self.ending = ending
    }

    /// The next line without its end; `nil` when there are no more, or the end was asked for.
    mutating func next() async throws(ToolFailure) -> String? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest.removeSubrange(...end) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            if isAtEnd {
                defer { rest = [] }
                return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
            }
            guard rest.count < Self.lengthLimit else {
                throw .badInput("A line of the input has more than \(Self.lengthLimit) bytes. Put commands on lines.")
            }
            guard let chunk = await read() else { return nil }
            rest += chunk
            isAtEnd = chunk.isEmpty
        }
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
