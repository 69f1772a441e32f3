import Glibc

extension String {
    /// The text in characters that a terminal of this locale shows: ASCII if the locale is set and
    /// is not UTF-8, as with `LC_ALL=C`.
    public var inLocale: String { String.localeIsASCII ? ascii : self }

    /// Whether the locale is set and has another encoding than UTF-8.
    public static let localeIsASCII: Bool = {
        let values = ["LC_ALL", "LC_CTYPE", "LANG"].map { (name: String) in
            getenv(name).map { String(cString: $0) } ?? ""
        }
        let encoding = (values.first { !$0.isEmpty } ?? "C.UTF-8").lowercased().filter { $0 != "-" }
        return !encoding.hasSuffix("utf8") && !encoding.contains("utf8@")
    }()

    /// The text in the nearest ASCII, with `?` for other characters.
    var ascii: String {
        let nearest: [Character: String] = [
            "“": "\"", "”": "\"", "’": "'", "—": "-", "…": "...", "·": "-", "▶": ">", "▮": "#", "▯": "=", "→": "->",
            "←": "<-",
        ]
        return reduce(into: "") { $0 += $1.isASCII ? String($1) : nearest[$1] ?? "?" }
    }
}
