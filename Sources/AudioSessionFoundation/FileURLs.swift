public import AudioSessionCore
public import AudioSessionPlayback
public import FoundationEssentials

// Files by URL. A module of its own, because the other modules do not need Foundation.

extension AudioPlayer {
    /// Replaces the queue by these files, as ``AudioPlayer/load(_:)`` does with their paths.
    /// - Parameter urls: file URLs. Their bytes need not be UTF-8.
    /// - Throws: `fileNotFound` for a URL that is none of a file, and what ``AudioPlayer/load(_:)`` throws.
    public func load(contentsOf urls: [URL]) async throws(AudioSessionError) {
        try await load(urls.map(\.absoluteString))
    }

    /// Adds files behind the last one, as ``AudioPlayer/enqueue(_:)`` does with their paths.
    /// - Parameter urls: file URLs. Their bytes need not be UTF-8.
    /// - Throws: `fileNotFound` for a URL that is none of a file, and what ``AudioPlayer/enqueue(_:)`` throws.
    public func enqueue(contentsOf urls: [URL]) async throws(AudioSessionError) {
        try await enqueue(urls.map(\.absoluteString))
    }
}

extension AudioPlayer.Item {
    /// The file. A relative path is taken from the current folder.
    public var url: URL { path.hasPrefix("file:") ? URL(string: path) ?? URL(filePath: path) : URL(filePath: path) }
}

extension AudioRecorder {
    /// Records to a file, as ``AudioRecorder/record(to:as:)`` does with its path.
    /// - Parameters:
    ///   - url: a file URL whose path is UTF-8.
    ///   - type: `nil` takes what the name ends with, else WAV.
    /// - Throws: `cannotWrite` for a URL that is none of a file, and what ``AudioRecorder/record(to:as:)`` throws.
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
    /// The file; `nil` for a recording without one. A relative path is taken from the current folder.
    public var url: URL? { path.map { URL(filePath: $0) } }
}
