import AudioSessionPlayback
import Glibc

/// A file named on the command line; `-` stands for standard input.
struct InputFile {
    let path: String

    /// The limit of the size in bytes. Dumps of large systems have a few megabytes. A larger file
    /// is not a dump, and might never end.
    static let sizeLimit = 256 << 20

    var name: String { path == "-" ? "Standard input" : "'\(path)'" }

    func read() throws(ToolFailure) -> [UInt8] {
        guard path != "-" else { return try read(STDIN_FILENO) }
        let bytes = SoundFileName.bytes(SoundFileName.string(argument: path)) ?? Array(path.utf8CString)
        let descriptor = open(bytes, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotRead(path: name, reason: systemMessage(errno)) }
        defer { close(descriptor) }
        return try read(descriptor)
    }

    /// Reads a descriptor to its end. It may be non-blocking, because all programs that have it
    /// share this setting.
    func read(_ descriptor: Int32) throws(ToolFailure) -> [UInt8] {
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while content.count <= Self.sizeLimit {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count == 0 { return content }
            if count > 0 {
                content += chunk[..<count]
            } else if errno == EAGAIN {
                _ = waitForAny(of: [.readable(descriptor)])
            } else if errno != EINTR {
                throw .cannotRead(path: name, reason: systemMessage(errno))
            }
        }
        throw .badInput(
            "\(name) has more than \(Self.sizeLimit >> 20) MiB, more than any pw-dump. Pass the output of pw-dump.")
    }
}
