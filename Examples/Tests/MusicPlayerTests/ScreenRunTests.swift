import AudioSessionTestKit
import ExampleTestSupport
import Foundation
import Testing

/// The built program on a terminal.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ScreenRunTests {
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, 0])
    func theTerminalIsRestored(signal: Int32) async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let folder = try Folder()
        let file = try folder.tone(seconds: 60, as: "tone.wav")
        let broken = try folder.write(Data("no sound".utf8), to: "broken.wav")
        let run = try ScreenRun(
            "music-player", [broken, file], environment: pipeWire.environment, columns: 80, rows: 24)
        try await run.see(
            "\u{1B}[?1049h", "1 file skipped", "tone.wav", "🔈 Speakers", "playing on Speakers", "q quit")
        #expect(!run.isCooked)
        run.resize(columns: 30, rows: 5)
        try await run.see("\u{1B}[2J", "🔈 Speakers", "space n p ←→ ↑↓ q")
        run.press(" ")
        try await run.see("paused")
        run.press("\u{1B}[B")
        try await run.see("95 %")
        if signal > 0 { run.signal(signal) } else { run.press("q") }
        try await run.see("\u{1B}[?25h\u{1B}[?1049l", "skipped: '\(broken)' is no sound file")
        #expect(run.end() == (signal > 0 ? 128 + signal : 0))
        #expect(run.isCooked)
        await card.close()
        await pipeWire.stop()
    }

    @Test func theShellCanStopAndContinueThePlayer() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let folder = try Folder()
        let file = try folder.tone(seconds: 60, as: "tone.wav")
        let run = try ScreenRun("music-player", [file], environment: pipeWire.environment, columns: 80, rows: 24)
        try await run.see("\u{1B}[?1049h", "playing on Speakers")
        for _ in 0..<3 {
            run.signal(SIGTSTP)
            run.untilStopped()
            try await run.see("\u{1B}[?1049l")
            #expect(run.isCooked)
            run.signal(SIGCONT)
            try await run.see("\u{1B}[?1049h", "tone.wav", "playing on Speakers")
            #expect(!run.isCooked)
        }
        run.press("q")
        #expect(run.end() == 0)
        #expect(run.isCooked)
        await card.close()
        await pipeWire.stop()
    }
}
