import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

/// A computer for scenarios: PipeWire and the session manager, cards, a tap at every sink, and a
/// player.
///
/// A scenario checks the sound that sinks received, not the player's own reports.
struct Stage: Sendable {
    let pipeWire: PrivatePipeWire
    let manager: AudioSessionManager
    let player: AudioPlayer
    /// The events of the player.
    let log = EventLog<AudioPlayer.Event>()
    /// The events of the manager about the whole computer.
    let managerLog = EventLog<AudioSessionManager.Event>()
    private(set) var cards: [VirtualCard] = []
    private(set) var taps: [SinkTap] = []
    private var observations: [EventObservation] = []
    private let baseline = Locked(Baseline())
    /// The duration that the computer has slept, as the manager reads it.
    let slept = Locked(Duration.zero)

    /// The state of the player when the log was last cleared.
    private struct Baseline {
        var gateTime: MonotonicTime?
    }

    var card: VirtualCard { cards[0] }

    /// Prepares a stage, runs the scenario, and ends everything in any case.
    static func with(
        _ cards: VirtualCardDescription..., quantum: Int? = nil, pausesOnRouteLoss: Bool = true,
        _ body: (Stage) async throws -> Void
    ) async throws {
        try await with(cards, quantum: quantum, pausesOnRouteLoss: pausesOnRouteLoss, body)
    }

    static func with(
        _ cards: [VirtualCardDescription], quantum: Int? = nil, pausesOnRouteLoss: Bool = true,
        _ body: (Stage) async throws -> Void
    ) async throws {
        var options = PrivatePipeWire.Options()
        options.quantum = quantum
        let pipeWire = try await PrivatePipeWire(options)
        do {
            let stage = try await Stage(cards, on: pipeWire, pausesOnRouteLoss: pausesOnRouteLoss)
            try await body(stage)
            await stage.clear()
        } catch {
            await pipeWire.stop()
            throw error
        }
        await pipeWire.stop()
    }

    private init(
        _ descriptions: [VirtualCardDescription], on pipeWire: PrivatePipeWire, pausesOnRouteLoss: Bool
    ) async throws {
        self.pipeWire = pipeWire
        for description in descriptions {
            cards.append(try await VirtualCard(description, remote: pipeWire.remote))
        }
        for sink in await Self.sinks(of: cards) {
            taps.append(try await SinkTap(sink: sink, remote: pipeWire.remote))
        }
        var environment = try ManagerEnvironment.pipeWire()
        environment.sleptTime = { [slept] in slept.withLock(\.self) }
        manager = try await AudioSessionManager.connect(
            .init(remote: pipeWire.remote, applicationName: "Scenario"), in: environment)
        player = AudioPlayer(manager: manager)
        observations = [
            player.observe { [log] in log.append($0.timeless) },
            manager.observe { [managerLog] in managerLog.append($0.timeless) },
        ]
        try await player.session.change { $0.pausesOnRouteLoss = pausesOnRouteLoss }
        let file = pipeWire.directory + "/square.wav"
        try writeSquareWave(seconds: 10, to: file)
        try await player.load([String](repeating: file, count: 200))
    }

    private static func sinks(of cards: [VirtualCard]) async -> [String] {
        var sinks: [String] = []
        for card in cards {
            let names = await card.nodeNames
            sinks += card.description.nodes.map(\.name).filter { names.contains($0) && $0.contains("output") }
        }
        return sinks
    }

    private func clear() async {
        await player.close()
        await manager.close()
        for tap in taps { await tap.close() }
        for card in cards { await card.close() }
    }

    // MARK: Taps

    /// The same stage with one more tap, which the caller closes.
    func adding(_ tap: SinkTap) -> Stage {
        var stage = self
        stage.taps.append(tap)
        return stage
    }

    func tap(at sink: String) throws -> SinkTap { try #require(taps.first { $0.sink == sink }) }

    /// Plays, and waits until a sink receives the sound.
    func play(on sink: String) async throws {
        try await player.play()
        try await tap(at: sink).waitUntilLoud()
        try await log.wait(for: "the start") { $0.contains(.stateChanged(.playing)) }
    }

    /// Clears the events and sounds so far.
    func clearHistory() async {
        log.clear()
        managerLog.clear()
        let new = Baseline(gateTime: await player.statistics.gateTime)
        baseline.withLock { $0 = new }
        await resetTaps()
    }

    /// Clears the events and sounds while the player sounds, because a delay is measured from the
    /// last loud frame before it.
    func clearHistory(whileLoudAt sink: String) async throws {
        await clearHistory()
        try await tap(at: sink).waitUntilLoud()
    }

    /// Clears the sounds so far.
    func resetTaps() async {
        for tap in taps { await tap.reset() }
    }

    /// Waits until every existing sink has run for this much of its own time.
    func tapSinks(for time: Duration = .milliseconds(300)) async throws {
        for tap in taps where await tap.isAttached {
            let frames = await tap.report.frames
            try await tap.waitUntilHeard(frames: frames + UInt64(time / .seconds(1) * 48_000))
        }
    }

    /// Loud frames since the last clearing, by sink, without silent ones.
    func loudFrames() async -> [String: UInt64] {
        var loud: [String: UInt64] = [:]
        for tap in taps {
            let frames = await tap.report.loudFrames
            if frames > 0 { loud[tap.sink] = frames }
        }
        return loud
    }

    /// Nothing has stopped the player since the last clearing, and a sink received most of its
    /// sound.
    ///
    /// A busy computer misses cycles, PipeWire plays a buffer that a program is still filling, and
    /// files are decoded too late. All of these leave silence that no event caused.
    func expectUnbroken(at sink: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let (report, baseline) = (try await tap(at: sink).report, self.baseline.withLock { $0 })
        let statistics = await player.statistics
        #expect(player.state == .playing, sourceLocation: sourceLocation)
        #expect(statistics.gateTime == baseline.gateTime, "its gate closed", sourceLocation: sourceLocation)
        let silent = report.frames - report.loudFrames
        #expect(report.loudFrames > silent, "\(silent) frames were silent", sourceLocation: sourceLocation)
    }

    /// The number of the player's frames that a sink received after the gate had closed.
    func framesAfterGate(at sink: String) async throws -> Int {
        let gate = try #require(await player.statistics.gateTime, "the gate never closed")
        let last = try #require(await tap(at: sink).report.lastLoudTime, "the sink was silent before the loss")
        return Int((last.since(gate) / .seconds(1) * 48_000).rounded())
    }
}
