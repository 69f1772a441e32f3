import Foundation
import TestSupport
import Testing

@testable import AudioSessionTestKit

/// A program that plays, controlled by a desktop with systemd's `busctl`.
@Suite(.live, .serialized, .timeLimit(.minutes(10))) struct NowPlayingRunTests {
    private static let busctl = "/usr/bin/busctl"

    @Test(.enabled(if: FileManager.default.fileExists(atPath: busctl), "needs busctl"))
    func mediaKeysControlTheProgramAlsoWhileItIsInterrupted() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let bus = try await PrivateBus()
        let music = try LiveTool(
            "run", "--remote", pipeWire.remote, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        _ = try await music.event("ready")
        for command in ["category playback", "auto on", "play tone"] {
            #expect(try await music.reply(to: command)["ok"] as? Bool == true)
        }
        let desktop = Desktop(pipeWire: pipeWire, bus: bus, process: music.processIdentifier)
        try await desktop.wait(for: "PlaybackStatus", "Playing")
        try await desktop.command("Pause")
        try await desktop.wait(for: "PlaybackStatus", "Paused")
        #expect(try await music.isPlaying == false)
        try await desktop.command("PlayPause")
        try await desktop.wait(for: "PlaybackStatus", "Playing")
        try await desktop.command("Next")
        try await desktop.wait(for: "Metadata", "/org/AudioSessions/track/1")
        try await desktop.command("Seek", "x", "20000000")
        #expect(try await desktop.position >= 20_000_000)

        let call = try await LiveTool.session(pipeWire, "category playAndRecord mode=voiceChat", "activate")
        _ = try await music.event("interruptionBegan")
        try await desktop.command("Pause")
        // The reply confirms the receipt of a command only. A later command begins after it.
        try await desktop.command("Seek", "x", "20000000")
        try await waitUntil("the program has obeyed") { try await desktop.position >= 40_000_000 }
        _ = try await call.reply(to: "deactivate")
        #expect(try await music.event("interruptionEnded")["shouldResume"] as? Bool == true)
        #expect(try await music.isPlaying == false, "its user has paused it")

        _ = try await music.reply(to: "play")
        _ = try await call.reply(to: "activate")
        _ = try await music.event("interruptionBegan")
        for command in ["Pause", "Play"] { try await desktop.command(command) }
        #expect(try await music.isPlaying == false, "not before the call is over")
        _ = try await call.reply(to: "deactivate")
        try await desktop.wait(for: "PlaybackStatus", "Playing")
        await bus.stop()
        await card.close()
        await pipeWire.stop()
    }

    private struct Desktop {
        let pipeWire: PrivatePipeWire
        let bus: PrivateBus
        let process: Int32

        private var player: [String] {
            ["org.mpris.MediaPlayer2.audiosession.instance\(process)", "/org/mpris/MediaPlayer2"]
        }

        /// Returns when the call is answered.
        func command(_ member: String, _ arguments: String...) async throws {
            let result = try await busctl(["call"] + player + ["org.mpris.MediaPlayer2.Player", member] + arguments)
            try #require(result.status == 0, "\(result.output)")
        }

        func property(_ name: String) async throws -> String {
            let words = ["get-property"] + player + ["org.mpris.MediaPlayer2.Player", name]
            return try await busctl(words).output.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        /// The playback position in microseconds.
        var position: Int {
            get async throws {
                try #require(try await property("Position").split(separator: " ").last.flatMap { Int($0) })
            }
        }

        func wait(for name: String, _ value: String) async throws {
            var found = ""
            try await waitUntil("\(name) is \(value), not \(found)") {
                found = try await property(name)
                return found.contains("\"\(value)\"")
            }
        }

        private func busctl(_ words: [String]) async throws -> PrivatePipeWire.ProgramResult {
            try await pipeWire.run(NowPlayingRunTests.busctl, ["--address=" + bus.address] + words)
        }
    }
}

extension LiveTool {
    fileprivate var isPlaying: Bool? { get async throws { try await reply(to: "state")["playing"] as? Bool } }
}
