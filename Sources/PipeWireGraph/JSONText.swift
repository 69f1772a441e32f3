/// A value that is written as JSON on one line, its keys in the order given.
package enum JSONText: Sendable, Hashable, CustomStringConvertible {
    case string(String)
    case integer(Int64)
    case unsigned(UInt64)
    case number(Double)
    case bool(Bool)
    case null
    case array([JSONText])
    case object([(String, JSONText)])

    package static func == (left: Self, right: Self) -> Bool { left.description == right.description }
    package func hash(into hasher: inout Hasher) { hasher.combine(description) }

    package var description: String {
        switch self {
        case .string(let text): Self.quoted(text)
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .number(let value): value.isFinite ? "\(value)" : "null"
        case .bool(let value): "\(value)"
        case .null: "null"
        case .array(let values): "[" + values.map(\.description).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0) + ":" + $1.description }.joined(separator: ",") + "}"
        }
    }

    /// Control characters and the line separators of JavaScript are escaped, so that one value stays one line.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f || (0x2028...0x2029).contains(scalar.value):
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
