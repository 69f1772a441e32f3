import Glibc

/// Writes whole lines to a descriptor without buffering.
package struct LineOutput: Sendable {
    package let descriptor: Int32
    /// A descriptor that becomes readable when a write must not wait any more.
    private let ending: Int32?
    /// Whether text for users is converted to ASCII.
    var isASCII = LocaleText.isASCII
    private var blocksStopSignal = false

    package static let errors = LineOutput(descriptor: STDERR_FILENO)
    /// Standard error of a program that handles SIGTTOU. After `stty tostop`, the kernel would
    /// interrupt and restart each write from the background without end.
    static let errorsWithoutStop: LineOutput = {
        var output = LineOutput.errors
        output.blocksStopSignal = true
        return output
    }()

    package init(descriptor: Int32 = STDOUT_FILENO, ending: Ending? = nil) {
        self.descriptor = descriptor
        self.ending = ending?.descriptor
    }

    /// Writes text for users. Control characters are replaced, because a terminal obeys them, and
    /// names come from devices and files that are not trusted. A locale without UTF-8 gets ASCII.
    package func print(_ text: String) throws(ToolFailure) {
        let printable = Self.printable(text)
        try write(isASCII ? LocaleText.ascii(printable) : printable)
    }

    /// Writes a line without changing it.
    package func write(_ line: String) throws(ToolFailure) {
        var rest = Array("\(line)\n".utf8)[...]
        while !rest.isEmpty {
            try waitUntilWritable()
            // This is the size that a pipe accepts without blocking once it is writable.
            let count = writeOnce(rest.prefix(Int(PIPE_BUF)))
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EPIPE {
                throw .outputClosed
            } else if errno != EINTR, errno != EAGAIN {
                throw .cannotWrite(reason: systemMessage(errno))
            }
        }
    }

    /// Prints an error message of one or more lines. If that fails as well, only the exit code
    /// reports the error.
    ///
    /// All lines but the first are indented, so that a line break in the name of a device cannot
    /// make its rest look like another message.
    package func printError(_ text: String) {
        for (index, line) in text.unicodeScalars.split(separator: "\n").enumerated() {
            try? print((index == 0 ? "" : "  ") + String(String.UnicodeScalarView(line)))
        }
    }

    /// Writes some of the bytes.
    ///
    /// - Returns: Their number; -1 after an error, which `errno` names.
    private func writeOnce(_ bytes: ArraySlice<UInt8>) -> Int {
        var mask = sigset_t()
        if blocksStopSignal {
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGTTOU)
            pthread_sigmask(SIG_BLOCK, &signals, &mask)
        }
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        let code = errno
        if blocksStopSignal { pthread_sigmask(SIG_SETMASK, &mask, nil) }
        errno = code
        return count
    }

    /// Waits until the descriptor is writable. A reader may stop reading without closing the pipe,
    /// and a signal must end the program even then. The descriptor may be non-blocking, because all
    /// programs that have it share this setting.
    private func waitUntilWritable() throws(ToolFailure) {
        var conditions: [PollCondition] = [.writable(descriptor)]
        if let ending { conditions.append(.readable(ending)) }
        let ready = waitForAny(of: conditions)
        if !ready.contains(0) { throw .stopped }
    }

    static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
    }

    /// Returns whether the character is a control character or changes the direction of text.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        default: false
        }
    }
}
