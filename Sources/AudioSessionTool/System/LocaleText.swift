import Glibc

/// The signs of text for people that a terminal of this locale shows.
enum LocaleText {
    /// Whether the locale is set and has another encoding than UTF-8, as `LC_ALL=C` says.
    static let isASCII = isASCII { getenv($0).map { String(cString: $0) } ?? "" }

    static func isASCII(_ variable: (String) -> String) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(variable).first { !$0.isEmpty } ?? "C.UTF-8"
        let encoding = locale.lowercased().filter { $0 != "-" }
        return !encoding.hasSuffix("utf8") && !encoding.contains("utf8@")
    }

    /// The text with the nearest signs of ASCII: straight quotes, hyphens, and `?` for what has none.
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
