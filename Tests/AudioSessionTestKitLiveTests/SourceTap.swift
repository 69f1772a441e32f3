import AudioSessionCore
import PipeWireGraph
import TestSupport
import Testing

/// A recorder at one source, which measures only the level.
actor SourceTap {
    private let executor: LoopExecutor
    private var stream: CaptureStream?
    private var connection: Connection?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Records from the source with this `node.name`; `nil` means the default.
    init(at source: String?, channels: Int = 2, remote: String) async throws {
        executor = try LoopExecutor()
        let options = Connection.Options(remote: remote, applicationName: "source-tap")
        let connection = try Connection(options, on: executor)
        let ring = try #require(FrameRing(channels: channels, capacity: 64))
        stream = try CaptureStream(
            on: connection, exchange: .ring(ring), rate: 48_000,
            properties: [("node.name", "source-tap")] + (source.map { [("target.object", $0)] } ?? []),
            receive: { _ in })
        self.connection = connection
    }

    isolated deinit { close() }

    func close() {
        stream = nil
        connection = nil
    }

    /// Waits for this many more cycles.
    func wait(cycles: UInt64, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let goal = (stream?.report.cycles ?? 0) + cycles
        try await wait(for: "\(cycles) cycles", sourceLocation) { $0.cycles >= goal }
    }

    /// Waits until every channel is a sine with this amplitude.
    func wait(amplitude: Float, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await wait(for: "a tone of \(amplitude)", sourceLocation) { report in
            report.levels.allSatisfy {
                abs($0.peak - amplitude) < 0.01 && abs($0.meanSquare - amplitude * amplitude / 2) < 0.02
            }
        }
    }

    /// Waits until all samples are zero.
    func waitUntilSilent(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await wait(for: "silence", sourceLocation) { $0.cycles > 0 && $0.levels.allSatisfy { $0.peak == 0 } }
    }

    /// Polls, because the real-time thread only counts and notifies no other thread.
    private func wait(
        for what: String, _ sourceLocation: SourceLocation, until isMet: (CaptureStream.Report) -> Bool
    ) async throws {
        var last: CaptureStream.Report?
        try await waitUntil("\(what), not \(last.map { "\($0)" } ?? "nothing")", sourceLocation: sourceLocation) {
            last = stream?.report
            return last.map(isMet) ?? true
        }
    }
}
