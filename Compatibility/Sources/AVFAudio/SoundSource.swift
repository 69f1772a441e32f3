import Foundation
import Glibc

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
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("audio-player-" + UUID().uuidString).path
        // Only this user may read it, because all users can list the temporary folder.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }
        do {
            try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: data)
        } catch {
            unlink(path)
            throw error
        }
        self.path = path
        url = nil
        self.data = data
    }

    deinit { if data != nil { try? FileManager.default.removeItem(atPath: path) } }
}
