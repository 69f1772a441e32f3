import Glibc

/// A descriptor and the events to wait for. Without events, only the closing of its other end
/// counts.
struct PollCondition {
    var descriptor: Int32
    var events: Int32 = 0

    static func readable(_ descriptor: Int32) -> Self { Self(descriptor: descriptor, events: POLLIN) }
    static func writable(_ descriptor: Int32) -> Self { Self(descriptor: descriptor, events: POLLOUT) }
    static func abandoned(_ descriptor: Int32) -> Self { Self(descriptor: descriptor) }
    /// The writer of a pipe or socket has closed it. Data may be left to read.
    static func hungUp(_ descriptor: Int32) -> Self { Self(descriptor: descriptor, events: pollReadHangUp) }

    /// `POLLRDHUP` of Linux, which Swift does not import. Only sockets report it; a pipe reports
    /// `POLLHUP` in any case.
    private static let pollReadHangUp: Int32 = 0x2000
}

/// Blocks the thread until one of the conditions is met or can never be met.
///
/// - Parameters:
///   - conditions: The conditions.
///   - milliseconds: The time limit; -1 for none.
/// - Returns: The indices of the conditions that were met. It is empty after the time limit.
func waitForAny(of conditions: [PollCondition], milliseconds: Int32 = -1) -> Set<Int> {
    var polls = conditions.map { pollfd(fd: $0.descriptor, events: Int16($0.events), revents: 0) }
    while poll(&polls, nfds_t(polls.count), milliseconds) < 0 {
        // After an error of `poll`, all conditions count as met. The caller's next system call then
        // fails with an error that says more.
        guard errno == EINTR else { return Set(conditions.indices) }
    }
    return Set(polls.indices.filter { polls[$0].revents != 0 })
}

/// Returns the system's message for an error number.
package func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }
