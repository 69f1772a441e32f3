import FloorClient
import Glibc
import PeerSupport
import Synchronization

/// `peer-hop KIND`: the floor, whose events a task awaits on another thread. It measures Swift's
/// concurrency alone: each event resumes one continuation.
@main struct Peer {
    static func main() async { await run() }

    /// The executor on which peer-audiosessions receives its events.
    @concurrent private static func run() async {
        peer_relay(relay)
        var thread = pthread_t()
        pthread_create(&thread, nil, runFloor, nil)
        while true {
            let event = await mailbox.next(isolation: #isolation)
            peer_print_seen(peer_now(), event.level, event.what, event.detail)
        }
    }
}

private struct Event: Sendable {
    let level, what, detail: String
}

private final class Mailbox: Sendable {
    private let state = Mutex<(events: [Event], waiter: CheckedContinuation<Event, Never>?)>(([], nil))

    func send(_ event: Event) {
        let waiter = state.withLock { state in
            if state.waiter == nil { state.events.append(event) }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: event)
    }

    func next(isolation actor: isolated (any Actor)?) async -> Event {
        await withCheckedContinuation(isolation: actor) { waiter in
            let event: Event? = state.withLock { state in
                guard state.events.isEmpty else { return state.events.removeFirst() }
                state.waiter = waiter
                return nil
            }
            if let event { waiter.resume(returning: event) }
        }
    }
}

private let mailbox = Mailbox()

private func relay(_ level: UnsafePointer<CChar>?, _ what: UnsafePointer<CChar>?, _ detail: UnsafePointer<CChar>?) {
    guard let level, let what, let detail else { return }
    mailbox.send(Event(level: String(cString: level), what: String(cString: what), detail: String(cString: detail)))
}

private func runFloor(_: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    exit(floor_client(CommandLine.argc, CommandLine.unsafeArgv))
}
