import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import Foundation
import Glibc
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionTool

private let soakRounds = ProcessInfo.processInfo.environment["AUDIOSESSIONS_SOAK_KILLS"].flatMap { Int($0) }

/// A program switches the card to the speaker for all programs, and ends: the headphones are in use
/// again.
///
/// `Scripts/soak kills` does it more often.
@Suite(.live, .serialized, .timeLimit(.minutes(20))) struct CardKillTests {
    private static let speaker = "prefer-output alsa_card.pci-virtual_0/analog-output-speaker"

    @Test func aKilledProgramsWatchdogSwitchesBack() async throws {
        try await Scene.with { scene in
            var times: [Duration] = []
            for round in 0..<(soakRounds ?? 3) {
                let tool = try await LiveTool.session(
                    scene.pipeWire, round % 2 == 0 ? "category playback" : "category playAndRecord", "activate")
                try await scene.switchToSpeaker(by: tool, round % 2 == 0 ? Self.speaker : "override speaker")
                times.append(try await scene.kill(tool))
            }
            report(times, "the program")
        }
    }

    /// The limit of time is for `Scripts/soak`.
    private func report(_ times: [Duration], _ victims: String) {
        let most = Int((times.max() ?? .zero) / .milliseconds(1))
        print("kills: of \(victims), \(times.count) times: back after \(most) ms at most")
        if soakRounds != nil { #expect(times.allSatisfy { $0 < .seconds(3) }) }
    }

    @Test(arguments: ["quit", "deactivate", "end of input"])
    func aProgramThatEndsSwitchesBack(way: String) async throws {
        try await Scene.with { scene in
            let tool = try await LiveTool.session(scene.pipeWire, "category playback", "activate")
            try await scene.switchToSpeaker(by: tool, Self.speaker)
            if way == "end of input" { try tool.endInput() } else { try tool.send(way) }
            try await scene.wait(for: .headphones)
        }
    }

    /// The watchdog is killed with its program, so the oldest program with a session switches back.
    @Test func withoutAWatchdogAnotherProgramSwitchesBack() async throws {
        try await Scene.with { scene in
            let other = try AudioSession(manager: scene.manager, configuration: .init(.ambient))
            try await other.activate()
            var times: [Duration] = []
            for _ in 0..<(soakRounds.map { max($0 / 4, 1) } ?? 1) {
                let tool = try await LiveTool.session(scene.pipeWire, "category playback", "activate")
                try await scene.switchToSpeaker(by: tool, Self.speaker)
                // A process has its name when it first runs.
                try await waitUntil("its watchdog") { scene.watchdogs().count == 1 }
                for watchdog in scene.watchdogs() { Glibc.kill(watchdog, SIGKILL) }
                times.append(try await scene.kill(tool))
            }
            report(times, "program and watchdog")
            #expect(times.allSatisfy { $0 >= .seconds(2) }, "before that the watchdog could do it")
        }
    }

    /// The second program needs the card as the first one has switched it, and switches it back
    /// when it ends.
    @Test(arguments: ["kill", "quit"]) func aRouteThatAnotherProgramNeedsStaysUntilItEnds(way: String) async throws {
        try await Scene.with { scene in
            let tools = [
                try await LiveTool.session(scene.pipeWire, "category ambient", "activate"),
                try await LiveTool.session(scene.pipeWire, "category ambient", "activate"),
            ]
            for tool in tools { try await scene.switchToSpeaker(by: tool, Self.speaker) }
            try await waitUntil("a watchdog for each") { scene.watchdogs().count == 2 }
            if way == "kill" { tools[0].signal(SIGKILL) } else { try tools[0].send("quit") }
            _ = try await tools[0].end()
            try await waitUntil("1 watchdog instead of \(scene.watchdogs())") { scene.watchdogs().count == 1 }
            #expect(scene.manager.currentRoute.outputs.map(\.type) == [.builtInSpeaker])
            tools[1].signal(SIGKILL)
            try await scene.wait(for: .headphones)
            _ = try await tools[1].end()
        }
    }

    /// The card selects the speaker again in the callback that switched it back, because the
    /// program or its watchdog checks the route a second later.
    @Test(arguments: ["kill", "deactivate"]) func aRouteThatIsSelectedAgainIsSwitchedBack(way: String) async throws {
        try await Scene.with { scene in
            let tool = try await LiveTool.session(scene.pipeWire, "category playback", "activate")
            try await scene.switchToSpeaker(by: tool, Self.speaker)
            let routes = scene.card.description.routes
            let speaker = try #require(routes.firstIndex { $0.port == "speaker" })
            let headphones = try #require(routes.firstIndex { $0.port == "headphones" })
            await scene.card.reselect(speaker, afterNext: headphones)
            if way == "kill" { tool.signal(SIGKILL) } else { try tool.send(way) }
            try await waitUntil("the speaker again") { await scene.card.hasReselected }
            try await scene.card.wait(for: "the headphones again") { $0.nodes.contains { $0.port == "headphones" } }
            try await scene.wait(for: .headphones)
        }
    }

    /// The screen needs another profile of the card, by which all other programs lose their output.
    @Test(arguments: ["kill", "quit", "deactivate"]) func aProfileIsSwitchedBack(way: String) async throws {
        try await Scene.with(.withoutHiFi()) { scene in
            let screen = "alsa_card.pci-virtual_0/hdmi-output-0"
            let tool = try await LiveTool.session(scene.pipeWire, "category playback", "activate")
            let ports = try await tool.reply(to: "ports")["outputs"] as? [LiveTool.Object]
            let needing = ports?.filter { $0["needsProfileChange"] as? Bool == true }
            #expect(needing?.compactMap { $0["uid"] as? String } == [screen])
            #expect(try await tool.reply(to: "prefer-output \(screen)")["ok"] as? Bool == true)
            try await scene.wait(for: .hdmi)
            if way == "kill" { tool.signal(SIGKILL) } else { try tool.send(way) }
            try await scene.wait(for: .headphones)
        }
    }

    /// A call switches a headset to its hands-free profile, in which music has the quality of a
    /// telephone.
    @Test(arguments: ["kill", "quit", "deactivate"]) func aHeadsetIsSwitchedBack(way: String) async throws {
        try await Scene.with { scene in
            let headset = try await VirtualCard(.bluetooth(), remote: scene.pipeWire.remote)
            try await scene.wait(for: .bluetoothA2DP)
            let tool = try await LiveTool.session(
                scene.pipeWire, "category playAndRecord mode=voiceChat", "activate")
            try await scene.wait(for: .bluetoothHFP)
            if way == "kill" { tool.signal(SIGKILL) } else { try tool.send(way) }
            try await scene.wait(for: .bluetoothA2DP)
            await headset.close()
        }
    }

    private struct Scene {
        let pipeWire: PrivatePipeWire
        let card: VirtualCard
        let manager: AudioSessionManager

        /// A laptop with headphones plugged in.
        static func with(
            _ description: VirtualCardDescription = .builtIn(), _ body: (Scene) async throws -> Void
        ) async throws {
            let pipeWire = try await PrivatePipeWire()
            let card = try await VirtualCard(description, remote: pipeWire.remote)
            let manager = try await AudioSessionManager.connect(
                .init(remote: pipeWire.remote, applicationName: "Observer"))
            let scene = Scene(pipeWire: pipeWire, card: card, manager: manager)
            do {
                try await card.plug("headphones")
                try await scene.wait(for: .headphones)
                try await body(scene)
            } catch {
                await pipeWire.stop()
                throw error
            }
            await manager.close()
            await card.close()
            await pipeWire.stop()
        }

        func switchToSpeaker(by tool: LiveTool, _ command: String) async throws {
            #expect(try await tool.reply(to: command)["ok"] as? Bool == true)
            try await wait(for: .builtInSpeaker)
        }

        /// Kills the tool, and returns how long until the headphones are in use again.
        func kill(_ tool: LiveTool) async throws -> Duration {
            let time = ContinuousClock.now
            tool.signal(SIGKILL)
            try await wait(for: .headphones)
            let duration = ContinuousClock.now - time
            _ = try await tool.end()
            return duration
        }

        func wait(for type: PortType) async throws {
            try await waitUntil("the \(type)") { manager.currentRoute.outputs.map(\.type) == [type] }
        }

        /// The watchdogs have the arguments of the program that they were copied from.
        func watchdogs() -> [pid_t] {
            let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return processes.compactMap { pid_t($0) }.filter { id in
                func text(_ file: String) -> String {
                    (try? String(contentsOfFile: "/proc/\(id)/\(file)", encoding: .utf8)) ?? ""
                }
                return text("comm") == "audio-watchdog\n" && text("cmdline").contains(pipeWire.remote)
            }
        }
    }
}

extension VirtualCardDescription {
    /// The card of a laptop with a screen, which has either analog outputs or the screen's.
    fileprivate static func withoutHiFi() -> Self {
        var card = Self.builtIn()
        card.profiles.removeAll { $0.name == "HiFi" }
        for place in card.routes.indices where card.routes[place].port == "hdmi" {
            card.routes[place].availability = .yes
        }
        return card
    }
}
