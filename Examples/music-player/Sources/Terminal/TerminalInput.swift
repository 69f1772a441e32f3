// Its sources may be used on any thread, but are not declared so.
@preconcurrency import Dispatch
import Glibc
import Synchronization

/// The keys and signals of a terminal, or of a pipe in its place. Ends with the object.
final class TerminalInput {
    enum Event: Sendable, Hashable {
        case bytes([UInt8])
        case resized, suspended, continued
        /// The program ends by the signal of this number.
        case terminated(Int32)
    }

    private static let signals = [SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    private var sources: [any DispatchSourceRead] = []

    init(_ handler: @escaping @Sendable (Event) -> Void) {
        readSignals(handler)
        readKeys(handler)
    }

    deinit {
        for number in Self.signals { signal(number, SIG_DFL) }
        for source in sources { source.cancel() }
    }

    // MARK: Signals

    /// Signals arrive through a pipe, because a handler may do hardly anything else.
    private func readSignals(_ handler: @escaping @Sendable (Event) -> Void) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        let (readEnd, writeEnd) = (ends[0], ends[1])
        read(
            readEnd,
            whenCancelled: {
                signalTrigger.store(-1, ordering: .sequentiallyConsistent)
                close(writeEnd)
                close(readEnd)
            }
        ) { numbers in
            for number in numbers { handler(Event(signal: Int32(number))) }
        }
        signalTrigger.store(writeEnd, ordering: .sequentiallyConsistent)
        for number in Self.signals { signal(number, handleSignal) }
    }

    // MARK: Keys

    /// Keys come from a terminal or through a pipe; a file has no key presses.
    private func readKeys(_ handler: @escaping @Sendable (Event) -> Void) {
        var status = stat()
        guard fstat(STDIN_FILENO, &status) == 0,
            isatty(STDIN_FILENO) == 1 || [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
        else { return }
        read(STDIN_FILENO) { handler(.bytes($0)) }
    }

    private func read(
        _ descriptor: Int32, whenCancelled: (@Sendable () -> Void)? = nil,
        _ handler: @escaping @Sendable ([UInt8]) -> Void
    ) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
        // The source holds itself until it is cancelled.
        source.setEventHandler { @Sendable in
            // In the background the keys are for another program, which reads them soon. Until then
            // this is called again at once, and no event reports that.
            guard descriptor != STDIN_FILENO || Terminal.isOurs else {
                usleep(20_000)
                return
            }
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = Glibc.read(descriptor, &bytes, bytes.count)
            if count > 0 {
                handler(Array(bytes.prefix(count)))
            } else if count == 0 || ![EINTR, EAGAIN].contains(errno) {
                source.cancel()
            }
        }
        source.setCancelHandler(handler: whenCancelled)
        source.resume()
        sources.append(source)
    }
}

extension TerminalInput.Event {
    fileprivate init(signal: Int32) {
        switch signal {
        case SIGWINCH: self = .resized
        case SIGTSTP: self = .suspended
        case SIGCONT: self = .continued
        default: self = .terminated(signal)
        }
    }
}

/// The pipe that the handler writes to. A handler has no context, so there is only one for the
/// program.
private let signalTrigger = Atomic<Int32>(-1)

private func handleSignal(_ number: Int32) {
    let saved = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(signalTrigger.load(ordering: .sequentiallyConsistent), &byte, 1)
    errno = saved
}
