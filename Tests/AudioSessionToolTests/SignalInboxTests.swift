import Glibc
import Testing

@testable import AudioSessionTool

/// The signals that this process receives.
@Suite(.timeLimit(.minutes(10))) struct SignalInboxTests {
    @Test func aMarkIsDeliveredAfterTheSignalsBeforeIt() async throws {
        let (signals, continuation) = AsyncStream.makeStream(of: SignalInbox.Signal.self)
        // No other code uses this signal, and by default it has no effect.
        let inbox = try SignalInbox([SIGURG]) { continuation.yield($0) }
        Self.receive(SIGURG, count: 100)
        try #require(inbox.mark())
        var received: [Int32] = []
        for await signal in signals {
            guard signal != .mark else { break }
            received.append(signal.number)
        }
        #expect(received == Array(repeating: SIGURG, count: 100))
    }

    /// Handles the signal on this thread, where Swift's threads block it.
    private static func receive(_ number: Int32, count: Int) {
        var (set, former) = (sigset_t(), sigset_t())
        sigemptyset(&set)
        sigaddset(&set, number)
        pthread_sigmask(SIG_UNBLOCK, &set, &former)
        for _ in 0..<count { raise(number) }
        pthread_sigmask(SIG_SETMASK, &former, nil)
    }
}
