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
    let story = EventLog<AudioPlayer.Event>()
    /// The events of the manager about the whole computer.
    let machine = EventLog<AudioSessionManager.Event>()
    private(set) var cards: [VirtualCard] = []
    private(set) var ears: [SinkTap] = []
    private var observations: [EventObservation] = []
    private let page = Locked(Page())
    /// The duration that the computer has slept, as the manager reads it.
    let slept = Locked(Duration.zero)

    /// The state of the player when the log was last cleared.
    private struct Page {
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
            ears.append(try await SinkTap(sink: sink, remote: pipeWire.remote))
        }
        var environment = try ManagerEnvironment.pipeWire()
        environment.sleptTime = { [slept] in slept.withLock(\.self) }
        manager = try await AudioSessionManager.connect(
            .init(remote: pipeWire.remote, applicationName: "Scenario"), in: environment)
        player = AudioPlayer(manager: manager)
        observations = [
            player.observe { [story] in story.append($0.timeless) },
            manager.observe { [machine] in machine.append($0.timeless) },
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
        for ear in ears { await ear.close() }
        for card in cards { await card.close() }
    }

    // MARK: Hearing

    /// The same stage with one more tap, which the caller closes.
    func adding(_ ear: SinkTap) -> Stage {
        var stage = self
        stage.ears.append(ear)
        return stage
    }

    func ear(at sink: String) throws -> SinkTap { try #require(ears.first { $0.sink == sink }) }

    /// Plays, and waits until that is heard at a sink.
    func play(on sink: String) async throws {
        try await player.play()
        try await ear(at: sink).waitUntilLoud()
        try await story.wait(for: "the start") { $0.contains(.stateChanged(.playing)) }
    }

    /// Clears the events and sounds so far.
    func turnPage() async {
        story.clear()
        machine.clear()
        let mark = Page(gateTime: await player.statistics.gateTime)
        page.withLock { $0 = mark }
        await forgetSounds()
    }

    /// Clears them while the player sounds, because lateness is measured from what was heard
    /// before.
    func turnPage(heardAt sink: String) async throws {
        await turnPage()
        try await ear(at: sink).waitUntilLoud()
    }

    func forgetSounds() async {
        for ear in ears { await ear.reset() }
    }

    /// Listens at every existing sink for so much of its own time.
    func listen(for time: Duration = .milliseconds(300)) async throws {
        for ear in ears where await ear.isAttached {
            let heard = await ear.report.frames
            try await ear.waitUntilHeard(frames: heard + UInt64(time / .seconds(1) * 48_000))
        }
    }

    /// Loud frames since the last clearing, by sink, without silent ones.
    func heard() async -> [String: UInt64] {
        var heard: [String: UInt64] = [:]
        for ear in ears {
            let frames = await ear.report.loudFrames
            if frames > 0 { heard[ear.sink] = frames }
        }
        return heard
    }

    /// Nothing has stopped the player since the last clearing, and a sink received most of its
    /// sound.
    ///
    /// A busy computer misses cycles, PipeWire plays a buffer that a program is still filling, and
    /// files are decoded too late. All of these leave silence that no event caused.
    func expectUnbroken(at sink: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let (report, mark) = (try await ear(at: sink).report, page.withLock { $0 })
        let statistics = await player.statistics
        #expect(player.state == .playing, sourceLocation: sourceLocation)
        #expect(statistics.gateTime == mark.gateTime, "its gate closed", sourceLocation: sourceLocation)
        let silent = report.frames - report.loudFrames
        #expect(report.loudFrames > silent, "\(silent) frames were silent", sourceLocation: sourceLocation)
    }

    /// The number of the player's frames that a sink received after the gate had closed.
    func framesAfterGate(at sink: String) async throws -> Int {
        let gate = try #require(await player.statistics.gateTime, "the gate never closed")
        let last = try #require(await ear(at: sink).report.lastLoudTime, "nothing was heard before the loss")
        return Int((last.since(gate) / .seconds(1) * 48_000).rounded())
    }
}
