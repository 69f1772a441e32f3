import AudioSessionPlayback
import Glibc

/// Finds the files behind the arguments of the command line.
enum SoundFiles {
    /// Returns the files for the player to load. Named files are used as they are. Folders give
    /// their sound files, sorted by name, with numbers as numbers. Hidden files are left out, and
    /// so are folders behind a symbolic link inside another, because they may lead back up.
    static func find(in arguments: [Path]) throws(MusicPlayerFailure) -> [String] {
        var files: [Path] = []
        for argument in arguments {
            switch kind(of: argument, followingLinks: true) {
            case nil: throw .noSuchFile(argument.text)
            case .folder: try collect(argument, into: &files)
            case .file, .other: files.append(argument)
            }
        }
        return files.map { SoundFileName.string(path: $0.bytes) }
    }

    /// A path as the system stores it: bytes that need not be UTF-8, and a zero.
    struct Path: Hashable, ExpressibleByStringLiteral {
        let bytes: [CChar]
        let text: String

        init(_ bytes: [CChar]) {
            (self.bytes, text) = (bytes, bytes.withUnsafeBufferPointer { String(cString: $0.baseAddress!) })
        }
        init(_ text: String) { (bytes, self.text) = (Array(text.utf8CString), text) }
        init(stringLiteral text: String) { self.init(text) }

        /// The argument of this process's command line that was decoded as `text`.
        init(argument text: String) {
            self = SoundFileName.bytes(SoundFileName.string(argument: text)).map { Path($0) } ?? Path(text)
        }

        func appending(_ name: Path) -> Path {
            Path(bytes.dropLast() + (text.hasSuffix("/") ? [] : [CChar(UInt8(ascii: "/"))]) + name.bytes)
        }
    }

    private static let endings: Set = [
        "wav", "wave", "flac", "ogg", "oga", "opus", "mp3", "aif", "aiff", "au", "caf", "w64", "rf64",
    ]

    /// A cover picture beside the music is no broken sound file.
    private static func looksLikeSound(_ path: String) -> Bool {
        path.split(separator: ".").last.map { endings.contains($0.lowercased()) } ?? false
    }

    private enum Kind { case file, folder, other }

    private static func kind(of path: Path, followingLinks: Bool) -> Kind? {
        var status = stat()
        guard (followingLinks ? stat(path.bytes, &status) : lstat(path.bytes, &status)) == 0 else { return nil }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        default: .other
        }
    }

    /// Without recursion, because a tree may be deeper than the stack. Folders wait in the order of
    /// reading.
    private static func collect(_ root: Path, into files: inout [Path]) throws(MusicPlayerFailure) {
        guard let top = entries(of: root) else { throw .unreadableFolder(root.text) }
        var waiting = Array(top.reversed())
        while let path = waiting.popLast() {
            if kind(of: path, followingLinks: false) == .folder {
                waiting += (entries(of: path) ?? []).reversed()
            } else if looksLikeSound(path.text), kind(of: path, followingLinks: true) == .file {
                files.append(path)
            }
        }
    }

    private static func entries(of folder: Path) -> [Path]? {
        guard let directory = opendir(folder.bytes) else { return nil }
        defer { closedir(directory) }
        var names: [Path] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
                    Path(Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1)))
                }
            }
            if !name.text.hasPrefix(".") { names.append(name) }
        }
        return names.sorted { $0.text.naturallyPrecedes($1.text) }.map(folder.appending)
    }
}

extension String {
    /// Whether it sorts before another name, with "2" before "10".
    func naturallyPrecedes(_ other: String) -> Bool {
        for (left, right) in zip(runs, other.runs) where left != right {
            guard let a = left.digits, let b = right.digits, a != b else { return left < right }
            return a.count == b.count ? a < b : a.count < b.count
        }
        return utf8.count < other.utf8.count
    }

    /// Its parts, alternately of digits and without digits.
    private var runs: [Substring] {
        var runs: [Substring] = []
        var rest = self[...]
        while let first = rest.first {
            let run = rest.prefix { $0.isDigit == first.isDigit }
            runs.append(run)
            rest = rest.dropFirst(run.count)
        }
        return runs
    }
}

extension Substring {
    /// The digits without leading zeros; `nil` for other text.
    fileprivate var digits: Substring? { first?.isDigit == true ? drop { $0 == "0" } : nil }
}

extension Character {
    fileprivate var isDigit: Bool { isASCII && isNumber }
}
