import Foundation

/// Finds the picture of a sound file. Files are untrusted: a malformed picture is ignored.
enum CoverArt {
    private static let limit = 16 << 20

    static func find(for path: String) -> [UInt8]? {
        if let file = FileHandle(forReadingAtPath: path) {
            defer { try? file.close() }
            // Pictures precede the sound in a file.
            if let head = try? file.read(upToCount: limit), let picture = embedded(in: [UInt8](head)) {
                return picture
            }
        }
        let folder = URL(filePath: path).deletingLastPathComponent()
        for name in ["cover.jpg", "cover.png", "folder.jpg", "Cover.jpg", "Folder.jpg"] {
            let file = folder.appending(path: name)
            let size = (try? file.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
            if size > 0, size <= limit, let data = try? Data(contentsOf: file) { return [UInt8](data) }
        }
        return nil
    }

    /// Reads FLAC, and files with an ID3 tag of version 2.3 or 2.4, such as MP3.
    static func embedded(in file: [UInt8]) -> [UInt8]? {
        var bytes = Bytes(file[...])
        switch bytes.take(4).map({ String(decoding: $0, as: UTF8.self) }) {
        case "fLaC": return flac(&bytes)
        case "ID3\u{3}", "ID3\u{4}": return id3(&bytes, version: file[3])
        default: return nil
        }
    }

    private static func flac(_ bytes: inout Bytes) -> [UInt8]? {
        while let header = bytes.number(1), let length = bytes.number(3),
            var block = bytes.take(length).map(Bytes.init)
        {
            if header & 0x7F == 6 {
                _ = block.number(4)
                // Its type and description, then width, height, depth and colors.
                guard block.counted() != nil, block.counted() != nil, block.take(16) != nil else { return nil }
                return block.counted().map(Array.init)
            }
            if header & 0x80 != 0 { break }
        }
        return nil
    }

    private static func id3(_ bytes: inout Bytes, version: UInt8) -> [UInt8]? {
        guard bytes.number(1) != nil, let flags = bytes.number(1), flags & 0xC0 == 0, let size = bytes.syncSafe(),
            var tag = bytes.take(size).map(Bytes.init)
        else { return nil }
        while let name = tag.take(4), let length = version == 4 ? tag.syncSafe() : tag.number(4),
            tag.number(2) != nil, let frame = tag.take(length)
        {
            guard name.elementsEqual("APIC".utf8) else { continue }
            var body = Bytes(frame)
            guard let encoding = body.number(1), body.text(wide: false), body.number(1) != nil,
                body.text(wide: encoding == 1 || encoding == 2)
            else { return nil }
            return Array(body.rest)
        }
        return nil
    }
}

/// Reads on, and never past the end.
private struct Bytes {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// A number of so many bytes, big-endian.
    mutating func number(_ count: Int) -> Int? { take(count).map { $0.reduce(0) { $0 << 8 | Int($1) } } }

    /// Bytes that are preceded by their length.
    mutating func counted() -> ArraySlice<UInt8>? {
        guard let length = number(4) else { return nil }
        return take(length)
    }

    /// A number with seven bits a byte.
    mutating func syncSafe() -> Int? { take(4).map { $0.reduce(0) { $0 << 7 | Int($1 & 0x7F) } } }

    /// Skips a text and the zero behind it.
    mutating func text(wide: Bool) -> Bool {
        let width = wide ? 2 : 1
        while let unit = take(width) { if unit.allSatisfy({ $0 == 0 }) { return true } }
        return false
    }
}
