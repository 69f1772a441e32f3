import Glibc

/// Writes whole lines to a descriptor, each as soon as it is there.
package struct LineOutput: Sendable {
    package let descriptor: Int32
    /// Readable when nothing more is to be waited for.
    private let ending: Int32?

    package static let errors = LineOutput(descriptor: STDERR_FILENO)

    package init(descriptor: Int32 = STDOUT_FILENO, ending: Ending? = nil) {
        self.descriptor = descriptor
        self.ending = ending?.descriptor
    }

    /// Writes text for people. Names come from devices and files that nobody vouches for, and a terminal obeys control
    /// characters, so these are replaced. A locale without UTF-8 gets ASCII.
    package func print(_ text: String) throws(ToolFailure) {
        let printable = Self.printable(text)
        try write(LocaleText.isASCII ? LocaleText.ascii(printable) : printable)
    }

    /// Writes a line as it is.
    package func write(_ line: String) throws(ToolFailure) {
        var rest = Array("\(line)\n".utf8)[...]
        while !rest.isEmpty {
            try waitUntilWritable()
            // What a pipe takes without blocking once it takes anything.
            let count = rest.prefix(Int(PIPE_BUF)).withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EPIPE {
                throw .outputClosed
            } else if errno != EINTR, errno != EAGAIN {
                throw .cannotWrite(reason: systemMessage(errno))
            }
        }
    }

    /// Says what went wrong. If that cannot be said either, the exit code has to do.
    package func complain(_ text: String) { try? print(text) }

    /// A reader may stop reading for good without going away; a signal must end the program even so.
    private func waitUntilWritable() throws(ToolFailure) {
        guard let ending else { return }
        let ready = waitForAny(of: [.writable(descriptor), .readable(ending)])
        if !ready.contains(0) { throw .stopped }
    }

    static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
    }

    /// Beside control characters those that turn the direction of what follows.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        default: false
        }
    }
}
