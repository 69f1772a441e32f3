import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import FoundationEssentials
import PipeWireGraph
import TestSupport
import Testing

private let soakRuns = ProcessInfo.processInfo.environment["AUDIOSESSIONS_SOAK_RUNS"].flatMap { Int($0) } ?? 0

/// PipeWire and its session manager are killed repeatedly beneath a program that plays, and
/// managers open and close. `Scripts/soak` runs it.
@Suite(.liveAlone, .serialized, .enabled(if: soakRuns > 0), .timeLimit(.minutes(90)))
struct RestartSoakTests {
    @Test func restartsLeaveNothingBehind() async throws {
        try await Stage.with(.builtIn()) { stage in
            let remote = stage.pipeWire.remote
            let other = try await AudioSessionManager.connect(.init(remote: remote, applicationName: "Other"))
            let call = try AudioSession(
                manager: other, configuration: .init(.playAndRecord, mode: .voiceChat, group: "call"))
            let received = EventLog<AudioSession.Event>()
            let observation = stage.player.session.observe { if !$0.isSilenceChange { received.append($0.timeless) } }
            var returns: [Duration] = []
            var usage: [Usage] = []
            for round in 1...soakRuns {
                try await stage.player.play()
                received.clear()
                try await call.activate()
                try await received.wait(for: "the interruption") { $0.contains(.stateChanged(.interrupted)) }
                received.clear()
                await stage.pipeWire.killDaemon()
                try await received.wait(for: "the loss") { $0.contains(.mediaServicesLost(at: .never)) }
                let start = MonotonicTime.now
                let reset = Task {
                    try await received.wait(for: "the reset") { $0.contains(.mediaServicesReset(at: .never)) }
                    return MonotonicTime.now
                }
                try await stage.pipeWire.startDaemon()
                returns.append(try await reset.value.since(start))
                #expect(stage.player.session.state == .interrupted, "round \(round): \(received.events)")
                try await call.deactivate()
                try await received.wait(for: "the end") { $0.contains { $0.isEnd } }
                #expect(received.events.count { $0.isEnd } == 1)
                #expect(
                    received.events.count {
                        $0 == .mediaServicesLost(at: .never) || $0 == .mediaServicesReset(at: .never)
                    } == 2)
                if round * 10 % soakRuns < 10 { usage.append(try Usage.now()) }
            }
            let figures = [50, 99, 100].map { Int(returns.percentile($0) / .milliseconds(1)) }
            print(
                "soak: \(soakRuns) restarts of PipeWire: from its start to mediaServicesReset: "
                    + "p50 \(figures[0]), p99 \(figures[1]), max \(figures[2]) ms")
            print("soak: \(soakRuns) restarts of PipeWire: after each tenth: \(usage.map(\.description))")
            // PipeWire's own programs start and end meanwhile, with a pipe each.
            let (first, last) = try (#require(usage.first), #require(usage.suffix(5).map(\.files).min()))
            #expect(last <= first.files)
            observation.cancel()
            await other.close()
        }
    }

    @Test func killsOfTheSessionManagerLeaveNothingBehind() async throws {
        try await Stage.with(.builtIn()) { stage in
            let other = try await AudioSessionManager.connect(
                .init(remote: stage.pipeWire.remote, applicationName: "Other"))
            let call = try AudioSession(
                manager: other, configuration: .init(.playAndRecord, mode: .voiceChat, group: "call"))
            let received = EventLog<AudioSession.Event>()
            let observation = stage.player.session.observe { if !$0.isSilenceChange { received.append($0.timeless) } }
            let tap = try stage.tap(at: Sinks.analog)
            try await stage.play(on: Sinks.analog)
            var usage: [Usage] = []
            for round in 1...soakRuns {
                received.clear()
                await stage.clearHistory()
                try await stage.pipeWire.stopSessionManager(gracefully: false)
                // A real card lives in its session manager and is removed before another one
                // starts. This one is only notified: a removal after the return of the session
                // manager would be an unplug.
                try await tap.wait(untilAttached: false)
                try await stage.pipeWire.startSessionManager()
                try await stage.card.waitUntilTaken()
                try await tap.wait(untilAttached: true)
                await tap.reset()
                do { try await tap.waitUntilLoud() } catch {
                    try await Self.report(stage, round)
                    throw error
                }
                // The length of a cycle may differ, because the graph is new.
                let changes = received.events.filter { if case .hardwareFormatChanged = $0 { false } else { true } }
                #expect(changes.isEmpty && stage.log.events.states == [], "round \(round): \(changes)")
                try await call.activate()
                try await stage.log.wait(for: "the pause") { $0.states == [.paused(reason: .interrupted)] }
                try await call.deactivate()
                try await received.wait(for: "the end") { $0.contains { $0.isEnd } }
                try await stage.log.wait(for: "the music") { $0.states.last == .playing }
                // Each kill happens while there is sound.
                await tap.reset()
                try await tap.waitUntilLoud()
                #expect(
                    received.events.count { $0.isBegin } == 1 && received.events.count { $0.isEnd } == 1,
                    "round \(round)")
                #expect(stage.managerLog.events.losses == [] && stage.log.events.losses == [], "round \(round)")
                if round * 10 % soakRuns < 10 { usage.append(try Usage.now()) }
            }
            print("soak: \(soakRuns) kills of the session manager: after each tenth: \(usage.map(\.description))")
            let (first, last) = try (#require(usage.first), #require(usage.suffix(5).map(\.files).min()))
            #expect(last <= first.files)
            observation.cancel()
            await other.close()
        }
    }

    /// What PipeWire and the player report about an unexpected silence.
    private static func report(_ stage: Stage, _ round: Int) async throws {
        print(
            "soak: round \(round): the player is \(stage.player.state), its session \(stage.player.session.silenceReasons)"
        )
        print("soak: received", stage.log.events, stage.managerLog.events)
        for (program, arguments) in [("wpctl", ["status"]), ("pw-link", ["-l"]), ("pw-cli", ["ls", "Node"])] {
            print(try await stage.pipeWire.run(program, arguments).output)
        }
    }

    @Test func openingAndClosingManagersLeavesNothingBehind() async throws {
        let pipeWire = try await PrivatePipeWire()
        let count = soakRuns * 100
        var usage: [Usage] = []
        for round in 1...count {
            let manager = try await AudioSessionManager.connect(
                .init(remote: pipeWire.remote, applicationName: "Visitor"))
            let session = try AudioSession(manager: manager, configuration: .init(.playback, group: "visitor"))
            try await session.activate()
            // Every other one is closed with its session active.
            if round.isMultiple(of: 2) { try await session.deactivate() }
            await manager.close()
            if round * 10 % count < 10 { usage.append(try Usage.now()) }
        }
        print("soak: \(count) managers opened and closed: after each tenth: \(usage.map(\.description))")
        let first = try #require(usage.first)
        let last = try await Usage.settled(to: first)
        #expect(last.files <= first.files && last.threads <= first.threads)
        #expect(last.kibibytes <= first.kibibytes + 2048, "\(usage)")
        await pipeWire.stop()
    }
}

extension AudioSession.Event {
    fileprivate var isBegin: Bool { if case .interruptionBegan = self { true } else { false } }
    fileprivate var isEnd: Bool { if case .interruptionEnded = self { true } else { false } }
}
