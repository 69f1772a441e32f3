import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import ExampleSupport
import ExampleTestSupport
import Foundation
import Testing

@testable import SoundBoard

/// The built sound board, and the sound that a sink receives.
@Suite(.serialized, .timeLimit(.minutes(10))) struct BoardTests {
    private static let sink = "alsa_output.pci-virtual_0.analog-stereo"
    /// The duration is longer than the crickets' loop.
    private static let round: UInt64 = 48_000 * 7 / 2

    private func withBoard(_ body: (PrivatePipeWire, ProgramRun, SinkTap) async throws -> Void) async throws {
        let pipeWire = try await PrivatePipeWire()
        do {
            let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
            let tap = try await SinkTap(sink: Self.sink, remote: pipeWire.remote)
            let board = try ProgramRun("sound-board", [], environment: pipeWire.environment)
            try await board.line("1 rain · 2 sea")
            try await body(pipeWire, board, tap)
            try board.press("q")
            let end = try await board.end()
            #expect(end.status == 0)
            #expect(end.errors.isEmpty)
            await tap.close()
            await card.close()
        } catch {
            await pipeWire.stop()
            throw error
        }
        await pipeWire.stop()
    }

    /// The highest amplitude of one round, from now on.
    private func peak(_ tap: SinkTap) async throws -> Float {
        await tap.reset()
        return try await tap.waitUntilHeard(frames: Self.round).peak
    }

    @Test func soundsMixWithOneAnotherAndWithMusic() async throws {
        try await withBoard { pipeWire, board, tap in
            try board.press("5")
            try await board.line("playing crickets")
            try await tap.waitUntilLoud()
            let crickets = try await peak(tap)
            try board.press("1")
            try await board.line("playing rain, crickets")
            let both = try await peak(tap)
            #expect(both > crickets * 1.1, "\(both) is not louder than \(crickets)")

            let folder = try Folder()
            let music = try ProgramRun(
                "music-player", [folder.tone(seconds: 60, as: "tone.wav")], environment: pipeWire.environment)
            try await music.line("▶ 01 tone.wav")
            let all = try await peak(tap)
            #expect(all > both * 1.1, "\(all) is not louder than \(both)")
            try board.press("0")
            try await board.line("playing nothing")
            try music.press("q")
            #expect(try await music.end().status == 0)
            #expect(!music.seen.contains { $0.contains("interrupted") || $0.contains("ducked") }, "\(music.seen)")
            #expect(!board.seen.contains { $0.contains("interrupted") || $0.contains("ducked") }, "\(board.seen)")
        }
    }

    @Test func silentModeMutesTheBoardWhichShowsThat() async throws {
        try await withBoard { pipeWire, board, tap in
            let manager = try await AudioSessionManager.connect(.init(remote: pipeWire.remote))
            try board.press("1")
            try await board.line("playing rain")
            try await tap.waitUntilLoud()
            try await manager.setSilentMode(true)
            try await board.line("muted by silent mode")
            // It fades within a third of a second.
            await tap.reset()
            try await tap.waitUntilHeard(frames: 24_000)
            await tap.reset()
            try await tap.waitUntilHeard(frames: 24_000)
            try board.press("2")
            try await board.line("playing rain, sea · unheard: silent mode is on")
            try await tap.waitUntilHeard(frames: 72_000)
            #expect(await tap.report.loudFrames == 0)
            try await manager.setSilentMode(false)
            try await board.line("as loud as before")
            try await tap.waitUntilLoud()
            await manager.close()
        }
    }

    /// Several players share the session: all are silent, and all resume.
    @Test func aCallSilencesAllPlayersOfTheBoard() async throws {
        try await withBoard { pipeWire, board, tap in
            try board.press("15")
            try await board.line("playing rain, crickets")
            let manager = try await AudioSessionManager.connect(
                .init(remote: pipeWire.remote, applicationName: "Phone"))
            let call = try AudioSession(manager: manager, configuration: .init(.playAndRecord, mode: .voiceChat))
            try await call.activate()
            try await board.line("interrupted by Phone (process \(getpid()))")
            // Frames that were on their way when the gate closed.
            await tap.reset()
            try await tap.waitUntilHeard(frames: 9_600)
            await tap.reset()
            #expect(try await tap.waitUntilHeard(frames: 24_000).loudFrames == 0)
            try await call.deactivate()
            try await board.line("the interruption is over: resuming")
            try await tap.waitUntilLoud()
            try board.press("2")
            try await board.line("playing rain, sea, crickets")
            await manager.close()
        }
    }

    /// The queue of a sound lasts for most of an hour, here for a moment.
    @Test func aSoundWhoseQueueHasEndedIsRepeated() async throws {
        let folder = try Folder()
        let pipeWire = try await PrivatePipeWire()
        do {
            let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
            let manager = try await AudioSessionManager.connect(.init(remote: pipeWire.remote))
            let session = try AudioSession(manager: manager, configuration: .init(.ambient))
            let pad = try await Pad(.crickets, in: session)
            try await pad.player.load([folder.tone(seconds: 0.1, as: "short.wav")])
            let events = pad.player.events()
            await pad.press()
            var rounds = 0
            try await SoundBoard.use([pad], in: session) {
                rounds += 1
                for await event in events {
                    switch event {
                    case .finished where rounds < 3: return .player(event)
                    case .stateChanged(.playing, _) where rounds == 3: return .key("q")
                    default: break
                    }
                }
                throw CancellationError()
            }
            await pad.player.close()
            await manager.close()
            await card.close()
        } catch {
            await pipeWire.stop()
            throw error
        }
        await pipeWire.stop()
    }

    @Test func onATerminalKeysNeedNoEnter() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let board = try ScreenRun("sound-board", [], environment: pipeWire.environment, columns: 100, rows: 24)
        try await board.see("q quits")
        board.press("6")
        try await board.see("playing bell")
        #expect(!board.isCooked)
        board.signal(SIGINT)
        #expect(board.end() == 130)
        #expect(board.isCooked)
        await card.close()
        await pipeWire.stop()
    }

    /// A shell prints the program's command line when it brings it to the foreground.
    @Test func theTerminalIsTheShellsUntilTheBoardIsInTheForeground() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let board = try ScreenRun(
            "sound-board", [], environment: pipeWire.environment, columns: 100, rows: 24,
            script: #""$0" "$@" & read -r _; fg; stty sane; fg"#)
        try await board.see("q quits")
        #expect(board.isCooked)
        board.press("\n")
        try await board.see(#""$0" "$@""#)
        board.press("6")
        try await board.see("playing bell")
        #expect(!board.isCooked)
        // Control-Z, after which the shell changes the terminal and continues the board.
        board.press("\u{1A}")
        try await board.see(#""$0" "$@""#)
        board.press("6")
        try await board.see("playing bell")
        board.press("q")
        #expect(board.end() == 0)
        #expect(board.isCooked)
        await card.close()
        await pipeWire.stop()
    }
}
