import Glibc

extension String {
    /// The text with signs that a terminal of this locale shows: those of ASCII if the locale is set and is not UTF-8, as
    /// `LC_ALL=C` says.
    public var inLocale: String { String.localeIsASCII ? ascii : self }

    /// Whether the locale is set and has another encoding than UTF-8.
    public static let localeIsASCII: Bool = {
        let values = ["LC_ALL", "LC_CTYPE", "LANG"].map { (name: String) in
            getenv(name).map { String(cString: $0) } ?? ""
        }
        let encoding = (values.first { !$0.isEmpty } ?? "C.UTF-8").lowercased().filter { $0 != "-" }
        return !encoding.hasSuffix("utf8") && !encoding.contains("utf8@")
    }()

    /// With the nearest signs of ASCII, and `?` for what has none.
    var ascii: String {
        let nearest: [Character: String] = [
            "“": "\"", "”": "\"", "’": "'", "—": "-", "…": "...", "·": "-", "▶": ">", "▮": "#", "▯": "=", "→": "->",
            "←": "<-",
        ]
        return reduce(into: "") { $0 += $1.isASCII ? String($1) : nearest[$1] ?? "?" }
    }
}
