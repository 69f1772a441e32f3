/// Reads JSON in PipeWire's dialect: commas are white space, a colon may be missing or written as
/// `=`, words need no quotes, and `#` begins a comment.
///
/// PipeWire's own reader (`spa_json_*`) is inline code of a header, so its rules depend on the
/// version that this library was built with. 0.3.65 and 1.4 differ in brackets that do not match,
/// in the end of a word and in colons: such texts are errors here. Strings are decoded as by 1.4,
/// because 0.3.65 misreads characters of every second plane. Both refuse invalid UTF-8, which is
/// repaired here.
package struct JSONReader {
    /// The maximum nesting. PipeWire's dumps have far less, and any stack has room for it.
    package static let depthLimit = 128

    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    /// Reads a text that consists of one value.
    ///
    /// - Throws: `JSONError` if the text is damaged, nested too deeply, or continues after the
    ///   value.
    package static func value(in bytes: [UInt8]) throws(JSONError) -> JSONValue {
        var reader = JSONReader(bytes)
        let value = try reader.value()
        guard reader.next() == nil else { throw reader.error("more text after the end of the value") }
        return value
    }

    /// Reads the first member of that name from a text that begins with an object.
    ///
    /// Text after the member is not read, as PipeWire does not read it either.
    ///
    /// - Returns: `nil` if the object has no such member, or if the text begins with another value.
    /// - Throws: `JSONError` if the text is damaged before the member's end.
    package static func member(_ name: String, in bytes: [UInt8]) throws(JSONError) -> JSONValue? {
        var reader = JSONReader(bytes)
        guard reader.next() == UInt8(ascii: "{") else { return nil }
        try reader.enter()
        while let key = try reader.key() {
            let value = try reader.value(afterKey: true)
            if key == name { return value }
        }
        return nil
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    private mutating func value(afterKey: Bool = false) throws(JSONError) -> JSONValue {
        switch next(afterKey: afterKey) {
        case nil: throw error("the text ends where a value should be")
        case UInt8(ascii: "{"): return .object(try members())
        case UInt8(ascii: "["): return .array(try elements())
        case UInt8(ascii: "\""): return .string(try string())
        default: return JSONValue(word: try word())
        }
    }

    private mutating func members() throws(JSONError) -> [(String, JSONValue)] {
        var members: [(String, JSONValue)] = []
        try enter()
        while let key = try key() { members.append((key, try value(afterKey: true))) }
        return members
    }

    /// Reads the name of the next member of an object.
    /// - Returns: `nil` at the end of the object.
    private mutating func key() throws(JSONError) -> String? {
        switch try nextInContainer() {
        case UInt8(ascii: "}"):
            leave()
            return nil
        case UInt8(ascii: "\""): return try string()
        case UInt8(ascii: "{"), UInt8(ascii: "["): throw error("a name is missing in an object")
        default: return try word()
        }
    }

    private mutating func elements() throws(JSONError) -> [JSONValue] {
        var elements: [JSONValue] = []
        try enter()
        while try nextInContainer() != UInt8(ascii: "]") { elements.append(try value()) }
        leave()
        return elements
    }

    private mutating func enter() throws(JSONError) {
        guard depth < Self.depthLimit else { throw error("more than \(Self.depthLimit) levels deep") }
        depth += 1
        position += 1
    }

    private mutating func leave() {
        depth -= 1
        position += 1
    }

    private mutating func word() throws(JSONError) -> String {
        let start = position
        while let byte = peek, byte.isPartOfWord { position += 1 }
        guard position < bytes.count || depth == 0 else { throw endInContainer }
        guard position > start, peek?.endsWord ?? true else {
            position = start
            throw error("a value is expected here")
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }
}

// MARK: - Strings

extension JSONReader {
    private mutating func string() throws(JSONError) -> String {
        position += 1
        var text = ""
        while true {
            let start = position
            while let byte = peek, byte.isUnescaped { position += 1 }
            // Names of devices come from firmware, and may not be valid UTF-8.
            text += String(decoding: bytes[start..<position], as: UTF8.self)
            switch peek {
            case nil: throw endInString
            case UInt8(ascii: "\""):
                position += 1
                return text
            case UInt8(ascii: "\\"):
                position += 1
                try escape(into: &text.unicodeScalars)
            default: throw error("a control character in a string")
            }
        }
    }

    private mutating func escape(into text: inout String.UnicodeScalarView) throws(JSONError) {
        guard let byte = peek else { throw endInString }
        position += 1
        switch byte {
        case UInt8(ascii: "n"): text.append("\n")
        case UInt8(ascii: "t"): text.append("\t")
        case UInt8(ascii: "r"): text.append("\r")
        case UInt8(ascii: "b"): text.append("\u{8}")
        case UInt8(ascii: "f"): text.append("\u{c}")
        case UInt8(ascii: "u"): try unicodeEscape(into: &text)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(Unicode.Scalar(byte))
        default: throw error("an unknown escape in a string")
        }
    }

    /// Reads the digits of a `\u` escape. A character beyond 16 bits is a pair of escapes. PipeWire
    /// drops one that is alone, and ends a string at NUL.
    private mutating func unicodeEscape(into text: inout String.UnicodeScalarView) throws(JSONError) {
        let unit = try hexadecimal()
        guard unit != 0 else { throw error("the character NUL in a string") }
        if let scalar = Unicode.Scalar(unit) {
            text.append(scalar)
            return
        }
        guard unit < 0xdc00, bytes[position...].starts(with: "\\u".utf8) else { return }
        let end = position
        position += 2
        let low = try hexadecimal()
        if (0xdc00...0xdfff).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xd800) << 10 + low - 0xdc00)
        {
            text.append(scalar)
        } else {
            position = end
        }
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt32 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4 else { throw endInString }
        let text = String(decoding: digits, as: UTF8.self)
        guard text.allSatisfy(\.isHexDigit), let value = UInt32(text, radix: 16) else {
            throw error("“\\u” needs four hexadecimal digits")
        }
        position += 4
        return value
    }
}

