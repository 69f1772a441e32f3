/// One value of a JSON text.
///
/// Numbers stay as they are written: ids must not lose digits, and PipeWire's own tools disagree about which values are
/// numbers and which are text.
enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// The member of an object, `nil` for anything else.
    subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    /// The elements of an array; nothing for anything else.
    var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    var isNull: Bool { self == .null }

    /// The value as a property's text. Lists become PipeWire's own way of writing them; objects have none.
    var text: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case .array(let elements): elements.compactMap(\.text).joined(separator: ",")
        case .null, .object: nil
        }
    }

    /// The value as a whole number, be it written as text or with a fraction of zero.
    var integer: Int? {
        switch self {
        case .string(let text), .number(let text): Int(text) ?? Double(text).flatMap { Int(exactly: $0) }
        default: nil
        }
    }

    var flag: Bool { text == "true" || text == "1" }
}
