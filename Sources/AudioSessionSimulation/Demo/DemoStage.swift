import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessionTool
import AudioSessions
import PipeWireGraph

/// A player with a tap on every sink.
actor DemoStage {
    nonisolated let manager: AudioSessionManager
    nonisolated let player: AudioPlayer
    let journal: DemoJournal<AudioPlayer.Event>
    let sessionJournal: DemoJournal<AudioSession.Event>
    let remote: String?
    private var taps: [(sink: Sink, tap: SinkTap)] = []
    private let melody: Melody

    struct Sink: Sendable, Hashable {
        var name: String
        var label: String
    }

    /// Frames of silence that must be received before a sink counts as silent. This is more than
    /// the largest quantum.
    static let silence: UInt64 = 24_000

    init(
        remote: String?, pausesOnRouteLoss: Bool = true, resumesAfterInterruption: Bool = true
    ) async throws {
        self.remote = remote
        melody = try Melody()
        manager = try await AudioSessionManager.connect(
            AudioSessionManager.Configuration(remote: remote, applicationName: "audiosession demo"))
        player = AudioPlayer(
            manager: manager, configuration: AudioPlayer.Configuration(nodeName: "audiosession-demo"))
        journal = DemoJournal { [player] in player.observe($0) }
        sessionJournal = DemoJournal { [player] in player.session.observe($0) }
        var configuration = player.session.configuration
        configuration.pausesOnRouteLoss = pausesOnRouteLoss
        configuration.resumesAfterInterruption = resumesAfterInterruption
        try await player.session.configure(configuration)
        // The file repeats for long enough that a person can walk to the computer first.
        try await player.load([String](repeating: melody.path, count: 40))
    }

    func close() async {
        await player.close()
        for entry in taps { await entry.tap.close() }
        await manager.close()
    }

    // MARK: Measuring

    /// Attaches a tap to every existing sink, and closes the taps of other sinks.
    func listen() async throws {
        let sinks = await manager.demoSinks
        for entry in taps where !sinks.contains(entry.sink) { await entry.tap.close() }
        taps.removeAll { !sinks.contains($0.sink) }
        for sink in sinks where !taps.contains(where: { $0.sink == sink }) {
            taps.append((sink, try await SinkTap(sink: sink.name, remote: remote)))
        }
        for entry in taps { await entry.tap.reset() }
    }

    var sinkCount: Int { taps.count }

    func listens(to sink: String) -> Bool { taps.contains { $0.sink.name == sink } }

    func label(of sink: String?) -> String { taps.first { $0.sink.name == sink }?.sink.label ?? sink ?? "nothing" }

    /// Waits until every existing sink has played this many more frames, and returns each tap's
    /// report.
    func waitForReports(frames: UInt64 = silence) async throws -> [(name: String, listening: Loss.Listening)] {
        for entry in taps where await entry.tap.isAttached {
            let heard = await entry.tap.report.frames
            do {
                try await entry.tap.waitUntilHeard(frames: heard + frames)
            } catch {
                // The sink was removed meanwhile.
                if await entry.tap.isAttached { throw error }
            }
        }
        var result: [(name: String, listening: Loss.Listening)] = []
        for entry in taps {
            let report = await entry.tap.report
            let listening = Loss.Listening(
                sink: entry.sink.label, frames: report.frames, loudFrames: report.loudFrames,
                lastLoudTime: report.lastLoudTime)
            result.append((entry.sink.name, listening))
        }
        return result
    }

    /// Starts the player, and waits until its sound reaches a sink.
    func play(on sink: String) async throws -> (asked: MonotonicTime, heard: MonotonicTime?) {
        guard let tap = tap(of: sink) else { throw ToolFailure.demo("Nothing listens to \(sink).") }
        await tap.reset()
        let time = MonotonicTime.now
        try await player.play()
        return (time, try await tap.waitUntilLoud().firstLoudTime)
    }

    func tap(of sink: String?) -> SinkTap? { taps.first { $0.sink.name == sink }?.tap }

    // MARK: The route

    /// Waits until the current route's output fulfills a condition.
    func waitForRoute(
        within limit: Duration = .seconds(10), until isRight: @escaping @Sendable (PortDescription) -> Bool
    ) async -> RouteChange? {
        let events = manager.events()
        let before = manager.currentRoute
        if let port = before.outputs.first, isRight(port) {
            return RouteChange(reason: .unknown, previous: before, current: before, time: .now)
        }
        let search = Task { () -> RouteChange? in
            for await event in events {
                if case .routeChanged(let change) = event, let port = change.current.outputs.first, isRight(port) {
                    return change
                }
            }
            return nil
        }
        let deadline = Task {
            try await Task.sleep(for: limit)
            search.cancel()
        }
        defer { deadline.cancel() }
        return await search.value
    }

    // MARK: The loss

    /// Plays for a second, removes the output, and measures until every sink's result is certain.
    ///
    /// - Parameters:
    ///   - title: the headline of the result.
    ///   - text: describes the cause.
    ///   - patience: the timeout for the loss.
    ///   - cause: removes the output. Returns the moment just before, or `nil` if a person does it.
    func lose(
        _ title: String, text: String, patience: Duration = .seconds(5),
        by cause: @Sendable () async throws -> MonotonicTime?
    ) async throws -> Loss {
        try await listen()
        guard let port = manager.currentRoute.outputs.first, let sink = port.nodeName, let tap = tap(of: sink) else {
            throw ToolFailure.demo("There is nothing to play to.")
        }
        let start = try await play(on: sink)
        try await tap.waitUntilHeard(frames: await tap.report.frames + UInt64(Melody.rate))
        let playing = await player.statistics
        let time = try await cause()
        let recorded = await journal.collect(within: patience) { LossNotes($0, since: start.asked).isComplete }
        let notes = LossNotes(recorded, since: start.asked)
        let heard = try await waitForReports()
        let statistics = await player.statistics
        return Loss(
            title: title, file: Melody.name, port: notes.lost?.name ?? port.name, playTime: start.asked,
            firstLoudTime: start.heard, event: time.map { Loss.Event(text: text, time: $0) },
            eventTime: statistics.eventTime, gateTime: statistics.gateTime, noisyTime: notes.noisyTime,
            pauseTime: notes.pauseTime, routeChange: notes.change, routeTime: notes.changeTime,
            quantum: playing.quantum, rate: playing.graphRate,
            isSinkLeft: await tap.isAttached,
            old: heard.first { $0.name == sink }?.listening ?? Loss.Listening(sink: sink, frames: 0, loudFrames: 0),
            others: heard.filter { $0.name != sink }.map(\.listening), endTime: .now)
    }
}

extension AudioPlayer.Statistics {
    /// The start of the callback that received the graph event for which the gate closed.
    fileprivate var eventTime: MonotonicTime? {
        guard let gateTime, let gateDelay else { return nil }
        return gateTime - gateDelay
    }
}

extension AudioSessionManager {
    fileprivate var demoSinks: [DemoStage.Sink] {
        graph.nodes.values.filter { $0.mediaClass == .sink }.compactMap { node in
            guard let name = node.name else { return nil }
            return DemoStage.Sink(name: name, label: node.properties[.nodeDescription] ?? name)
        }
        .sorted { $0.name < $1.name }
    }
}
