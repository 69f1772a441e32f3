/// One value of a JSON text.
package enum JSONValue: Sendable {
    case null
    case bool(Bool)
    /// The digits as they are written, because an ID must not lose any.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// Members in the order of the text.
    case object([(String, JSONValue)])

    package static func integer(_ value: some BinaryInteger) -> JSONValue { .number("\(value)") }

    /// A number, or `null` for what JSON has no number for.
    package static func double(_ value: Double) -> JSONValue { value.isFinite ? .number("\(value)") : .null }

    /// The value of a word without quotes, which is a string if it is nothing else.
    init(word: String) {
        let isNumber = word.utf8.allSatisfy(Self.isPartOfNumber) && Double(word) != nil
        self =
            switch word {
            case "null": .null
            case "true": .bool(true)
            case "false": .bool(false)
            default: isNumber ? .number(word) : .string(word)
            }
    }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    /// The last member of that name in an object; `nil` for other values.
    package subscript(key: String) -> JSONValue? { members.last { $0.0 == key }?.1 }

    /// The members of an object; empty for other values.
    package var members: [(String, JSONValue)] {
        guard case .object(let members) = self else { return [] }
        return members
    }

    /// The elements of an array; empty for other values.
    package var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// The value as a property's text: a list has commas, as PipeWire writes it there. `nil` for
    /// objects and `null`.
    package var text: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case .array(let elements): elements.compactMap(\.text).joined(separator: ",")
        case .null, .object: nil
        }
    }

    /// The value as a whole number, also if it is a string or has a fraction of zero.
    package var integer: Int? {
        switch self {
        case .string(let text), .number(let text): Int(text) ?? Double(text).flatMap { Int(exactly: $0) }
        default: nil
        }
    }

    /// Whether the value is true, also if it is a string or a number.
    package var flag: Bool { text == "true" || text == "1" }
}
