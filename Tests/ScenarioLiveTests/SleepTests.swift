import AudioSessionCore
import AudioSessionDesktop
import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import FoundationEssentials
import PipeWireGraph
import TestSupport
import Testing

private let soakRounds = ProcessInfo.processInfo.environment["AUDIOSESSIONS_SOAK_SLEEPS"].flatMap { Int($0) }

/// The output is lost while the computer sleeps, and nothing is heard on another one. `Scripts/soak
/// sleeps` does it more often.
@Suite(.liveAlone, .serialized, .timeLimit(.minutes(20))) struct SleepTests {
    @Test func nothingIsHeardElsewhereAfterASleepWithABus() async throws {
        try await checkAllOutputs(expectSilenceWithABus)
    }

    @Test func nothingIsHeardElsewhereAfterASleepWithoutABus() async throws {
        try await checkAllOutputs(expectSilenceWithoutABus)
    }

    /// The jack is first and alone, because cycles are counted at its sink. Then each output has
    /// its own PipeWire.
    private func checkAllOutputs(_ expectSilence: @escaping @Sendable (Returning) async throws -> Void) async throws {
        try await expectSilence(.jack)
        try await withThrowingTaskGroup { group in
            for output in [Returning.splitSinks, .usb, .bluetooth] {
                group.addTask { try await expectSilence(output) }
            }
            try await group.waitForAll()
        }
    }

    private func expectSilenceWithABus(_ output: Returning) async throws {
        let bus = try await PrivateBus()
        let logind = try await MockLogind(on: bus)
        var delays: [Duration] = []
        try await sleep(output, bus: bus) { stage, round in
            // This is refused without an inhibitor.
            try await logind.wait(forInhibitors: 1)
            let time = try await logind.announceSleep(begins: true)
            delays.append(try await logind.wait(forInhibitors: 0).since(time))
            await stage.resetTaps()
            stage.slept.withLock { $0 += .seconds(3600) }
            // PipeWire's events and logind's announcement arrive in either order.
            if round.isMultiple(of: 2) { try await output.lose(on: stage) }
            try await logind.announceSleep(begins: false)
            guard !round.isMultiple(of: 2) else { return nil }
            try await output.lose(on: stage)
            // The output may have been heard again between the two.
            return output.sink
        }
        delays.sort()
        let most = try #require(delays.last) / .milliseconds(1)
        print(
            "sleep: \(output.testDescription), with a bus, \(delays.count) times: silent after \(Int(most)) ms at most"
        )
        if soakRounds != nil { #expect(most <= 50, "the inhibitor was held for too long") }
    }

    private func expectSilenceWithoutABus(_ output: Returning) async throws {
        var count = 0
        try await sleep(output) { stage, _ in
            count += 1
            try await stage.clearHistory(whileLoudAt: output.sink)
            stage.slept.withLock { $0 += .seconds(3600) }
            try await output.lose(on: stage)
            return output.sink
        }
        print("sleep: \(output.testDescription), with clocks only, \(count) times")
    }

    /// Lets the computer sleep, and checks that nothing is heard elsewhere.
    ///
    /// - Parameters:
    ///   - bus: logind's; `nil`: only the clocks show a sleep.
    ///   - fallAsleep: begins and ends a sleep in which the output is lost, and returns the sink
    ///     that may have been heard meanwhile.
    private func sleep(
        _ output: Returning, bus: PrivateBus? = nil, _ fallAsleep: (Stage, Int) async throws -> String?
    ) async throws {
        try await output.withStage { stage in
            let inhibitor = try bus.map { bus in try SleepInhibitor(stage.manager) { bus.address } }
            for round in 0..<(soakRounds ?? 2) {
                try await stage.play(on: output.sink)
                try await stage.tapSinks(for: .milliseconds(150))
                await stage.clearHistory()
                let heardBefore = try await fallAsleep(stage, round)
                try await stage.log.wait(for: "the route change") { !$0.routeChanges.isEmpty }
                try await stage.tapSinks(for: .milliseconds(350))
                #expect(
                    stage.log.events.routeChanges.map(\.summary)
                        == ["wakeFromSleep: \(output.type.rawValue) -> builtInSpeaker"], "round \(round)")
                #expect(stage.log.events.losses.map(\.type) == [output.type])
                #expect(stage.player.state == .paused(reason: .routeLost))
                let heard = await stage.loudFrames()
                let elsewhere = heard.filter { $0.key != heardBefore }
                #expect(elsewhere == [:], "frames on another output, round \(round)")
                if heard[output.sink] != nil, output.sharesSink {
                    let late = try await stage.framesAfterGate(at: output.sink)
                    #expect(late <= 1024, "at most one cycle, but \(late) frames, round \(round)")
                }
                await stage.clearHistory()
                try await output.regain(on: stage)
                try await stage.managerLog.wait(for: "its return") {
                    $0.routeChanges.last?.current.isOn(output.type) ?? false
                }
                try await stage.tap(at: output.sink).wait(untilAttached: true)
            }
            await inhibitor?.close()
        }
    }

    /// The same output exists after the sleep, and the player continues without an event.
    @Test func aPlayerContinuesAfterASleepOnTheSameOutput() async throws {
        let bus = try await PrivateBus()
        let logind = try await MockLogind(on: bus)
        try await Returning.jack.withStage { stage in
            let inhibitor = try SleepInhibitor(stage.manager) { bus.address }
            try await stage.play(on: Sinks.analog)
            try await logind.wait(forInhibitors: 1)
            await stage.clearHistory()
            let position = stage.player.position
            try await logind.announceSleep(begins: true)
            try await logind.wait(forInhibitors: 0)
            try await stage.tapSinks(for: .milliseconds(100))
            await stage.resetTaps()
            try await stage.tapSinks(for: .milliseconds(300))
            #expect(await stage.loudFrames() == [:], "it sleeps")
            stage.slept.withLock { $0 += .seconds(3600) }
            try await logind.announceSleep(begins: false)
            try await stage.tap(at: Sinks.analog).waitUntilLoud()
            #expect(stage.log.events == [] && stage.player.state == .playing)
            #expect(stage.player.position > position, "it continues where it was")
            await inhibitor.close()
        }
    }
}
