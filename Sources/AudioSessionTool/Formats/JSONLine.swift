import FoundationEssentials

/// How the tool writes JSON: keys in alphabetical order, so that equal things are equal text; slashes as they are,
/// for the sake of paths; no line breaks.
enum JSONLine {
    static func text(of value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// One document, but with each element on a line of its own, for people and for `diff`.
    static func array(of values: [some Encodable]) throws -> [String] {
        let elements = try values.map { try text(of: $0) }
        let lines = elements.enumerated().map { $0.offset < elements.count - 1 ? "\($0.element)," : $0.element }
        return ["["] + lines + ["]"]
    }
}
