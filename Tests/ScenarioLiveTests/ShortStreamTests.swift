import AudioSessionCore
import AudioSessionTestKit
import PipeWireGraph
import TestSupport
import Testing

/// Streams that end while PipeWire and its session manager still process them.
@Suite(.liveAlone, .serialized, .timeLimit(.minutes(10)))
struct ShortStreamTests {
    /// No file that arrives for a stream stays open, not even one that arrives after its end.
    @Test func shortStreamsLeaveNoFileOpen() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let maker = try Maker()
        try await maker.connect(to: pipeWire.remote)
        try await maker.playOnce()
        // Its files are closed when the daemon has answered the requests of its end.
        try await maker.settle()
        let before = try openFiles()
        // The stages range from a stream that was not reported yet to one that plays.
        for age in 0..<60 { try await maker.makeStream(age: age) }
        try await maker.settle { try openFiles().count <= before.count }
        let after = try openFiles()
        #expect(after.count <= before.count, "\(after), not \(before)")
        await maker.disconnect()
        await card.close()
        await pipeWire.stop()
    }

    /// Creates streams on its own loop.
    private actor Maker {
        nonisolated let executor: LoopExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private var connection: Connection?
        private let received = EventLog<GraphEvent>()

        init() throws { executor = try LoopExecutor() }

        isolated deinit { disconnect() }

        func connect(to remote: String) throws {
            connection = try Connection(
                .init(remote: remote), on: executor, receive: { [received] in received.append($0) })
            try connection?.watch()
        }

        func disconnect() { connection = nil }

        /// Returns when there is a sink, and the session manager works.
        func playOnce() async throws {
            let states = EventLog<GraphStream.State>()
            let stream = try open { states.append($0.state) }
            try await states.wait(for: "the sound") { $0.contains(.streaming) }
            withExtendedLifetime(stream) {}
        }

        /// Creates and ends a stream. `age` is the number of answers of the daemon before its end.
        func makeStream(age: Int) async throws {
            let stream = try open { _ in }
            for _ in 0..<age { try await settle() }
            withExtendedLifetime(stream) {}
        }

        private func open(receive: @escaping (GraphStream.Status) -> Void) throws -> PlaybackStream {
            try PlaybackStream(
                on: try #require(connection), exchange: .ring(try #require(FrameRing(channels: 2, capacity: 4096))),
                rate: 48_000, active: true, properties: [("media.name", "short")], receive: receive)
        }

        /// Lets the daemon answer until the condition holds, or for far longer than it takes.
        func settle(until isMet: @Sendable () throws -> Bool) async throws {
            let end = ContinuousClock.now + .seconds(20)
            while try !isMet(), .now < end { try await settle() }
        }

        func settle() async throws {
            received.clear()
            connection?.perform(.barrier(.routes))
            try await received.wait(for: "a barrier") { $0.contains(.barrier(.routes)) }
        }
    }
}
