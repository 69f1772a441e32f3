public import AudioSessionCore
public import AudioSessionPlayback
public import FoundationEssentials

// Files by URL, in a module of their own, because the other modules do not need Foundation.

extension AudioPlayer {
    /// Replaces the queue by these files, as ``AudioPlayer/load(_:)`` does with their paths.
    /// - Parameter urls: File URLs. Their bytes need not be UTF-8.
    /// - Throws: `fileNotFound` if a URL is not a file URL, and the errors of
    ///   ``AudioPlayer/load(_:)``.
    public func load(contentsOf urls: [URL]) async throws(AudioSessionError) {
        try await load(urls.map(\.absoluteString))
    }

    /// Appends files to the queue, as ``AudioPlayer/enqueue(_:)`` does with their paths.
    /// - Parameter urls: File URLs. Their bytes need not be UTF-8.
    /// - Throws: `fileNotFound` if a URL is not a file URL, and the errors of
    ///   ``AudioPlayer/enqueue(_:)``.
    public func enqueue(contentsOf urls: [URL]) async throws(AudioSessionError) {
        try await enqueue(urls.map(\.absoluteString))
    }
}

extension AudioPlayer.Item {
    /// The URL of the file. A relative path is resolved against the current folder.
    public var url: URL { path.hasPrefix("file:") ? URL(string: path) ?? URL(filePath: path) : URL(filePath: path) }
}

extension AudioRecorder {
    /// Records to a file, as ``AudioRecorder/record(to:as:)`` does with its path.
    /// - Parameters:
    ///   - url: A file URL whose path is UTF-8.
    ///   - type: The file type; `nil` derives it from the end of the path, or else takes WAV.
    /// - Throws: `cannotWrite` if the URL is not a file URL, and the errors of
    ///   ``AudioRecorder/record(to:as:)``.
    public func record(to url: URL, as type: FileType? = nil) async throws(AudioSessionError) {
        guard url.isFileURL else {
            throw AudioSessionError(
                .cannotWrite, "'\(url.absoluteString)' is no file URL. Record to one that begins with 'file:///'.",
                path: url.absoluteString)
        }
        try await record(to: url.path, as: type)
    }
}

extension AudioRecorder.Recording {
    /// The URL of the file; `nil` for a recording without one. A relative path is resolved against
    /// the current folder.
    public var url: URL? { path.map { URL(filePath: $0) } }
}
