import AudioSessions
import Dispatch
import Glibc
import Synchronization

/// Delivers signals to this process as values, with where they come from.
final class SignalInbox: Sendable {
    struct Signal: Sendable, Hashable {
        var number: Int32
        /// Whether the kernel sent it, as it does for keys of the terminal, rather than a process.
        var isFromTerminal: Bool
    }

    private let reader: Int32

    /// Takes these signals from now on and for good, but for those that are ignored. There can be one in a process.
    ///
    /// - Parameter receive: called on a thread of its own.
    init(_ signals: Set<Int32>, receive: @escaping @Sendable (Signal) -> Void) throws(ToolFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw .session(
                AudioSessionError(.resourcesExhausted, "No pipe can be made: \(systemMessage(errno)). Close files."))
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

    private static func take(_ number: Int32) {
        var action = sigaction()
        action.__sigaction_handler.sa_sigaction = { number, info, _ in
            let saved = errno
            // Two bytes are written whole or not at all.
            var bytes: (UInt8, UInt8) = (UInt8(truncatingIfNeeded: number), (info?.pointee.si_code ?? 0) > 0 ? 1 : 0)
            _ = write(inboxWriter.load(ordering: .acquiring), &bytes, 2)
            errno = saved
        }
        action.sa_flags = SA_SIGINFO | SA_RESTART
        sigaction(number, &action, nil)
    }
}

/// A signal handler has no context of its own.
private let inboxWriter = Atomic<Int32>(-1)
