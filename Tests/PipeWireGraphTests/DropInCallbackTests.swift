import AudioSessionCore
import CPipeWireShim
import PipeWireGraph
import Testing

/// A callback may release the last reference to the object that calls it.
@Suite("Objects released from within their own callbacks", .timeLimit(.minutes(10)))
struct DropInCallbackTests {
    /// Releases its connection at the first event of a kind.
    private actor Dropper {
        nonisolated let executor: LoopExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private var connection: Connection?
        private var dropped: CheckedContinuation<Void, Never>?
        private(set) var newsAfterwards = 0

        init() throws { executor = try LoopExecutor() }

        func connect(to path: String) throws {
            connection = try Connection(
                Connection.Options(remote: path), on: executor,
                receive: { [weak self] _ in self?.assumeIsolated { $0.drop() } },
                failed: { [weak self] _ in self?.assumeIsolated { $0.drop() } })
        }

        func watch() throws { try connection?.watch() }

        func waitUntilDropped() async {
            guard connection != nil else { return }
            await withCheckedContinuation { dropped = $0 }
        }

        private func drop() {
            if connection == nil { newsAfterwards += 1 }
            connection = nil
            dropped?.resume()
            dropped = nil
        }
    }

    @Test("A connection is released at the first of several events") func atFirstEvent() async throws {
        let server = try TestServer()
        for number in 0..<50 {
            _ = server.add(CPW_OBJECT_NODE, ["node.name": "n\(number)", "media.class": "Audio/Sink"])
        }
        let dropper = try Dropper()
        try await dropper.connect(to: server.path)
        try await dropper.watch()
        await dropper.waitUntilDropped()
        #expect(await dropper.newsAfterwards == 0)
    }

    @Test("A connection is released when the daemon dies", arguments: 0..<20) func atDeath(_: Int) async throws {
        let server = try TestServer()
        let dropper = try Dropper()
        try await dropper.connect(to: server.path)
        server.stop()
        await dropper.waitUntilDropped()
        #expect(await dropper.newsAfterwards == 0)
    }
}
