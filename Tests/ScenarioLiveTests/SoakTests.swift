import AudioSessionCore
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import FoundationEssentials
import PipeWireGraph
import TestSupport
import Testing

private let soakRuns = ProcessInfo.processInfo.environment["AUDIOSESSIONS_SOAK_RUNS"].flatMap { Int($0) } ?? 0

/// A computer on which outputs are lost.
struct SoakSetting: Sendable, CustomTestStringConvertible {
    let quantum: Int
    let busyLoops: Int

    static let all: [SoakSetting] = [
        SoakSetting(quantum: 1024, busyLoops: 0), SoakSetting(quantum: 128, busyLoops: 0),
        SoakSetting(quantum: 1024, busyLoops: 4),
    ]

    var testDescription: String {
        "quantum \(quantum)" + (busyLoops > 0 ? ", \(busyLoops) busy loops beside" : "")
    }
}

/// Two losses repeatedly on one computer, without one frame on a wrong sink. `Scripts/soak` runs
/// it.
@Suite(.liveAlone, .serialized, .enabled(if: soakRuns > 0))
struct SoakTests {
    @Test(arguments: SoakSetting.all) func nothingIsHeardElsewhere(_ setting: SoakSetting) async throws {
        try await Stage.with(.builtIn(), .usb(), quantum: setting.quantum) { stage in
            for _ in 0..<setting.busyLoops { stage.keepBusy() }
            var figures = SoakFigures()
            try await stage.play(on: Sinks.usb)
            for _ in 0..<soakRuns {
                try await stage.pullHeadset(&figures)
                try await stage.play(on: Sinks.analog)
                try await stage.pullHeadphones(&figures)
                try await stage.play(on: Sinks.analog)
                try await stage.returnHeadset()
            }
            print(figures.summary(of: setting))
            #expect(figures.leakedFrames.count == soakRuns)
            #expect(figures.leakedFrames.allSatisfy { $0 == 0 })
            #expect(figures.lateFrames.count == soakRuns)
            #expect(figures.lateFrames.allSatisfy { $0 <= setting.quantum })
            // One in a hundred is left to the scheduler, which may interrupt.
            #expect(figures.removalDelays.percentile(99) < SoakFigures.removalDelayLimit)
        }
    }
}

extension Stage {
    /// A process that loops at full speed until the stage is removed.
    fileprivate func keepBusy() {
        Task { _ = try? await pipeWire.run("/bin/sh", ["-c", "while :; do :; done"]) }
    }

    /// Everything that is heard at another sink has leaked.
    fileprivate func pullHeadset(_ figures: inout SoakFigures) async throws {
        await clearHistory()
        let delay = try await expectLoss(at: try await cards[1].remove(), &figures)
        figures.removalDelays.append(delay)
        let heard = await loudFrames().filter { $0.key != Sinks.usb }
        figures.leakedFrames.append(Int(heard.values.reduce(0, +)))
    }

    /// The sink stays, so a late frame is heard on the speaker.
    fileprivate func pullHeadphones(_ figures: inout SoakFigures) async throws {
        await clearHistory()
        try await card.plug("headphones")
        try await log.wait(for: "the headphones") { $0.routeChanges.last?.current.isOn(.headphones) == true }
        try await tapSinks(for: Self.longerThanABounce)
        try await clearHistory(whileLoudAt: Sinks.analog)
        let delay = try await expectLoss(at: try await card.unplug("headphones"), &figures)
        figures.jackDelays.append(delay)
        figures.lateFrames.append(try await framesAfterGate(at: Sinks.analog))
    }

    fileprivate func returnHeadset() async throws {
        await clearHistory()
        try await cards[1].add()
        try await log.wait(for: "the headset") { $0.routeChanges.last?.current.isOn(.usbAudio) == true }
        try await tap(at: Sinks.usb).waitUntilLoud()
        try await tapSinks(for: Self.longerThanABounce)
    }

    /// Measures the time from PipeWire's callback to the closed gate.
    private func expectLoss(at time: MonotonicTime, _ figures: inout SoakFigures) async throws -> Duration {
        try await log.wait(for: "the loss") { !$0.routeChanges.isEmpty }
        try await managerLog.wait(for: "the computer's loss") { !$0.routeChanges.isEmpty }
        try await tapSinks(for: .milliseconds(100))
        #expect(player.state == .paused(reason: .routeLost))
        #expect(log.events.losses.count == 1)
        let statistics = await player.statistics
        let gate = try #require(statistics.gateTime)
        #expect(gate > time)
        figures.gateLatencies.append(gate.since(time))
        return try #require(statistics.gateDelay)
    }

    /// An output that is removed within half a second of its appearance counts as bouncing.
    private static let longerThanABounce = Duration.milliseconds(600)
}
