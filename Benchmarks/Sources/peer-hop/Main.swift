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
            let news = await mailbox.next(isolation: #isolation)
            peer_print_seen(peer_now(), news.level, news.what, news.detail)
        }
    }
}

private struct News: Sendable {
    let level, what, detail: String
}

private final class Mailbox: Sendable {
    private let state = Mutex<(news: [News], waiter: CheckedContinuation<News, Never>?)>(([], nil))

    func send(_ news: News) {
        let waiter = state.withLock { state in
            if state.waiter == nil { state.news.append(news) }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: news)
    }

    func next(isolation actor: isolated (any Actor)?) async -> News {
        await withCheckedContinuation(isolation: actor) { waiter in
            let news: News? = state.withLock { state in
                guard state.news.isEmpty else { return state.news.removeFirst() }
                state.waiter = waiter
                return nil
            }
            if let news { waiter.resume(returning: news) }
        }
    }
}

private let mailbox = Mailbox()

private func relay(_ level: UnsafePointer<CChar>?, _ what: UnsafePointer<CChar>?, _ detail: UnsafePointer<CChar>?) {
    guard let level, let what, let detail else { return }
    mailbox.send(News(level: String(cString: level), what: String(cString: what), detail: String(cString: detail)))
}

private func runFloor(_: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    exit(floor_client(CommandLine.argc, CommandLine.unsafeArgv))
}
