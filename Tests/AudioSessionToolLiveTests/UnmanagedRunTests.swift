import DesktopBus
import Foundation
import MediaPlayers
import TestSupport
import Testing

@testable import AudioSessionTestKit
@testable import AudioSessionTool

/// A call, and players without sessions: mpv with its MPRIS plug-in, and one that behaves like a
/// browser. `Scripts/soak with` limits the time in which a watchdog restores them.
@Suite(.live, .serialized, .timeLimit(.minutes(10))) struct UnmanagedRunTests {
    private static let mpv = "/usr/bin/mpv"
    private static let plugin = "/usr/lib/mpv-mpris/mpris.so"
    private static let hasPlayer = [mpv, plugin].allSatisfy { FileManager.default.fileExists(atPath: $0) }

    @Test(.enabled(if: hasPlayer, "needs mpv and mpv-mpris"))
    func aRealPlayerResumesAfterACallThatEndsOrIsKilled() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let bus = try await PrivateBus()
        let player = try await pipeWire.launch(
            Self.mpv,
            [
                "--no-config", "--no-video", "--no-terminal", "--ao=pipewire", "--script=\(Self.plugin)",
                "av://lavfi:sine=frequency=440",
            ], variables: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        let observer = try await LiveTool.session(pipeWire, "category ambient")
        try await wait(observer, untilPlaying: true)

        let call = try await Self.call(pipeWire, bus.address)
        _ = try await call.reply(to: "activate")
        try await wait(call, for: "unmanagedPaused", 1)
        let paused = try #require(call.seen.first { $0.contains("unmanagedPaused") })
        // mpv-mpris 1.3 appends `.instance-` and a number.
        #expect(paused.contains("\"player\":\"mpv") && paused.contains("\"pid\":\(player.id)"), "\(paused)")
        try await wait(call, untilPlaying: false)
        _ = try await call.reply(to: "deactivate")
        try await wait(call, for: "unmanagedResumed", 1)
        try await wait(call, untilPlaying: true)

        _ = try await call.reply(to: "activate")
        try await wait(call, for: "unmanagedPaused", 2)
        try await wait(call, untilPlaying: false)
        call.signal(SIGKILL)
        try await wait(observer, untilPlaying: true)
        player.signal(SIGKILL)
        await player.exited()
        await bus.stop()
        await card.close()
        await pipeWire.stop()
    }

    /// The player publishes itself in one process and plays in another. It answers before it
    /// executes a command, and reports the execution later.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: mpv), "needs mpv"))
    func aBrowserResumesAfterACallThatEndsOrIsKilled() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let bus = try await PrivateBus()
        let player = try await FakePlayer(
            "chromium.instance1234", "Playing", on: bus.address, delay: .milliseconds(100))
        let paused = try await FakePlayer("firefox.instance_1_36", "Paused", on: bus.address)
        // The audio service of the browser, a child of this process.
        let sound = try await pipeWire.launch(
            Self.mpv,
            ["--no-config", "--no-video", "--no-terminal", "--ao=pipewire", "av://lavfi:sine=frequency=440"])
        let observer = try await LiveTool.session(pipeWire, "category ambient")
        try await wait(observer, untilPlaying: true)

        let call = try await Self.call(pipeWire, bus.address)
        _ = try await call.reply(to: "activate")
        // Its stream continues, as that of Chromium does.
        try await wait(call, for: "unmanagedMuted", 1)
        #expect(call.seen.contains { $0.contains("\"player\":\"chromium.instance1234\"") })
        #expect(await player.command() == .pause)
        _ = try await call.reply(to: "deactivate")
        #expect(await player.command() == .play)
        _ = try await call.reply(to: "activate")
        #expect(await player.command() == .pause)
        call.signal(SIGKILL)
        #expect(await player.command() == .play)
        #expect(player.commands == [.pause, .play, .pause, .play])
        #expect(paused.commands == [])
        sound.signal(SIGKILL)
        await sound.exited()
        await bus.stop()
        await card.close()
        await pipeWire.stop()
    }

    /// The player answers *Pause* and continues to play.
    @Test func aPlayerThatDoesNotPauseIsMutedUntilTheCallEndsOrIsKilled() async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let tap = try await SinkTap(
            sink: "alsa_output.pci-virtual_0.analog-stereo", remote: pipeWire.remote, threshold: 0.01)
        let bus = try await PrivateBus()
        let player = try await FakePlayer("ignoring", "Playing", on: bus.address, executes: false)
        // A child of this process, which publishes the player.
        let sound = try await pipeWire.launch(
            Self.mpv,
            ["--no-config", "--no-video", "--no-terminal", "--ao=pipewire", "av://lavfi:sine=frequency=440"])
        try await Self.wait(tap, isLoud: true)

        for isKilled in [false, true] {
            let call = try await Self.call(pipeWire, bus.address)
            _ = try await call.reply(to: "activate")
            try await wait(call, for: "unmanagedMuted", 1)
            #expect(await player.command() == .pause)
            try await Self.wait(tap, isLoud: false)
            #expect(try await call.events("unmanagedPaused") == [], "its stream runs")
            if isKilled {
                call.signal(SIGKILL)
            } else {
                _ = try await call.reply(to: "deactivate")
            }
            try await Self.wait(tap, isLoud: true)
            #expect(await player.command() == .play)
        }
        sound.signal(SIGKILL)
        await sound.exited()
        await tap.close()
        await bus.stop()
        await card.close()
        await pipeWire.stop()
    }

    private static func wait(
        _ tap: SinkTap, isLoud: Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await waitUntil("the sink is \(isLoud ? "loud" : "silent")", sourceLocation: sourceLocation) {
            await tap.reset()
            let peak = try await tap.waitUntilHeard(frames: 2400).peak
            return isLoud ? peak > 0.05 : peak == 0
        }
    }

    @Test func withoutABusTheCallIsActiveEvenSo() async throws {
        let pipeWire = try await PrivatePipeWire()
        let call = try await Self.call(pipeWire, "unix:path=" + pipeWire.directory + "/no-bus")
        #expect(try await call.reply(to: "activate")["ok"] as? Bool == true)
        try await wait(call, for: "unmanagedUnavailable", 1)
        #expect(try await call.state() == "active")
        #expect(try await call.reply(to: "unmanaged loudly")["error"] as? String == "badCommand")
        await pipeWire.stop()
    }

    /// A thread of its own listens to others' players; a program without the option has none.
    @Test func aProgramThatLeavesOthersAloneHasNoThreadForThem() async throws {
        let pipeWire = try await PrivatePipeWire()
        let tool = try LiveTool("run", "--remote", pipeWire.remote)
        _ = try await tool.event("ready")
        _ = try await tool.reply(to: "activate")
        // The manager's thread, and PipeWire's data thread where that inherits its starter's name.
        let usual = try Self.loops(of: tool.processIdentifier)
        #expect(usual >= 1)
        for (command, more) in [("unmanaged leave", 0), ("unmanaged auto", 1), ("unmanaged leave", 1)] {
            #expect(try await tool.reply(to: command)["ok"] as? Bool == true)
            // A thread has the name of the one that started it, until it gets its own.
            try await waitUntil("\(usual + more) loops after \(command)") {
                try Self.loops(of: tool.processIdentifier) == usual + more
            }
        }
        await pipeWire.stop()
    }

    /// The number of threads of a process that are loops of PipeWire's.
    private static func loops(of process: Int32) throws -> Int {
        let tasks = "/proc/\(process)/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).count { task in
            let name = try? String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8)
            return name == "pipewire-loop\n"
        }
    }

    private static func call(_ pipeWire: PrivatePipeWire, _ bus: String) async throws -> LiveTool {
        let tool = try LiveTool("run", "--remote", pipeWire.remote, environment: ["DBUS_SESSION_BUS_ADDRESS": bus])
        _ = try await tool.event("ready")
        for command in ["category playAndRecord mode=voiceChat", "unmanaged pause"] {
            #expect(try await tool.reply(to: command)["ok"] as? Bool == true)
        }
        return tool
    }

    /// The event may precede the answer to the command that caused it.
    private func wait(_ program: LiveTool, for event: String, _ count: Int) async throws {
        while program.seen.count(where: { $0.contains("\"event\":\"\(event)\"") }) < count {
            _ = try await program.event(event)
        }
    }

    /// Other audio as the only active session reads it, or one without others. It is polled up to a
    /// deadline, because it is not notified of streams.
    private func wait(_ program: LiveTool, untilPlaying isPlaying: Bool) async throws {
        try await waitUntil("the player \(isPlaying ? "plays" : "is silent")") {
            try await program.reply(to: "other")["isOtherAudioPlaying"] as? Bool == isPlaying
        }
    }
}
