/// The reason why a file cannot be read as a dump of PipeWire's objects.
@nonexhaustive
public enum PipeWireDumpError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The text is not JSON. `line` and `column` count from 1, `column` in bytes.
    case malformed(reason: String, line: Int, column: Int)
    /// The text is JSON, but not a list of PipeWire objects.
    case notADump(reason: String)

    public var description: String {
        switch self {
        case .malformed(let reason, let line, let column): "line \(line), column \(column): \(reason)"
        case .notADump(let reason): "not a dump of PipeWire objects: \(reason)"
        }
    }
}
