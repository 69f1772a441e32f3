import AudioSessionCore
import AudioSessions
import Foundation
import MediaPlayers
import TestSupport
import Testing

@testable import AudioSessionTestKit
@testable import AudioSessionTool

private let soakRounds = ProcessInfo.processInfo.environment["AUDIOSESSIONS_SOAK_WITH"].flatMap { Int($0) }

/// `audiosession with` is killed at moments spread over its life. The volumes of all others are as
/// before, and their players play.
///
/// `Scripts/soak with` does it more often.
@Suite(.live, .serialized, .timeLimit(.minutes(120))) struct WithKillTests {
    enum Player: String, CaseIterable {
        case pwPlay = "pw-play"
        case paplay
        case mpv = "mpv (MPRIS)"
        case session = "audiosession run"

        static let plugin = "/usr/lib/mpv-mpris/mpris.so"
        static let pulse = ["/usr/bin/pipewire-pulse", "/usr/bin/paplay"]

        var isAvailable: Bool {
            switch self {
            case .pwPlay, .session: true
            case .paplay: Self.pulse.allSatisfy { FileManager.default.fileExists(atPath: $0) }
            case .mpv: ["/usr/bin/mpv", Self.plugin].allSatisfy { FileManager.default.fileExists(atPath: $0) }
            }
        }
    }

    @Test(arguments: ["--pause", "--duck"], Player.allCases.filter(\.isAvailable))
    func aKillAtAnyMomentRestoresAllOthers(option: String, player: Player) async throws {
        try await LoudStage.with { stage in
            let playing = try await Playing(player, on: stage)
            try await stage.wait(for: LoudStage.loud)
            var times: [Duration] = []
            let rounds = soakRounds ?? 3
            for round in 0..<rounds {
                let tool = try await stage.tool("with", option, "--", "cat")
                // The delay is the subject of the test: from before the first connection to long
                // after the others are silent, in steps that each run repeats.
                try await Task.sleep(for: .milliseconds(300) * round / max(1, rounds - 1))
                tool.signal(SIGKILL)
                let killed = ContinuousClock.now
                await tool.process.exited()
                try tool.endInput()
                try await playing.waitUntilLoud()
                times.append(ContinuousClock.now - killed)
            }
            let most = Int((times.max() ?? .zero) / .milliseconds(1))
            print("with: killed \(times.count) times, \(option), \(player.rawValue): back after \(most) ms at most")
            // The limit of time is for `Scripts/soak`.
            if soakRounds != nil { #expect(times.allSatisfy { $0 < .seconds(2) }, "\(times)") }
            await playing.end()
        }
    }

    @Test func othersAreSilentSoonAfterTheActivation() async throws {
        try await LoudStage.with { stage in
            let player = try await stage.play()
            var times: [Double] = []
            for _ in 0..<(soakRounds ?? 3) {
                try await stage.wait(for: LoudStage.loud)
                await stage.tap.reset()
                let tool = try await stage.tool("with", "--json", "--", "cat")
                let line = try await tool.errorLine(with: "\"state\":\"active\"")
                try await stage.wait(forSilenceSince: line, in: &times)
                try tool.endInput()
                await tool.expectEnd()
            }
            let middle = times.sorted()[times.count / 2]
            print("with: silence of others, \(times.count) times: \(Int(middle)) ms after the activation, p50")
            if soakRounds != nil { #expect(middle < 50) }
            player.signal(SIGKILL)
        }
    }

    /// A player of music.
    private struct Playing {
        private let stage: LoudStage
        private let processes: [ChildProcess]
        private let session: LiveTool?

        init(_ player: Player, on stage: LoudStage) async throws {
            self.stage = stage
            let bus = ["DBUS_SESSION_BUS_ADDRESS": stage.bus.address]
            switch player {
            case .pwPlay:
                processes = [try await stage.play()]
                session = nil
            case .paplay:
                let folder = stage.pipeWire.directory + "/pulse"
                let daemon = try await stage.pipeWire.launch(
                    Player.pulse[0],
                    variables: ["PIPEWIRE_CONFIG_DIR": "/usr/share/pipewire", "PULSE_RUNTIME_PATH": folder])
                try await waitUntil("the socket of pipewire-pulse") {
                    FileManager.default.fileExists(atPath: folder + "/native")
                }
                let client = try await stage.pipeWire.launch(
                    Player.pulse[1], [stage.file()], variables: ["PULSE_SERVER": "unix:\(folder)/native"])
                processes = [client, daemon]
                session = nil
            case .mpv:
                let mpv = try await stage.pipeWire.launch(
                    "/usr/bin/mpv",
                    [
                        "--no-config", "--no-video", "--no-terminal", "--ao=pipewire", "--script=\(Player.plugin)",
                        stage.file(),
                    ], variables: bus)
                processes = [mpv]
                session = nil
            case .session:
                session = try await LiveTool.session(
                    stage.pipeWire, "category playback", "auto on", "play \(stage.file())")
                processes = []
            }
        }

        func waitUntilLoud() async throws { try await stage.wait(for: LoudStage.loud) }

        func end() async {
            session?.signal(SIGKILL)
            for process in processes {
                process.signal(SIGKILL)
                await process.exited()
            }
        }
    }
}

extension LoudStage {
    /// Waits for silence, and appends the time of each other program.
    /// - Parameters:
    ///   - event: a line with the time of the activation.
    ///   - times: in milliseconds, from that to the last frame that was heard.
    fileprivate func wait(forSilenceSince event: String, in times: inout [Double]) async throws {
        let object = try JSONSerialization.jsonObject(with: Data(event.utf8)) as? [String: Any]
        let active = try #require(object?["t"] as? Int64)
        var report = await tap.report
        try await waitUntil("silence") {
            let before = report
            report = try await tap.waitUntilHeard(frames: before.frames + 4800)
            return report.lastLoudTime == before.lastLoudTime
        }
        let last = try #require(report.lastLoudTime)
        times.append((Double(last.nanoseconds) - Double(active)) / 1e6)
    }
}
