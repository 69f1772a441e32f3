import AudioSessionCore
import AudioSessions
import Foundation
import TestSupport
import Testing

@testable import AudioSessionTestKit
@testable import AudioSessionTool

/// `audiosession with` beside players without sessions. COMMAND is mostly `cat`, which ends with
/// its input.
@Suite(.liveFirst, .serialized, .timeLimit(.minutes(10))) struct WithRunTests {
    private static let (loud, ducked) = (LoudStage.loud, LoudStage.ducked)

    // MARK: Others

    @Test func othersAreDuckedWhileTheCommandRuns() async throws {
        try await LoudStage.with { stage in
            let player = try await stage.play()
            try await stage.wait(for: Self.loud)
            let tool = try await stage.tool("with", "--duck", "--", "cat")
            try tool.send("dinner is ready")
            #expect(await tool.line() == "dinner is ready")
            try await stage.wait(for: Self.ducked)
            try tool.endInput()
            await tool.expectEnd()
            // Everything is restored before the tool has ended.
            try await stage.wait(for: Self.loud)
            player.signal(SIGKILL)
        }
    }

    @Test func othersAreMutedUnlessTheyAreExceptions() async throws {
        try await LoudStage.with { stage in
            let player = try await stage.play()
            try await stage.wait(for: Self.loud)
            for (options, level) in [
                ([], 0), (["--pause"], 0), (["--except", "PW-Play"], Self.loud), (["--mix"], Self.loud),
            ] as [([String], Float)] {
                let tool = try RunningTool(["with"] + options + ["--", "cat"], stage.environment)
                try tool.send("ready")
                #expect(await tool.line() == "ready")
                try await stage.wait(for: level)
                try tool.endInput()
                await tool.expectEnd()
                try await stage.wait(for: Self.loud)
            }
            player.signal(SIGKILL)
        }
    }

    @Test(arguments: [
        ["PLAYER", "FILE"], ["sh", "-c", "PLAYER FILE; exit 4"], ["sh", "-c", "PLAYER FILE & wait $!; exit 4"],
    ])
    func streamsOfTheCommandAndItsChildrenAreUnchanged(command: [String]) async throws {
        try await LoudStage.with { stage in
            let player = try await stage.play()
            try await stage.wait(for: Self.loud)
            let words = command.map {
                $0.replacing("PLAYER", with: stage.player).replacing("FILE", with: stage.file(3))
            }
            for (option, level) in [("--duck", Self.loud + Self.ducked), ("--pause", Self.loud)] {
                let tool = try RunningTool(["with", option, "--json", "--"] + words, stage.environment)
                try await stage.wait(for: level)
                await tool.expectEnd(command.count == 2 ? 0 : 4)
                try await stage.wait(for: Self.loud)
            }
            player.signal(SIGKILL)
        }
    }

    /// One command hosts a long piece of music, the other an announcement.
    @Test func twoCommandsInterruptEachOtherLikeTheirSessions() async throws {
        try await LoudStage.with { stage in
            let music = try await stage.tool("with", "--", stage.player, stage.file())
            try await stage.wait(for: Self.loud)
            let prompt = try await stage.tool("with", "--duck", "--", stage.player, stage.file(3))
            try await stage.wait(for: Self.loud + Self.ducked)
            await prompt.expectEnd()
            try await stage.wait(for: Self.loud)
            music.signal(SIGTERM)
            await music.process.exited()
        }
    }

    // MARK: Calls

    @Test func aCallSilencesTheCommandUntilItEnds() async throws {
        try await LoudStage.with { stage in
            let music = try await stage.tool("with", "--json", "--", stage.player, stage.file())
            try await stage.wait(for: Self.loud)
            let call = try await LiveTool.session(stage.pipeWire, "category playAndRecord mode=voiceChat", "activate")
            _ = try await music.errorLine(with: "interruptionBegan")
            try await stage.wait(for: 0)
            _ = try await call.reply(to: "deactivate")
            try await stage.wait(for: Self.loud)
            _ = try await music.errorLine(with: "\"state\":\"active\"")
            let prompt = try await LiveTool.session(
                stage.pipeWire, "category playback options=duckOthers", "activate")
            try await stage.wait(for: Self.ducked)
            _ = try await prompt.reply(to: "deactivate")
            try await stage.wait(for: Self.loud)
            // Only the watchdog is left to end the mute.
            _ = try await call.reply(to: "activate")
            try await stage.wait(for: 0)
            music.signal(SIGKILL)
            try await stage.wait(for: Self.loud)
        }
    }

    @Test func duringACallTheCommandDoesNotRunUnlessRequested() async throws {
        try await LoudStage.with { stage in
            let call = try await LiveTool.session(stage.pipeWire, "category playAndRecord mode=voiceChat", "activate")
            let refused = try await ToolRun("with", "--", "echo", "heard", environment: stage.environment)
            #expect(refused.exitCode == 75 && refused.output == "")
            #expect(refused.errors.contains("audiosession: "))
            let anyway = try await ToolRun(
                "with", "--anyway", "--", "sh", "-c", "echo heard; exit 3", environment: stage.environment)
            #expect(anyway.exitCode == 3 && anyway.output == "heard\n")
            #expect(anyway.errors.contains("audiosession: "))
            let hold = try await ToolRun("pause", "--seconds", "0", environment: stage.environment)
            #expect(hold.exitCode == 75)
            _ = try await call.reply(to: "deactivate")
        }
    }

    /// The test stops only the shell, so its player is heard unless the tool silences it.
    @Test func aCommandThatContinuesDuringACallIsSilentUntilTheCallEnds() async throws {
        try await LoudStage.with { stage in
            let script = "trap 'kill $!; exit' TERM; \(stage.player) \(stage.file()) & echo $$; wait $!; wait $!"
            let tool = try await stage.tool("with", "--json", "--", "sh", "-c", script)
            let process = try #require(await tool.line().flatMap { pid_t($0) })
            try await stage.wait(for: Self.loud)
            kill(process, SIGSTOP)
            _ = try await tool.errorLine(with: "\"state\":\"inactive\"")
            let call = try await LiveTool.session(stage.pipeWire, "category playAndRecord mode=voiceChat", "activate")
            try await stage.wait(for: Self.loud)
            kill(process, SIGCONT)
            _ = try await tool.errorLine(with: "\"event\":\"warning\"")
            try await stage.wait(for: 0)
            _ = try await call.reply(to: "deactivate")
            try await stage.wait(for: Self.loud)
            _ = try await tool.errorLine(with: "\"state\":\"active\"")
            // The call interrupts. COMMAND stays silent although its session gives up the place.
            _ = try await call.reply(to: "activate")
            try await stage.wait(for: 0)
            for signal in [SIGSTOP, SIGCONT] {
                kill(process, signal)
                await stage.tap.reset()
                #expect(try await stage.tap.waitUntilHeard(frames: 24_000).loudFrames == 0, "\(signal)")
            }
            _ = try await call.reply(to: "deactivate")
            try await stage.wait(for: Self.loud)
            tool.signal(SIGTERM)
            await tool.process.exited()
        }
    }

    // MARK: The output

    /// Headphones are pulled from the jack of a card with one sink.
    @Test(arguments: ["--pause", "--mix"])
    func aLostOutputSilencesTheCommandUntilItReturns(option: String) async throws {
        try await LoudStage.with { stage in
            try await stage.card.plug("headphones")
            try await stage.card.wait(for: "sound on the headphones") { state in
                state.nodes.contains { $0.port == "headphones" }
            }
            let music = try await stage.tool("with", option, "--", stage.player, stage.file())
            try await stage.wait(for: Self.loud)
            try await stage.card.unplug("headphones")
            try await stage.wait(for: 0)
            await stage.tap.reset()
            #expect(try await stage.tap.waitUntilHeard(frames: 24_000).loudFrames == 0)
            try await stage.card.plug("headphones")
            try await stage.wait(for: Self.loud)
            music.signal(SIGTERM)
            await music.process.exited()
        }
    }

    /// The default output is a headset, and the player names the card.
    @Test func theLossOfAnotherOutputThanTheDefaultSilencesItsCommand() async throws {
        try await LoudStage.with { stage in
            let name = "alsa_output.usb-Virtual_USB_Headset_0-00.analog-stereo"
            let headset = try await VirtualCard(.usb(), remote: stage.pipeWire.remote)
            let tap = try await SinkTap(sink: name, remote: stage.pipeWire.remote, threshold: 0.005)
            let beside = LoudStage(pipeWire: stage.pipeWire, card: headset, tap: tap, bus: stage.bus)
            let manager = try await AudioSessionManager.connect(.init(remote: stage.pipeWire.remote))
            let music = try await stage.tool("with", "--", stage.player, "--target", stage.tap.sink, stage.file())
            try await stage.wait(for: Self.loud)
            try await stage.card.remove()
            try await waitUntil("the player is linked to the headset") {
                let graph = await manager.graph
                guard let sink = graph.nodes.known(as: name).first else { return false }
                return graph.links.at(sink.id).contains { $0.inputNode == sink.id }
            }
            // Some sound may have been heard until the mute reached the stream.
            try await beside.wait(for: 0, during: 24_000)
            music.signal(SIGTERM)
            await music.process.exited()
            await manager.close()
            await tap.close()
            await headset.close()
        }
    }

    // MARK: The command

    @Test func theExitCodeIsThatOfTheCommand() async throws {
        try await LoudStage.with { stage in
            let script = stage.pipeWire.directory + "/script"
            try Data("exit \"$1\"\n".utf8).write(to: URL(filePath: script))
            for (command, code) in [
                (["true"], 0), (["sh", "-c", "exit 7"], 7), (["sh", "-c", "kill -KILL $$"], 137),
                ([script, "5"], 126), (["/nonexistent/program"], 127), (["no-such-program-here"], 127),
                ([stage.pipeWire.directory], 126), ([script + "/program"], 126),
            ] as [([String], Int32)] {
                let run = try await ToolRun(
                    arguments: ["with", "--"] + command, environment: stage.environment)
                #expect(run.exitCode == code, "\(command) \(run.errors)")
                #expect(run.errors.isEmpty == !(126...127).contains(code), "\(run.errors)")
            }
            // A script without a first line for it is one for the shell.
            chmod(script, 0o755)
            let run = try await ToolRun(
                arguments: ["with", "--", script, "5"], environment: stage.environment)
            #expect(run.exitCode == 5, "\(run.errors)")
        }
    }

    @Test func theCommandInheritsFilesAndEnvironment() async throws {
        try await LoudStage.with { stage in
            let run = try await ToolRun(
                "with", "--", "sh", "-c",
                "ls /proc/self/fd; grep SigBlk /proc/self/status; trap | grep -c PIPE; cat; echo \"$GREETING\"",
                input: "input\n", environment: stage.environment.merging(["GREETING": "hello"]) { $1 })
            #expect(
                run.output.split(separator: "\n") == [
                    "0", "1", "2", "3", "SigBlk:\t0000000000000000", "0", "input", "hello",
                ], "\(run.output) \(run.errors)")
        }
    }

    @Test func signalsReachTheCommandAndStoppingItDeactivatesTheSession() async throws {
        try await LoudStage.with { stage in
            let player = try await stage.play()
            try await stage.wait(for: Self.loud)
            let script = """
                trap 'echo terminated; exit 6' TERM; echo $$
                while :; do sleep 0.02; done
                """
            let tool = try await stage.tool("with", "--duck", "--", "sh", "-c", script)
            let process = try #require(await tool.line().flatMap { pid_t($0) })
            try await stage.wait(for: Self.ducked)
            kill(process, SIGSTOP)
            try await stage.wait(for: Self.loud)
            kill(process, SIGCONT)
            try await stage.wait(for: Self.ducked)
            tool.signal(SIGTERM)
            #expect(await tool.line() == "terminated")
            await tool.expectEnd(6)
            try await stage.wait(for: Self.loud)
            player.signal(SIGKILL)
        }
    }

    // MARK: The group

    @Test func sessionsOfTheCommandAreInTheGroupOfTheTool() async throws {
        try await LoudStage.with { stage in
            let tool = try await stage.tool(
                "with", "--json", "--", "sh", "-c",
                "\(ToolRun.executable.path) run; echo $AUDIOSESSION_GROUP")
            #expect(await tool.line()?.contains("ready") == true)
            try tool.send("category playback")
            try tool.send("activate")
            try tool.send("quit")
            while let line = await tool.line(), !line.contains("\"quit\"") {
                #expect(!line.contains("\"ok\":false"), "\(line)")
            }
            #expect(await tool.line()?.hasPrefix("with-") == true)
            try tool.endInput()
            await tool.expectEnd()
            await #expect(throws: LiveTool.Missing.self) {
                _ = try await tool.errorLine(with: "interruptionBegan")
            }
            let name = String(repeating: "g", count: 65)
            let illegal = try await ToolRun(
                "with", "--require", "--", "true",
                environment: stage.environment.merging(["AUDIOSESSION_GROUP": name]) { $1 })
            #expect(illegal.exitCode == 69)
            #expect(illegal.errors.contains("AUDIOSESSION_GROUP") || illegal.errors.contains("group"))
            for command in [["run"], ["duck"], ["simulate", "call"]] {
                let run = try await ToolRun(
                    arguments: command, environment: stage.environment.merging(["AUDIOSESSION_GROUP": name]) { $1 })
                #expect(run.exitCode == 64 && run.errors.contains("AUDIOSESSION_GROUP"), "\(command) \(run.errors)")
            }
        }
    }

    // MARK: duck and pause

    /// Standard input may be that of a script, whose other commands read it.
    @Test(arguments: ["duck", "pause"]) func aHoldDoesNotReadItsInput(command: String) async throws {
        try await LoudStage.with { stage in
            let run = try await ToolRun(
                URL(filePath: "/bin/sh"),
                arguments: ["-c", #""$0" "$1" --seconds 1; cat"#, ToolRun.executable.path, command], input: "rest",
                environment: stage.environment)
            #expect(run.exitCode == 0 && run.output == "rest" && run.errors == "", "\(run.errors)")
        }
    }

    @Test(arguments: [("duck", LoudStage.ducked), ("pause", Float(0))])
    func aHoldEndsWithItsInputItsTimeOrASignal(command: String, level: Float) async throws {
        try await LoudStage.with { stage in
            let player = try await stage.play()
            // It counts what is quieter than the player alone.
            let loud = try await SinkTap(
                sink: stage.tap.sink, remote: stage.pipeWire.remote, threshold: Self.loud * 0.8)
            for way in ["input", "signal", "time"] {
                try await stage.wait(for: Self.loud)
                await loud.reset()
                try await loud.waitUntilLoud()
                let tool = try RunningTool(
                    [command, "--json"] + (way == "time" ? ["--seconds", "2"] : []), stage.environment)
                #expect(await tool.line()?.contains("\"event\":\"ready\"") == true)
                // This test may run too late to see the level of two seconds.
                if way != "time" { try await stage.wait(for: level) }
                if way == "input" { try tool.endInput() }
                if way == "signal" { tool.signal(SIGTERM) }
                await tool.expectEnd()
                try await stage.wait(for: Self.loud)
                // It counts a gap at the end of it. A late player leaves one of a cycle.
                try await waitUntil("the gap of \(way)") { await loud.report.gapFrames > 1_024 }
            }
            await loud.close()
            player.signal(SIGKILL)
        }
    }

    /// A hold prints nothing without `--json`.
    @Test func aHoldContinuesAfterTheReaderHasClosedItsEmptyOutput() async throws {
        try await LoudStage.with { stage in
            let player = try await stage.play()
            try await stage.wait(for: Self.loud)
            let tool = try await stage.tool("pause")
            try tool.stopReading()
            try await stage.wait(for: 0)
            await stage.tap.reset()
            #expect(try await stage.tap.waitUntilHeard(frames: 24_000).loudFrames == 0)
            tool.signal(SIGTERM)
            await tool.expectEnd()
            player.signal(SIGKILL)
        }
    }
}
