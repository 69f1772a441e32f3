import AudioSessionTestKit
import AudioSessions
import ExampleTestSupport
import Foundation
import Testing

@testable import MusicPlayer

/// The built program, without a terminal.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PlainRunTests {
    @Test func pulledHeadphonesPauseThePlayerAndItPlaysToTheEnd() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        // Plugged in before the program begins, because a jack that is pulled right after the plug
        // counts as bouncing.
        try await card.plug("headphones")
        try await card.wait(for: "sound on the headphones") { $0.nodes.contains { $0.port == "headphones" } }
        let folder = try Folder()
        // Long enough to last until the headphones are pulled, on a slow computer too.
        try _ = folder.tone(seconds: 30, as: "1 long.wav")
        try _ = folder.tone(seconds: 0.5, as: "2 short.wav")
        try folder.write(Data("no sound".utf8), to: "3 broken.wav")
        try folder.write(Data("a picture".utf8), to: "cover.jpg")

        let run = try ProgramRun("music-player", [folder.path], environment: pipeWire.environment)
        try await run.line("skipped: '\(folder.path)/3 broken.wav' is no sound file")
        try await run.line("▶ 01 1 long.wav (0:30) on Headphones")
        let tap = try await SinkTap(sink: "alsa_output.pci-virtual_0.analog-stereo", remote: pipeWire.remote)
        try await tap.waitUntilLoud()
        try await card.unplug("headphones")
        try await run.line("headphones unplugged: paused")
        #expect(run.seen.count == 3, "\(run.seen)")
        try await run.line("now on Speakers")
        try run.press(" ")
        try await run.line("▶ 01 1 long.wav (0:30) on Speakers")
        await tap.reset()
        try await tap.waitUntilLoud()
        try run.press("n")
        try await run.line("▶ 02 2 short.wav (0:00) on Speakers")
        try await run.line("played to the end")
        let end = try await run.end()
        #expect(end.status == 0)
        #expect(end.errors.isEmpty)
        await tap.close()
        await card.close()
        await pipeWire.stop()
    }

    @Test func signalsAndTheLossOfPipeWireEndThePlayer() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let folder = try Folder()
        let file = try folder.tone(seconds: 60, as: "tone.wav")
        for signal in [SIGTERM, SIGINT] {
            let run = try ProgramRun("music-player", [file], environment: pipeWire.environment)
            try await run.line("▶ 01 tone.wav")
            run.signal(signal)
            #expect(try await run.end().status == 128 + signal)
        }
        let run = try ProgramRun("music-player", [file], environment: pipeWire.environment)
        try await run.line("▶ 01 tone.wav")
        try run.press("q")
        #expect(try await run.end().status == 0)

        let orphan = try ProgramRun("music-player", [file], environment: pipeWire.environment)
        try await orphan.line("▶ 01 tone.wav")
        await pipeWire.killDaemon()
        let end = try await orphan.end()
        #expect(end.status == 69)
        #expect(end.errors.hasPrefix("music-player: PipeWire was lost."))
        await card.close()
        await pipeWire.stop()
    }

    @Test func aRefusalEndsThePlayerUnlessAUserIsAtTheKeys() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let manager = try await AudioSessionManager.connect(.init(remote: pipeWire.remote, applicationName: "Phone"))
        let call = try AudioSession(manager: manager, configuration: .init(.playback, priority: .communication))
        try await call.activate()
        let folder = try Folder()
        let file = try folder.tone(seconds: 60, as: "tone.wav")
        let piped = try ProgramRun("music-player", [file], environment: pipeWire.environment)
        try await piped.line("refused: ")
        #expect(try await piped.end().status == 75)
        let typed = try ScreenRun(
            "music-player", ["--plain", file], environment: pipeWire.environment, columns: 100, rows: 24)
        try await typed.see("refused: ")
        try await call.deactivate()
        typed.press(" ")
        try await typed.see("▶ 01 tone.wav")
        typed.press("q")
        #expect(typed.end() == 0)
        await manager.close()
        await card.close()
        await pipeWire.stop()
    }

    @Test func anUnplayableFileIsReportedWithTheFix() async throws {
        let folder = try Folder()
        var environment = ProcessInfo.processInfo.environment
        environment["XDG_RUNTIME_DIR"] = folder.path
        environment["PIPEWIRE_RUNTIME_DIR"] = nil
        environment["PIPEWIRE_REMOTE"] = nil
        let missing = try await ProgramRun("music-player", [folder.path + "/none.wav"], environment: environment)
            .end()
        #expect(missing.status == 66)
        let file = try folder.write(Data("no sound".utf8), to: "tone.wav")
        let alone = try await ProgramRun("music-player", [file], environment: environment).end()
        #expect(alone.status == 69)
        #expect(alone.errors.contains("Start it ('systemctl --user start pipewire wireplumber')"))
        #expect(try await ProgramRun("music-player", [], environment: environment).end().status == 64)
        #expect(
            try await ProgramRun("music-player", ["--volume", "101", file], environment: environment).end().status
                == 64)

        let pipeWire = try await PrivatePipeWire()
        let broken = try await ProgramRun("music-player", [file], environment: pipeWire.environment).end()
        #expect(broken.status == 65)
        #expect(broken.errors.hasPrefix("music-player: There is nothing to play. '\(file)' is no sound file"))
        await pipeWire.stop()
    }
}
