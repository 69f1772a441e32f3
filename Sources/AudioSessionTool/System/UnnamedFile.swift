import FoundationEssentials
import Glibc

/// A temporary file that is private to this process.
///
/// It has no name, so no other program can open it, and it cannot be left behind.
package final class UnnamedFile: Sendable {
    private let descriptor: Int32
    private let contents: String

    /// The path by which this process opens the file. It is valid as long as this object exists.
    package var path: String { "/proc/self/fd/\(descriptor)" }

    /// Creates an empty file.
    ///
    /// - Parameter contents: What will be written to the file, for messages: "a tone".
    package init(for contents: String) throws(ToolFailure) {
        self.contents = contents
        let folder = FileManager.default.temporaryDirectory.path
        var name = Array("\(folder)/audiosession.XXXXXX".utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else {
            throw .cannotWrite(
                reason: "no file for \(contents) can be created in \(folder) (\(systemMessage(errno)))")
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(&name)
    }

    deinit { close(descriptor) }

    /// Appends bytes to the file.
    package func write(_ bytes: [UInt8]) throws(ToolFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw .cannotWrite(reason: "the file of \(contents) cannot be written (\(systemMessage(errno)))")
            }
        }
    }
}
