import Dispatch
import Glibc

/// What comes from a terminal, or from what stands in for one: keys and signals. Ends with the object.
final class TerminalInput {
    enum Event: Sendable, Hashable {
        case bytes([UInt8])
        case resized, suspended, continued
        /// By the signal of this number.
        case terminated(Int32)
    }

    private var sources: [any DispatchSourceProtocol] = []

    init(_ handler: @escaping @Sendable (Event) -> Void) {
        listen(SIGWINCH) { handler(.resized) }
        listen(SIGTSTP) { handler(.suspended) }
        listen(SIGCONT) { handler(.continued) }
        for signal in [SIGINT, SIGTERM, SIGHUP] { listen(signal) { handler(.terminated(signal)) } }
        readKeys(handler)
    }

    deinit { for source in sources { source.cancel() } }

    private func listen(_ signal: Int32, _ handler: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeSignalSource(signal: signal, queue: .global())
        source.setEventHandler(handler: handler)
        source.resume()
        sources.append(source)
    }

    /// From a terminal, or from another program by a pipe; what is in a file is no key press.
    private func readKeys(_ handler: @escaping @Sendable (Event) -> Void) {
        var status = stat()
        guard fstat(STDIN_FILENO, &status) == 0,
            isatty(STDIN_FILENO) == 1 || [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
        else { return }
        let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
        source.setEventHandler { @Sendable [weak source] in
            guard Terminal.isOurs else { return }
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            if count > 0 {
                handler(.bytes(Array(bytes.prefix(count))))
            } else if count == 0 || errno != EINTR {
                source?.cancel()
            }
        }
        source.resume()
        sources.append(source)
    }
}
