/// The error number of a system call that failed: ``AudioSessionError/underlying`` of errors about
/// files, threads and memory.
public struct SystemError: Error, Sendable, Hashable {
    /// The error number as in `errno`, such as `EACCES`. It is positive.
    public let code: Int32
    /// The system's description of the error, such as "Permission denied".
    public let message: String

    package init(code: Int32, message: String) { (self.code, self.message) = (code, message) }
}

extension SystemError: CustomStringConvertible {
    public var description: String { message }
}