// MARK: - Position

extension JSONReader {
    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Returns the next byte of a value or of the end of a container; `nil` at the end of the text.
    private mutating func next(afterKey: Bool = false) -> UInt8? {
        while let byte = peek {
            if byte == UInt8(ascii: "#") {
                while let byte = peek, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { position += 1 }
            } else if byte.isSpace || (afterKey && byte.isColon) {
                position += 1
            } else {
                return byte
            }
        }
        return nil
    }

    private mutating func nextInContainer() throws(JSONError) -> UInt8 {
        guard let byte = next() else { throw endInContainer }
        return byte
    }

    private var endInContainer: JSONError { error("the text ends in an object or a list") }

    private var endInString: JSONError { error("the text ends inside a string") }

    private func error(_ reason: String) -> JSONError {
        let before = bytes[..<position]
        let newline = UInt8(ascii: "\n")
        let lineStart = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
        return JSONError(
            reason: reason, line: before.count { $0 == newline } + 1, column: before.count - lineStart + 1)
    }
}

/// The reason why a text is not JSON, with its position.
package struct JSONError: Error, Hashable {
    package var reason: String
    /// The line of the error, counted from 1.
    package var line: Int
    /// The column of the error in bytes, counted from 1.
    package var column: Int
}

extension UInt8 {
    fileprivate var isSpace: Bool {
        switch self {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: ","): true
        default: false
        }
    }

    fileprivate var isColon: Bool { self == UInt8(ascii: ":") || self == UInt8(ascii: "=") }

    fileprivate var endsWord: Bool {
        isSpace || isColon || self == UInt8(ascii: "}") || self == UInt8(ascii: "]")
    }

    /// Quotes, `#`, `\` and characters beyond ASCII are part of a word to 0.3.65, but not to 1.4.
    fileprivate var isPartOfWord: Bool {
        switch self {
        case UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "\\"): false
        default: (0x21...0x7e).contains(self) && !endsWord
        }
    }

    fileprivate var isUnescaped: Bool {
        self >= 0x20 && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
    }
}
