import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

/// Compares the times that a player reports with the sound that a sink receives, on a real graph.
@Suite(.liveAlone, .serialized, .timeLimit(.minutes(10))) struct HeardPlayerTests {
    /// A frame is played in the cycle in which the player delivered it, not in the next one.
    @Test(arguments: [nil, 128, 4096]) func theReportedTimeIsThatOfTheLastCycleWithSound(quantum: Int?) async throws {
        var options = PrivatePipeWire.Options()
        options.quantum = quantum
        let pipeWire = try await PrivatePipeWire(options)
        do {
            let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
            let tap = try await SinkTap(
                sink: "alsa_output.pci-virtual_0.analog-stereo", remote: pipeWire.remote, threshold: 0)
            let scratch = try Scratch()
            let file = try scratch.sound([Float](repeating: 0.25, count: 2 * 30_001), as: "step.wav")
            let manager = try await AudioSessionManager.connect(.init(remote: pipeWire.remote))
            let player = AudioPlayer(manager: manager)
            try await player.load([file])
            let events = player.events()
            try await player.play()
            for await event in events where event.timeless == .finished(at: .never) { break }
            try await tap.waitUntilHeard(frames: await tap.report.frames + 10_000)
            let report = await tap.report
            let statistics = await player.statistics
            // A computer that is too slow for a cycle loses it whole.
            #expect(report.loudFrames > 0 && report.loudFrames <= 30_001)
            let last = try #require(report.lastLoudTime)
            let cycle = try #require(statistics.lastSoundTime)
            let length = Duration.seconds(1) * statistics.quantum / statistics.graphRate
            #expect(last.since(cycle) < length, "\(last) is later than \(length) from \(cycle)")
            await player.close()
            await card.close()
        } catch {
            await pipeWire.stop()
            throw error
        }
        await pipeWire.stop()
    }
}
