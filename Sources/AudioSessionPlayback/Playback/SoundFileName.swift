import Glibc

/// Converts file names that are not UTF-8, which Linux allows and `String` cannot hold.
///
/// Players take a path, or a file URL in which `%` and two hexadecimal digits stand for any byte:
/// `file:///music/caf%E9.flac`.
public enum SoundFileName {
    /// Returns the string that names a file to a player: the path itself if it is UTF-8, or else
    /// its file URL.
    ///
    /// - Parameter path: The path with a zero byte at its end, as in `readdir` and `argv`. A
    ///   relative path that is not UTF-8 is resolved in the current folder.
    public static func string(path: UnsafePointer<CChar>) -> String {
        if let text = String(validatingCString: path) { return text }
        return url(UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) })
    }

    /// Returns the file URL of a path or file URL, for other programs. A relative path is resolved
    /// in the current folder.
    package static func url(_ name: String) -> String {
        guard let path = name.hasPrefix(scheme) ? unescaped(name) : Array(name.utf8) else { return name }
        return url(path)
    }

    private static func url(_ path: [UInt8]) -> String { scheme + absolute(path).map(escaped).joined() }

    /// Returns the string that names the same file to a player after the program has changed its
    /// current folder.
    package static func resolved(_ name: String) -> String {
        guard !name.isEmpty, !name.hasPrefix(scheme) else { return name }
        let path = absolute(Array(name.utf8))
        return String(validating: path, as: UTF8.self) ?? url(path)
    }

    private static func absolute(_ path: [UInt8]) -> [UInt8] {
        guard path.first != UInt8(ascii: "/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        let prefix = UnsafeBufferPointer(start: folder, count: strlen(folder)).map { UInt8(bitPattern: $0) }
        return prefix + [UInt8(ascii: "/")] + path
    }

    /// Returns the string that names a file to a player, for a command line argument of this
    /// process.
    ///
    /// `CommandLine.arguments` replaces bytes that are not UTF-8; this function finds the original
    /// bytes.
    /// - Parameter argument: An element of `CommandLine.arguments`.
    public static func string(argument: String) -> String {
        guard argument.unicodeScalars.contains("\u{FFFD}") else { return argument }
        for case .some(let bytes) in UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        where String(cString: bytes) == argument { return string(path: bytes) }
        return argument
    }

    /// Returns the last component of a path or file URL, for the user.
    package static func lastComponent(_ name: String) -> String {
        let path =
            name.hasPrefix(scheme) ? String(decoding: unescaped(name) ?? Array(name.utf8), as: UTF8.self) : name
        return path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Returns the bytes of the path that a path or file URL names, with a zero byte at the end.
    ///
    /// - Parameter name: A path or file URL.
    /// - Returns: The bytes; `nil` for a malformed file URL, and for a path that contains a zero
    ///   byte.
    public static func bytes(_ name: String) -> [CChar]? {
        guard let path = name.hasPrefix(scheme) ? unescaped(name) : Array(name.utf8), !path.contains(0) else {
            return nil
        }
        return path.map { CChar(bitPattern: $0) } + [0]
    }

    /// The scheme of file URLs, with an empty host.
    private static let scheme = "file://"

    private static func escaped(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            String(UnicodeScalar(byte))
        default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
    }

    private static func unescaped(_ url: String) -> [UInt8]? {
        var rest = url.utf8.dropFirst(scheme.utf8.count)
        guard rest.first == UInt8(ascii: "/") else { return nil }
        var path: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                path.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, !digits.contains(UInt8(ascii: "+")), !digits.contains(UInt8(ascii: "-")),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            path.append(value)
            rest = rest.dropFirst(2)
        }
        return path
    }
}
