/// Reads one string out of a flat JSON object. PipeWire's own JSON is looser than the standard (commas and colons
/// may be missing, bare words are strings), so a standard reader would refuse some of what the daemon accepts.
struct JSONScanner {
    private var rest: Substring.UnicodeScalarView

    init(_ text: String) { rest = Substring(text).unicodeScalars }

    mutating func string(forKey wanted: String) -> String? {
        skipSeparators()
        guard rest.popFirst() == "{" else { return nil }
        while true {
            skipSeparators()
            guard let key = token() else { return nil }
            skipSeparators()
            guard let value = token() else { return nil }
            if key == wanted { return value }
        }
    }

    private mutating func skipSeparators() {
        while let next = rest.first, " \t\r\n,:=".unicodeScalars.contains(next) { rest.removeFirst() }
    }

    private mutating func token() -> String? {
        guard let first = rest.first, first != "}", first != "{", first != "[" else { return nil }
        return first == "\"" ? quoted() : bare()
    }

    private mutating func bare() -> String {
        let end = rest.firstIndex { " \t\r\n,:=}]".unicodeScalars.contains($0) } ?? rest.endIndex
        let word = rest[..<end]
        rest = rest[end...]
        return String(String.UnicodeScalarView(word))
    }

    private mutating func quoted() -> String? {
        var result = String.UnicodeScalarView()
        rest.removeFirst()
        while let next = rest.popFirst() {
            switch next {
            case "\"": return String(result)
            case "\\":
                guard let escaped = escape() else { return nil }
                result.append(escaped)
            default: result.append(next)
            }
        }
        return nil
    }

    private mutating func escape() -> Unicode.Scalar? {
        switch rest.popFirst() {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "b": return "\u{8}"
        case "f": return "\u{c}"
        case "u":
            let digits = rest.prefix(4)
            guard digits.count == 4, let value = UInt32(String(String.UnicodeScalarView(digits)), radix: 16) else {
                return nil
            }
            rest.removeFirst(4)
            return Unicode.Scalar(value)
        case let other: return other
        }
    }
}
