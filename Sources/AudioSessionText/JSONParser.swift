/// Reads JSON from bytes that nobody vouches for.
///
/// Written here because a dump comes from other people's machines: what is wrong with it is said with line and column,
/// and nothing in it, least of all its depth, can exhaust the stack.
struct JSONParser {
    /// PipeWire's own dumps nest about a dozen levels.
    static let depthLimit = 128

    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    static func parse(_ bytes: [UInt8]) throws(PipeWireDumpError) -> JSONValue {
        var parser = JSONParser(bytes: bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.position = 3 }
        let value = try parser.value()
        parser.skipSpace()
        guard parser.position == bytes.count else { throw parser.error("more text after the end of the value") }
        return value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func value() throws(PipeWireDumpError) -> JSONValue {
        skipSpace()
        guard let first = peek else { throw error("the text ends where a value should be") }
        switch first {
        case UInt8(ascii: "{"): return try nested { parser throws(PipeWireDumpError) in try parser.object() }
        case UInt8(ascii: "["): return try nested { parser throws(PipeWireDumpError) in try parser.array() }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: return try word()
        }
    }

    private mutating func nested(
        _ body: (inout JSONParser) throws(PipeWireDumpError) -> JSONValue
    ) throws(PipeWireDumpError) -> JSONValue {
        guard depth < Self.depthLimit else { throw error("more than \(Self.depthLimit) levels deep") }
        depth += 1
        position += 1
        let value = try body(&self)
        depth -= 1
        return value
    }

    private mutating func array() throws(PipeWireDumpError) -> JSONValue {
        var elements: [JSONValue] = []
        if skip("]") { return .array(elements) }
        repeat { elements.append(try value()) } while skip(",")
        guard skip("]") else { throw error("“,” or “]” is missing in a list") }
        return .array(elements)
    }

    private mutating func object() throws(PipeWireDumpError) -> JSONValue {
        var members: [String: JSONValue] = [:]
        if skip("}") { return .object(members) }
        repeat {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw error("a name in quotes is missing in an object") }
            let key = try string()
            guard skip(":") else { throw error("“:” is missing after the name “\(key)”") }
            members[key] = try value()
        } while skip(",")
        guard skip("}") else { throw error("“,” or “}” is missing in an object") }
        return .object(members)
    }

    private mutating func word() throws(PipeWireDumpError) -> JSONValue {
        let words: [(text: String, value: JSONValue)] = [
            ("true", .bool(true)), ("false", .bool(false)), ("null", .null),
        ]
        for (text, value) in words where bytes[position...].starts(with: text.utf8) {
            position += text.utf8.count
            return value
        }
        throw error("this is no value")
    }

    private mutating func number() throws(PipeWireDumpError) -> JSONValue {
        let start = position
        while let byte = peek, Self.isPartOfNumber(byte) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard Double(text) != nil else {
            position = start
            throw error("“\(text.prefix(20))” is no number")
        }
        return .number(text)
    }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}

// MARK: - Strings

extension JSONParser {
    /// Bytes that are no UTF-8 become the replacement character: names of devices come from firmware.
    private mutating func string() throws(PipeWireDumpError) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text += String(try escape()).utf8
            default: text.append(byte)
            }
        }
        throw error("the text ends inside a string")
    }

    private mutating func escape() throws(PipeWireDumpError) -> Character {
        guard let byte = peek else { throw error("the text ends inside a string") }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "u"): return Character(try unicodeEscape())
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Character(Unicode.Scalar(byte))
        default: throw error("an unknown escape in a string")
        }
    }

    /// Half of a surrogate pair without the other half is replaced, as broken UTF-8 is.
    private mutating func unicodeEscape() throws(PipeWireDumpError) -> Unicode.Scalar {
        let first = try fourDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else { return "\u{FFFD}" }
        let start = position
        position += 2
        let second = try fourDigits()
        guard (0xD800..<0xDC00).contains(first), (0xDC00..<0xE000).contains(second) else {
            position = start
            return "\u{FFFD}"
        }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
    }

    private mutating func fourDigits() throws(PipeWireDumpError) -> UInt32 {
        let end = position + 4
        guard end <= bytes.count else { throw error("the text ends inside a string") }
        let digits = String(decoding: bytes[position..<end], as: UTF8.self)
        guard digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16) else {
            throw error("“\\u” needs four hexadecimal digits")
        }
        position = end
        return value
    }
}

// MARK: - Position

extension JSONParser {
    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || (0x09...0x0D).contains(byte) { position += 1 }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private func error(_ reason: String) -> PipeWireDumpError {
        let before = bytes[..<min(position, bytes.count)]
        let newline = UInt8(ascii: "\n")
        let lineStart = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
        return .malformed(
            reason: reason, line: before.count { $0 == newline } + 1, column: before.count - lineStart + 1)
    }
}
