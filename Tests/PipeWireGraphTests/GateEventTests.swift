import AudioSessionCore
import CPipeWireShim
import PipeWireGraph
import Testing

@Suite("The event that closed a gate", .timeLimit(.minutes(10)))
struct GateEventTests {
    /// Closes the gate of a stream, by a job that becomes ready at the first event of a connection.
    private actor Closer {
        nonisolated let executor: LoopExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private var connection: Connection?
        private var stream: PlaybackStream?
        private var firstEvent: CheckedContinuation<Void, Never>?

        init() throws { executor = try LoopExecutor() }

        isolated deinit {
            stream = nil
            connection = nil
        }

        func connect(to path: String) throws {
            let ring = try #require(FrameRing(channels: 1, capacity: 64))
            let connection = try Connection(
                Connection.Options(remote: path), on: executor,
                receive: { [weak self] _ in self?.assumeIsolated { $0.receive() } })
            stream = try PlaybackStream(
                on: connection, exchange: .ring(ring), rate: 48000, properties: [("node.name", "player")],
                receive: { _ in })
            self.connection = connection
        }

        /// The events arrive together, so the job runs before the callback of one of them returns.
        func closeGate() async throws -> PlaybackStream.Report? {
            try connection?.watch()
            await withCheckedContinuation { firstEvent = $0 }
            stream?.setGate(closed: true)
            return stream?.report
        }

        private func receive() {
            firstEvent?.resume()
            firstEvent = nil
        }
    }

    @Test("A job of the program that runs between events closes the gate by none of them")
    func job() async throws {
        let server = try TestServer()
        for number in 0..<200 {
            _ = server.add(CPW_OBJECT_NODE, ["node.name": "n\(number)", "media.class": "Audio/Sink"])
        }
        let closer = try Closer()
        try await closer.connect(to: server.path)
        let report = try await closer.closeGate()
        #expect(report?.gateTime != nil)
        #expect(report != nil && report?.gateEventTime == nil)
    }
}
