import Foundation

/// A sound file, or data that is stored in a temporary file.
final class SoundSource: Sendable {
    let path: String
    let url: URL?
    let data: Data?

    init(_ url: URL) throws {
        guard url.isFileURL else {
            throw NSError(status: -50, "'\(url)' is no file. Load it, and play its data.")
        }
        path = url.path
        self.url = url
        data = nil
    }

    init(_ data: Data) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("audio-player-" + UUID().uuidString)
        try data.write(to: file, options: .withoutOverwriting)
        path = file.path
        url = nil
        self.data = data
    }

    deinit { if data != nil { try? FileManager.default.removeItem(atPath: path) } }
}
