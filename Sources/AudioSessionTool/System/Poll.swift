import Glibc

/// A descriptor and what is waited for on it. With no wish at all, only its other end going is waited for.
struct PollWish {
    var descriptor: Int32
    var events: Int32 = 0

    static func readable(_ descriptor: Int32) -> Self { Self(descriptor: descriptor, events: POLLIN) }
    static func writable(_ descriptor: Int32) -> Self { Self(descriptor: descriptor, events: POLLOUT) }
    static func abandoned(_ descriptor: Int32) -> Self { Self(descriptor: descriptor) }
}

/// Blocks the thread until one of the wishes comes true, or can never come true.
/// - Parameter milliseconds: how long at most; -1 for ever.
/// - Returns: the places of those that did.
func waitForAny(of wishes: [PollWish], milliseconds: Int32 = -1) -> Set<Int> {
    var polls = wishes.map { pollfd(fd: $0.descriptor, events: Int16($0.events), revents: 0) }
    while poll(&polls, nfds_t(polls.count), milliseconds) < 0 {
        // Descriptors that cannot be waited for are left to the call that follows, whose error says more.
        guard errno == EINTR else { return Set(wishes.indices) }
    }
    return Set(polls.indices.filter { polls[$0].revents != 0 })
}

/// The system's words for an error number.
package func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }
