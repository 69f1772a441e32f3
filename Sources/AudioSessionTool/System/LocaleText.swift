import Glibc

/// Adapts text for users to the characters that a terminal of this locale shows.
enum LocaleText {
    /// Whether the locale is set and its encoding is not UTF-8, as with `LC_ALL=C`.
    static let isASCII = isASCII { getenv($0).map { String(cString: $0) } ?? "" }

    static func isASCII(_ variable: (String) -> String) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(variable).first { !$0.isEmpty } ?? "C.UTF-8"
        let encoding = locale.lowercased().filter { $0 != "-" }
        return !encoding.hasSuffix("utf8") && !encoding.contains("utf8@")
    }

    /// Returns the text with the nearest ASCII characters: straight quotes, hyphens, and `?` for a
    /// character that has none.
    static func ascii(_ text: String) -> String {
        text.reduce(into: "") { $0 += $1.isASCII ? String($1) : nearest[$1] ?? (isPicture($1) ? "-" : "?") }
    }

    private static let nearest: [Character: String] = [
        "“": "\"", "”": "\"", "‘": "'", "’": "'", "–": "-", "—": "-", "…": "...", "·": "-", "→": "->", "←": "<-",
    ]

    private static func isPicture(_ character: Character) -> Bool {
        character.unicodeScalars.contains { $0.properties.isEmojiPresentation || $0.properties.isEmoji }
    }
}
