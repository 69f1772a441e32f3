import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import FoundationEssentials
import PipeWireGraph
import Testing

private let soakRuns = ProcessInfo.processInfo.environment["AUDIOSESSIONS_SOAK_RUNS"].flatMap { Int($0) } ?? 0

/// PipeWire is killed over and over beneath a program that plays. `Scripts/soak` runs it.
@Suite(.serialized, .enabled(if: soakRuns > 0), .timeLimit(.minutes(30)))
struct RestartSoakTests {
    @Test func restartsLeaveNothingBehind() async throws {
        try await Stage.with(.builtIn()) { stage in
            let remote = stage.pipeWire.remote
            let other = try await AudioSessionManager.connect(.init(remote: remote, applicationName: "Other"))
            let call = try AudioSession(
                manager: other, configuration: .init(.playAndRecord, mode: .voiceChat, group: "call"))
            let told = EventLog<AudioSession.Event>()
            let observation = stage.player.session.observe { told.append($0) }
            var returns: [Duration] = []
            var usage: [Usage] = []
            for round in 1...soakRuns {
                try await stage.player.play()
                told.clear()
                try await call.activate()
                try await told.wait(for: "the interruption") { $0.contains(.stateChanged(.interrupted)) }
                told.clear()
                await stage.pipeWire.killDaemon()
                try await told.wait(for: "the loss") { $0.contains(.mediaServicesLost) }
                let start = MonotonicTime.now
                let reset = Task {
                    try await told.wait(for: "the reset") { $0.contains(.mediaServicesReset) }
                    return MonotonicTime.now
                }
                try await stage.pipeWire.startDaemon()
                returns.append(try await reset.value.since(start))
                #expect(stage.player.session.state == .interrupted, "round \(round): \(told.events)")
                try await call.deactivate()
                try await told.wait(for: "the end") { $0.contains { $0.isEnd } }
                #expect(told.events.count { $0.isEnd } == 1)
                #expect(told.events.count { $0 == .mediaServicesLost || $0 == .mediaServicesReset } == 2)
                if round * 10 % soakRuns < 10 { usage.append(try Usage.now()) }
            }
            let figures = [50, 99, 100].map { Int(returns.percentile($0) / .milliseconds(1)) }
            print(
                "soak: \(soakRuns) restarts of PipeWire: from its start to mediaServicesReset: "
                    + "p50 \(figures[0]), p99 \(figures[1]), max \(figures[2]) ms")
            print("soak: \(soakRuns) restarts of PipeWire: after each tenth: \(usage.map(\.description))")
            // PipeWire's own programs come and go meanwhile, with a pipe each.
            let (first, last) = try (#require(usage.first), #require(usage.suffix(5).map(\.files).min()))
            #expect(last <= first.files)
            observation.cancel()
            await other.close()
        }
    }
}

/// What this process holds.
private struct Usage: CustomStringConvertible {
    var files: Int
    var kibibytes: Int

    static func now() throws -> Usage {
        let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        let status = try String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("Private_Dirty:") }
        return Usage(files: files, kibibytes: line?.split(separator: " ").compactMap { Int($0) }.first ?? 0)
    }

    var description: String { "\(files) files, \(kibibytes) KiB" }
}

extension AudioSession.Event {
    fileprivate var isEnd: Bool { if case .interruptionEnded = self { true } else { false } }
}
