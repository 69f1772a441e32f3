import AudioSessions
import Dispatch
import Glibc
import Synchronization

/// Delivers signals to this process as values, with their origin.
final class SignalInbox: Sendable {
    struct Signal: Sendable, Hashable {
        var number: Int32
        /// Whether the kernel sent the signal, as it does for keys of the terminal.
        var isFromTerminal: Bool

        /// Delivered for each call of ``SignalInbox/mark()``. No signal has the number 0.
        static let mark = Self(number: 0, isFromTerminal: false)
    }

    private let reader: Int32

    /// Handles these signals permanently, except for those that are ignored. A process can have
    /// only one inbox.
    ///
    /// - Parameters:
    ///   - signals: The numbers of the signals.
    ///   - receive: Called with each signal, on a thread of its own.
    /// - Throws: A failure if the process cannot open a pipe.
    init(_ signals: Set<Int32>, receive: @escaping @Sendable (Signal) -> Void) throws(ToolFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw .session(
                AudioSessionError(
                    .resourcesExhausted,
                    "No pipe can be created: \(systemMessage(errno)). Close files, or raise 'ulimit -n'."))
        }
        reader = ends[0]
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        inboxWriter.store(ends[1], ordering: .releasing)
        for number in signals where !InheritedSignals.isIgnored(number) { Self.take(number) }
        DispatchQueue(label: "audiosession.signals").async { [reader] in
            var bytes: [UInt8] = [0, 0]
            while true {
                let count = read(reader, &bytes, bytes.count)
                guard count == bytes.count else {
                    if count < 0, errno == EINTR { continue }
                    return
                }
                receive(Signal(number: Int32(bytes[0]), isFromTerminal: bytes[1] != 0))
            }
        }
    }

    /// Delivers ``Signal/mark`` after all signals that were received before.
    ///
    /// - Returns: Whether the pipe has accepted it. A full pipe does not.
    func mark() -> Bool {
        var bytes: (UInt8, UInt8) = (0, 0)
        return write(inboxWriter.load(ordering: .acquiring), &bytes, 2) == 2
    }

    private static func take(_ number: Int32) {
        var action = sigaction()
        action.__sigaction_handler.sa_sigaction = { number, info, _ in
            let saved = errno
            // A pipe accepts two bytes either as a whole or not at all.
            var bytes: (UInt8, UInt8) = (UInt8(truncatingIfNeeded: number), (info?.pointee.si_code ?? 0) > 0 ? 1 : 0)
            _ = write(inboxWriter.load(ordering: .acquiring), &bytes, 2)
            errno = saved
        }
        action.sa_flags = SA_SIGINFO | SA_RESTART
        sigaction(number, &action, nil)
    }
}

/// The descriptor for the signal handler, which has no context of its own.
private let inboxWriter = Atomic<Int32>(-1)
