public import AudioSessionCore
public import AudioSessionPlayback
public import FoundationEssentials

// Files by URL, in a module of their own, because the other modules do not need Foundation.

extension AudioPlayer {
    /// Replaces the queue by these files, as `AudioPlayer.load(_:)` does with their paths.
    /// - Parameter urls: File URLs. Their bytes need not be UTF-8.
    /// - Throws: `fileNotFound` if a URL is not that of a local file, and the errors of
    ///   `AudioPlayer.load(_:)`.
    public func load(contentsOf urls: [URL]) async throws(AudioSessionError) {
        try await load(Self.names(of: urls))
    }

    /// Appends files to the queue, as `AudioPlayer.enqueue(_:)` does with their paths.
    /// - Parameter urls: File URLs. Their bytes need not be UTF-8.
    /// - Throws: `fileNotFound` if a URL is not that of a local file, and the errors of
    ///   `AudioPlayer.enqueue(_:)`.
    public func enqueue(contentsOf urls: [URL]) async throws(AudioSessionError) {
        try await enqueue(Self.names(of: urls))
    }

    /// The names by which a player loads the files of these URLs.
    private static func names(of urls: [URL]) throws(AudioSessionError) -> [String] {
        var names: [String] = []
        for url in urls {
            guard url.isOfLocalFile else {
                throw AudioSessionError(
                    .fileNotFound,
                    "'\(url.absoluteString)' is no URL of a local file. Play one that begins with 'file:///'.",
                    path: url.absoluteString)
            }
            // A player takes everything after 'file://' as the path, so the rest is left out.
            names.append("file://" + url.absoluteURL.path(percentEncoded: true))
        }
        return names
    }
}

extension AudioPlayer.Item {
    /// The URL of the file. A relative path is that in the current folder when the file was loaded.
    public var url: URL {
        // A file URL remains one only if its bytes are not UTF-8.
        let name = SoundFileName.bytes(location).map { SoundFileName.string(path: $0) } ?? location
        return name.hasPrefix("file://") ? URL(string: name) ?? URL(filePath: name) : URL(filePath: name)
    }
}

extension AudioRecorder {
    /// Records to a file, as `AudioRecorder.record(to:as:)` does with its path.
    /// - Parameters:
    ///   - url: A file URL whose path is UTF-8.
    ///   - type: The file type; `nil` derives it from the end of the path, or else takes WAV.
    /// - Throws: `cannotWrite` if the URL is not that of a local file, and the errors of
    ///   `AudioRecorder.record(to:as:)`.
    public func record(to url: URL, as type: FileType? = nil) async throws(AudioSessionError) {
        guard url.isOfLocalFile else {
            throw AudioSessionError(
                .cannotWrite,
                "'\(url.absoluteString)' is no URL of a local file. Record to one that begins with 'file:///'.",
                path: url.absoluteString)
        }
        try await record(to: url.path, as: type)
    }
}

extension AudioRecorder.Recording {
    /// The URL of the file; `nil` for a recording without one. A relative path is that in the
    /// current folder when the recording began.
    public var url: URL? { location.map { URL(filePath: $0) } }
}

extension URL {
    /// Whether it names a file of this computer. Only the path is used, so another host in it would
    /// be ignored.
    fileprivate var isOfLocalFile: Bool {
        isFileURL && ["", "localhost"].contains(absoluteURL.host()?.lowercased() ?? "")
    }
}
