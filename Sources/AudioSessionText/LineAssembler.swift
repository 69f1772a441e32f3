/// Cuts a stream of bytes into lines, whatever comes: bytes that are not UTF-8 become replacement characters, and of a
/// line without end only so much is kept as shows that it is too long.
public struct LineAssembler: Sendable {
    private var bytes: [UInt8] = []
    private let limit: Int

    /// - Parameter limit: bytes that a line may have; longer ones are cut.
    public init(limit: Int = 1024) { self.limit = limit }

    /// The lines that these bytes complete, without their ends.
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

    /// What stands after the last line's end, if anything does.
    public mutating func finish() -> String? { bytes.isEmpty ? nil : take() }

    private mutating func take() -> String {
        defer { bytes = [] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
