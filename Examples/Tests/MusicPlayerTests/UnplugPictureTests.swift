import AudioSessionTestKit
import ExampleTestSupport
import Foundation
import Testing

/// The headphones are pulled while the terminal is visible. `Scripts/picture` draws README's
/// picture from this output.
@Suite(.timeLimit(.minutes(10))) struct UnplugPictureTests {
    @Test func theScreenNamesTheReasonForSilence() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        try await card.plug("headphones")
        try await card.wait(for: "sound on the headphones") { $0.nodes.contains { $0.port == "headphones" } }
        let folder = try Folder()
        let songs = [("Slow Tide", 209), ("Glass Stairs", 156), ("Lanterns", 265), ("Night Train", 203)]
        for (number, song) in songs.enumerated() {
            try folder.song(song.0, by: "The Harbour", seconds: song.1, as: "\(number + 1).wav")
        }
        // The output has colors, whatever the test's own environment selects.
        let environment = pipeWire.environment.merging(["NO_COLOR": ""]) { $1 }
        let run = try ScreenRun(
            "music-player", ["--volume", "80", folder.path], environment: environment, columns: 68, rows: 9)
        try await run.see("playing on Headphones")
        run.press("n")
        try await run.see("The Harbour – Glass Stairs")
        for _ in 0..<9 { run.press("\u{1B}[C") }
        try await run.see("went to 0:4")
        run.press(" ")
        try await run.see("paused")
        run.press(" ")
        try await run.see("▶ ", "playing on Headphones")
        try keep(run.written, as: "before")
        try await card.unplug("headphones")
        try await run.see("‖ ", "🔈 Speakers", "headphones unplugged: paused", "space plays on Speakers")
        try keep(run.written, as: "after")
        run.press("q")
        #expect(run.end() == 0)
        await card.close()
        await pipeWire.stop()
    }

    private func keep(_ bytes: [UInt8], as name: String) throws {
        guard let folder = ProcessInfo.processInfo.environment["AUDIOSESSIONS_PICTURE"] else { return }
        try Data(bytes).write(to: URL(filePath: folder).appending(path: name))
    }
}
