import Foundation
import Glibc

/// A sound file, or data in a temporary file that has no name.
final class SoundSource: Sendable {
    /// The path for a player to load, which is valid as long as this object.
    let path: String
    let url: URL?
    let data: Data?
    /// The open descriptor of the temporary file.
    private let descriptor: Int32?

    init(_ url: URL) throws {
        guard url.isFileURL else {
            throw NSError(status: -50, "'\(url)' is no file URL. Load its data, and play that.")
        }
        path = url.path
        self.url = url
        data = nil
        descriptor = nil
    }

    init(_ data: Data) throws {
        let name = FileManager.default.temporaryDirectory
            .appendingPathComponent("audio-player-" + UUID().uuidString).path
        // Only this user may read it, because all users can list the temporary folder.
        let descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }
        // A process that ends does not deinitialize its objects, and would leave the file behind.
        unlink(name)
        do {
            try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: data)
        } catch {
            close(descriptor)
            throw error
        }
        path = "/proc/self/fd/\(descriptor)"
        url = nil
        self.data = data
        self.descriptor = descriptor
    }

    deinit { if let descriptor { close(descriptor) } }
}
