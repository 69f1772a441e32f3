import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessionTool
import AudioSessions

/// The effects of another program's session, as read from a session's events.
struct TurnNotes: Sendable {
    var beginTime: MonotonicTime?
    var cause: AudioSession.Peer?
    var endTime: MonotonicTime?
    var shouldResume: Bool?
    var duckTime: MonotonicTime?
    var gain: Float?
    var duckCause: AudioSession.Peer?

    /// Extracts the events that belong to one interruption.
    ///
    /// - Parameters:
    ///   - notes: the recorded events.
    ///   - start: the start of the measurement; earlier events are ignored.
    init(_ notes: [DemoJournal<AudioSession.Event>.Note], since start: MonotonicTime) {
        for note in notes where note.time >= start {
            switch note.event {
            case .interruptionBegan(_, let by, _) where beginTime == nil:
                beginTime = note.time
                cause = by
            case .interruptionEnded(let options, _) where endTime == nil:
                endTime = note.time
                shouldResume = options.contains(.shouldResume)
            case .ducking(let gain, let by, _) where duckTime == nil:
                duckTime = note.time
                self.gain = gain
                duckCause = by.first
            default: break
            }
        }
    }
}

extension DemoStage {
    private static let patience = Duration.seconds(5)
    /// A number of frames within which any ramp ends, plus three cycles of the largest quantum.
    private static let ramp: UInt64 = 28_000
    /// A number of frames that contains every note of the melody, wherever it begins.
    private static let everyNote = UInt64(Melody.period) + 8_192

    private func currentTap() throws -> (sink: String, tap: SinkTap) {
        guard let sink = manager.currentRoute.outputs.first?.nodeName, let tap = tap(of: sink) else {
            throw ToolFailure.demo("There is nothing to play to.")
        }
        return (label(of: sink), tap)
    }

    private func simulate(_ tool: String, _ arguments: String...) throws -> SecondProgram {
        try SecondProgram(tool, arguments + ["--json"] + (remote.map { ["--remote", $0] } ?? []))
    }

    private func notes(
        since start: MonotonicTime, until isComplete: @escaping @Sendable (TurnNotes) -> Bool
    ) async -> TurnNotes {
        let notes = await sessionJournal.collect(within: Self.patience) { isComplete(TurnNotes($0, since: start)) }
        return TurnNotes(notes, since: start)
    }

    /// The time at which the player reached this state after `start`.
    private func time(of state: AudioPlayer.State, since start: MonotonicTime) async -> MonotonicTime? {
        await journal.collect(within: Self.patience) { $0.last.map { $0.is(state, since: start) } ?? false }
            .first { $0.is(state, since: start) }?.time
    }

    // MARK: Interruption by another program

    /// Lets another program ring and talk while the music plays, and measures the sinks meanwhile.
    ///
    /// - Parameters:
    ///   - title: the headline of the result.
    ///   - tool: the path of the other program.
    ///   - text: describes how the call ends.
    ///   - end: ends the call and returns the moment just before.
    func giveWay(
        _ title: String, to tool: String, until text: String,
        _ end: @Sendable (SecondProgram) async throws -> MonotonicTime
    ) async throws -> Interruption {
        try await listen()
        let (sink, tap) = try currentTap()
        try await tap.waitUntilLoud()
        let playing = await player.statistics
        let caller = try simulate(tool, "call", "--ringing", "0.5", "--seconds", "3600")
        let ringing = try await caller.wait(for: "ringing")
        let began = await notes(since: ringing.askedTime) { $0.beginTime != nil }
        let pauseTime = await time(of: .paused(reason: .interrupted), since: ringing.askedTime)
        let gateTime = await player.statistics.gateTime
        _ = try await waitForReports()
        let last = await tap.report.lastLoudTime
        await tap.reset()
        _ = try await caller.wait(for: "active")
        _ = try await waitForReports()
        let silence = await tap.report
        await tap.reset()
        let endTime = try await end(caller)
        let ended = await notes(since: endTime) { $0.endTime != nil }
        let playTime = ended.shouldResume == true ? await time(of: .playing, since: endTime) : nil
        let first = try? await tap.waitUntilLoud(within: Self.patience).firstLoudTime
        return Interruption(
            title: title, processID: Int(caller.processID),
            begin: Loss.Event(text: "it rings, and activates its session", time: ringing.askedTime),
            grantTime: ringing.time, notifiedTime: began.beginTime, cause: began.cause, gateTime: gateTime,
            pauseTime: pauseTime, quantum: playing.quantum, rate: playing.graphRate, lastLoudTime: last,
            during: Loss.Listening(sink: sink, frames: silence.frames, loudFrames: silence.loudFrames),
            end: Loss.Event(text: text, time: endTime), endNotifiedTime: ended.endTime,
            shouldResume: ended.shouldResume,
            playTime: playTime, firstLoudTime: first)
    }

    /// Lets another program speak while the music is ducked, and measures its level.
    func beDucked(_ title: String, by tool: String) async throws -> Ducking {
        try await listen()
        let (sink, tap) = try currentTap()
        let before = try await peak(of: tap)
        let loud = try await SinkTap(
            sink: tap.sink, remote: remote, threshold: Decibels.amplitude(Double(Ducking.ducked), of: before))
        let full = try await SinkTap(
            sink: tap.sink, remote: remote, threshold: Decibels.amplitude(Double(Ducking.restored), of: before))
        try await full.waitUntilLoud()
        try await loud.waitUntilLoud()
        let speaker = try simulate(tool, "prompt", "--seconds", "3600")
        let speaking = try await speaker.wait(for: "speaking")
        let ducked = await notes(since: speaking.askedTime) { $0.gain != nil }
        _ = try await waitForReports(frames: Self.ramp)
        let lastLouder = await loud.report.lastLoudTime
        await tap.reset()
        let meanwhile = try await peak(of: tap)
        let isPlaying = player.state == .playing
        await full.reset()
        let silent = try await speaker.leave()
        let restored = await notes(since: silent.askedTime) { $0.gain == 1 }
        let firstLouder = try? await full.waitUntilLoud(within: Self.patience).firstLoudTime
        _ = try await waitForReports(frames: Self.ramp)
        await tap.reset()
        let after = try await peak(of: tap)
        await loud.close()
        await full.close()
        return Ducking(
            title: title, processID: Int(speaker.processID),
            begin: Loss.Event(text: "it activates its session, to speak above the music", time: speaking.askedTime),
            notifiedTime: ducked.duckTime, gain: ducked.gain, cause: ducked.duckCause, lastLouderTime: lastLouder,
            end: Loss.Event(text: "it has spoken", time: silent.askedTime), endNotifiedTime: restored.duckTime,
            firstLouderTime: firstLouder, before: before, meanwhile: meanwhile, after: after,
            playedOn: isPlaying && player.state == .playing, sink: sink)
    }

    private func peak(of tap: SinkTap) async throws -> Float {
        _ = try await waitForReports(frames: Self.everyNote)
        return await tap.report.peak
    }
}

extension DemoJournal<AudioPlayer.Event>.Note {
    fileprivate func `is`(_ state: AudioPlayer.State, since start: MonotonicTime) -> Bool {
        if time >= start, case .stateChanged(state, _) = event { true } else { false }
    }
}
