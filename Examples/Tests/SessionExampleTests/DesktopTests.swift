import AudioSessionTestKit
import ExampleTestSupport
import Foundation
import Testing

/// The built player as a desktop sees and controls it: by media keys and widgets.
@Suite(
    .serialized, .timeLimit(.minutes(10)), .enabled(if: SessionBus.isAvailable, "needs dbus-daemon and busctl"))
struct DesktopTests {
    private static let sink = "alsa_output.pci-virtual_0.analog-stereo"

    private struct Scene {
        let pipeWire: PrivatePipeWire
        let music: ProgramRun
        let desktop: SessionBus.Player
    }

    /// A player with two files of a minute, of which the first plays.
    private func withMusic(_ body: (Scene) async throws -> Void) async throws {
        let pipeWire = try await PrivatePipeWire()
        let bus = try SessionBus()
        do {
            let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
            let folder = try Folder()
            _ = try folder.tone(seconds: 60, as: "1 tide.wav")
            _ = try folder.tone(seconds: 60, as: "2 stairs.wav")
            let variables = ["DBUS_SESSION_BUS_ADDRESS": bus.address]
            let music = try ProgramRun(
                "music-player", [folder.path], environment: pipeWire.environment.merging(variables) { $1 })
            try await music.line("▶ 01 1 tide.wav")
            let desktop = bus.player("music_player", process: music.processID)
            try await desktop.wait(for: "PlaybackStatus", "Playing")
            try await body(Scene(pipeWire: pipeWire, music: music, desktop: desktop))
            try music.press("q")
            #expect(try await music.end().status == 0)
            await card.close()
        } catch {
            await pipeWire.stop()
            throw error
        }
        bus.stop()
        await pipeWire.stop()
    }

    @Test func mediaKeysAndWidgetsControlThePlayer() async throws {
        try await withMusic { scene in
            let (music, desktop) = (scene.music, scene.desktop)
            let tap = try await SinkTap(sink: Self.sink, remote: scene.pipeWire.remote)
            try await tap.waitUntilLoud()
            let loud = try await tap.waitUntilHeard(frames: 9_600).peak
            let first = try desktop.property("Metadata")
            #expect(first.contains("\"mpris:length\" x 60000000") && first.contains("1%20tide.wav"), "\(first)")
            #expect(first.contains("\"xesam:title\" s \"1 tide.wav\""), "\(first)")
            #expect(try desktop.property("CanGoNext") == "b true\n")

            try desktop.command("Pause")
            try await music.line("paused")
            try await desktop.wait(for: "PlaybackStatus", "Paused")
            await tap.reset()
            try await tap.waitUntilHeard(frames: 9_600)
            #expect(await tap.report.loudFrames < 4_800, "what was under way at most")
            try desktop.command("PlayPause")
            try await music.line("▶ 01 1 tide.wav")
            try desktop.command("Next")
            try await music.line("▶ 02 2 stairs.wav")
            try await desktop.wait(for: "Metadata", "2%20stairs.wav")
            #expect(try desktop.property("CanGoNext") == "b false\n")
            try desktop.command("Seek", "x", "20000000")
            try await music.line("went to 0:2")
            let position = try desktop.property("Position").split(whereSeparator: \.isWhitespace).last
            #expect(try #require(position.flatMap { Int($0) }) >= 20_000_000)
            try desktop.command("Previous")
            try await music.line("▶ 01 1 tide.wav")

            try desktop.set("Volume", "d", "0.5")
            try await desktop.wait(for: "Volume", "d 0.5")
            let deadline = ContinuousClock.now + .seconds(20)
            var peak: Float
            repeat {
                await tap.reset()
                peak = try await tap.waitUntilHeard(frames: 2_400).peak
                try #require(.now < deadline, "as loud as \(peak), which was \(loud)")
            } while peak > 0.6 * loud || peak < 0.01
            await tap.close()
        }
    }

    /// The last command during a call is executed after it.
    @Test func commandsDuringACallApplyAfterIt() async throws {
        try await withMusic { scene in
            let (music, desktop) = (scene.music, scene.desktop)
            for wish in ["Pause", "Play"] {
                let call = try ProgramRun(
                    "voice-call", ["--answer-after", "0", "--seconds", "60"], environment: scene.pipeWire.environment)
                try await call.line("talking")
                try await music.line("interrupted by voice-call")
                try await desktop.wait(for: "PlaybackStatus", "Paused")
                if wish == "Play" { try desktop.command("Pause") }
                try desktop.command(wish)
                #expect(try desktop.property("PlaybackStatus") == "s \"Paused\"\n", "not before the call is done")
                try call.press("\n")
                #expect(try await call.end().status == 0)
                try await music.line("voice-call is done")
                if wish == "Play" {
                    try await music.line("▶ 01 1 tide.wav")
                    try await desktop.wait(for: "PlaybackStatus", "Playing")
                } else {
                    // If it had resumed by itself, it would have printed that before.
                    try desktop.command("Seek", "x", "5000000")
                    try await music.line("went to 0:")
                    let since = music.seen.drop { !$0.hasPrefix("voice-call is done") }
                    #expect(!since.contains { $0.hasPrefix("▶") }, "\(since)")
                    try desktop.command("Play")
                    try await music.line("▶ 01 1 tide.wav")
                }
            }
        }
    }
}
