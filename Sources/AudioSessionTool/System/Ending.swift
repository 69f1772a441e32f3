import AudioSessions
import Dispatch
import Glibc
import Synchronization

/// Tells when a command that would go on for ever is to end: at SIGINT or SIGTERM, or when nobody reads its output.
///
/// A descriptor rather than a flag, since a thread may be waiting in a system call when the time comes.
package final class Ending: Sendable {
    /// Readable from the moment that the end was asked for.
    package let descriptor: Int32
    private let trigger: Int32

    package init() throws(ToolFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw .session(
                AudioSessionError(.resourcesExhausted, "No pipe can be made: \(systemMessage(errno)). Close files."))
        }
        descriptor = ends[0]
        trigger = ends[1]
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(trigger, F_SETFL, O_NONBLOCK)
    }

    /// Whoever still waits is woken by it.
    deinit {
        _ = signalTrigger.compareExchange(expected: trigger, desired: -1, ordering: .sequentiallyConsistent)
        close(trigger)
        close(descriptor)
    }

    /// Makes the program's signals ask for this end, from now on and for good.
    package func followSignals() {
        signalTrigger.store(trigger, ordering: .releasing)
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, handleSignal) }
    }

    package func request() { writeByte(to: trigger) }

    /// Returns when the end is asked for, or when whoever reads `output` has gone.
    package func wait(orUntilAbandoned output: LineOutput) async {
        _ = await wait(atMost: nil, orUntilAbandoned: output)
    }

    /// - Returns: whether the time passed without any of that.
    package func wait(atMost time: Duration?, orUntilAbandoned output: LineOutput) async -> Bool {
        let milliseconds = time.map { Int32(min(max(0, $0 / .milliseconds(1)), Double(Int32.max - 1))) } ?? -1
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        let wishes: [PollWish] = [.readable(descriptor), .abandoned(output.descriptor)]
        DispatchQueue(label: "audiosession.ending").async {
            continuation.yield(waitForAny(of: wishes, milliseconds: milliseconds).isEmpty)
            continuation.finish()
        }
        return await stream.first { _ in true } ?? false
    }
}

/// Where the signal handler writes. A handler has no context of its own, so there can be but one for the program.
private let signalTrigger = Atomic<Int32>(-1)

private func handleSignal(_ number: Int32) {
    let saved = errno
    writeByte(to: signalTrigger.load(ordering: .acquiring))
    errno = saved
}

private func writeByte(to descriptor: Int32) {
    var byte: UInt8 = 0
    // A full pipe is readable as well.
    _ = Glibc.write(descriptor, &byte, 1)
}
