/// Reads one string out of a JSON object. PipeWire's own JSON is looser than the standard (commas and colons may be
/// missing, bare words are strings, there are comments), so a standard reader would refuse some of what the daemon
/// accepts. Whatever is read here, PipeWire reads the same (0.3.65 but for characters of every second plane, written as
/// escapes); what is damaged is not read at all.
struct JSONScanner {
    private var rest: Slice<UnsafeRawBufferPointer>

    private enum Token: Equatable {
        case text(String)
        case open, close
    }

    /// - Parameter text: must stay until all has been read.
    init(_ text: UnsafeRawBufferPointer) { rest = text[...] }

    /// All that means anything is ASCII.
    private var first: Unicode.Scalar? { rest.first.map(Unicode.Scalar.init) }

    private mutating func popFirst() -> Unicode.Scalar? { rest.popFirst().map(Unicode.Scalar.init) }

    /// The first value of this key in the object; `nil` if there is none, or if it is no string.
    mutating func string(forKey wanted: String) -> String? {
        skipSeparators()
        guard first == "{", next() == .open else { return nil }
        while case .text(let key) = next(), let value = next() {
            switch value {
            case .text(let text): if key == wanted { return text }
            case .open: guard key != wanted, skipContainer() else { return nil }
            case .close: return nil
            }
        }
        return nil
    }

    /// Whether the container that was just entered has an end.
    private mutating func skipContainer() -> Bool {
        var depth = 1
        while depth > 0 {
            switch next() {
            case .open: depth += 1
            case .close: depth -= 1
            case .text: break
            case nil: return false
            }
        }
        return true
    }

    /// `nil` at the end, and at damage.
    private mutating func next() -> Token? {
        skipSeparators()
        switch first {
        case nil: return nil
        case "{", "[":
            rest.removeFirst()
            return .open
        case "}", "]":
            rest.removeFirst()
            return .close
        case "\"": return quoted().map(Token.text)
        default: return .text(bare())
        }
    }

    private mutating func skipSeparators() {
        while let next = first {
            if next == "#" {
                skip { $0 == "\n" || $0 == "\r" }
            } else if next.isSeparator {
                rest.removeFirst()
            } else {
                return
            }
        }
    }

    /// - Returns: what came before the first character of which that is true, or before the end.
    @discardableResult
    private mutating func skip(until isMeant: (Unicode.Scalar) -> Bool) -> Slice<UnsafeRawBufferPointer> {
        let end = rest.firstIndex { isMeant(Unicode.Scalar($0)) } ?? rest.endIndex
        defer { rest = rest[end...] }
        return rest[..<end]
    }

    private mutating func bare() -> String {
        String(decoding: skip { $0.isSeparator || $0 == "}" || $0 == "]" }, as: UTF8.self)
    }

    private mutating func quoted() -> String? {
        rest.removeFirst()
        var result = unescaped()
        while true {
            switch popFirst() {
            case "\"": return result
            case "\\": guard escape(into: &result.unicodeScalars) else { return nil }
            default: return nil
            }
            result += unescaped()
        }
    }

    private mutating func unescaped() -> String {
        String(decoding: skip { $0 == "\"" || $0 == "\\" || $0.isControl }, as: UTF8.self)
    }

    private mutating func escape(into result: inout String.UnicodeScalarView) -> Bool {
        switch popFirst() {
        case "n": result.append("\n")
        case "t": result.append("\t")
        case "r": result.append("\r")
        case "b": result.append("\u{8}")
        case "f": result.append("\u{c}")
        case "u": return unicodeEscape(into: &result)
        case let other? where other == "\"" || other == "\\" || other == "/": result.append(other)
        default: return false
        }
        return true
    }

    /// Characters beyond 16 bits are written as two halves, each an escape. PipeWire drops a half that is alone.
    private mutating func unicodeEscape(into result: inout String.UnicodeScalarView) -> Bool {
        guard let unit = hexadecimal(), unit != 0 else { return false }
        if let scalar = Unicode.Scalar(unit) {
            result.append(scalar)
            return true
        }
        guard unit < 0xdc00, rest.starts(with: "\\u".utf8) else { return true }
        var ahead = self
        ahead.rest.removeFirst(2)
        guard let low = ahead.hexadecimal(), (0xdc00...0xdfff).contains(low) else { return true }
        self = ahead
        if let scalar = Unicode.Scalar(0x10000 + (unit & 0x3ff) << 10 + (low & 0x3ff)) { result.append(scalar) }
        return true
    }

    private mutating func hexadecimal() -> UInt32? {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = popFirst(), digit.isASCII, let number = Character(digit).hexDigitValue else {
                return nil
            }
            value = value << 4 | UInt32(number)
        }
        return value
    }
}

extension Unicode.Scalar {
    fileprivate var isSeparator: Bool {
        switch self {
        case " ", "\t", "\r", "\n", ",", ":", "=": true
        default: false
        }
    }

    fileprivate var isControl: Bool { self < " " || self == "\u{7f}" }
}
