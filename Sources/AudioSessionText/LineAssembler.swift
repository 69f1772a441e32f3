/// Splits a stream of bytes into lines and bounds the memory that it uses.
///
/// Bytes that are not valid UTF-8 become replacement characters. A line that exceeds the limit is
/// truncated just above it, so that a reader can detect that it is too long.
public struct LineAssembler: Sendable {
    private var bytes: [UInt8] = []
    private let limit: Int

    /// Creates an assembler without any pending bytes.
    ///
    /// - Parameter limit: the maximum length of a line in bytes; longer lines are truncated.
    public init(limit: Int = 1024) { self.limit = limit }

    /// Appends bytes and returns the lines that they complete.
    ///
    /// - Parameter input: the next bytes of the stream.
    /// - Returns: the completed lines without their line ends.
    public mutating func append(_ input: some Sequence<UInt8>) -> [String] {
        var lines: [String] = []
        for byte in input {
            if byte == UInt8(ascii: "\n") {
                lines.append(take())
            } else if bytes.count <= limit {
                bytes.append(byte)
            }
        }
        return lines
    }

    /// Returns the text after the last line end and clears it.
    ///
    /// - Returns: the incomplete last line; `nil` if there is none.
    public mutating func finish() -> String? { bytes.isEmpty ? nil : take() }

    private mutating func take() -> String {
        defer { bytes = [] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
