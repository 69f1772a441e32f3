import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import Foundation
import Glibc
import TestSupport
import Testing

@testable import AudioSessionTool

private let soakRounds = ProcessInfo.processInfo.environment["AUDIOSESSIONS_SOAK_KILLS"].flatMap { Int($0) }

/// A program that has switched the card to the speaker for all, and ends: everybody is back on the headphones.
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
                let time = ContinuousClock.now
                tool.signal(SIGKILL)
                try await scene.wait(for: .headphones)
                times.append(ContinuousClock.now - time)
                _ = try await tool.end()
            }
            print("kills: of the program, \(times.count) times: back after \(times.max() ?? .zero) at most")
            if soakRounds != nil { #expect(times.allSatisfy { $0 < .seconds(3) }) }
        }
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

    /// Its watchdog is killed with it: the oldest program with a session does it.
    @Test func anotherProgramSwitchesBackWhatNobodyWatches() async throws {
        try await Scene.with { scene in
            let other = try AudioSession(manager: scene.manager, configuration: .init(.ambient))
            try await other.activate()
            var times: [Duration] = []
            for _ in 0..<(soakRounds.map { max($0 / 4, 1) } ?? 1) {
                let tool = try await LiveTool.session(scene.pipeWire, "category playback", "activate")
                try await scene.switchToSpeaker(by: tool, Self.speaker)
                let watchdogs = scene.watchdogs()
                #expect(watchdogs.count == 1)
                let time = ContinuousClock.now
                for watchdog in watchdogs { kill(watchdog, SIGKILL) }
                tool.signal(SIGKILL)
                try await scene.wait(for: .headphones)
                times.append(ContinuousClock.now - time)
                _ = try await tool.end()
            }
            print("kills: of program and watchdog, \(times.count) times: back after \(times.max() ?? .zero) at most")
            if soakRounds != nil { #expect(times.allSatisfy { $0 < .seconds(3) }) }
            #expect(times.allSatisfy { $0 >= .seconds(2) }, "before that the watchdog could do it")
        }
    }

    /// A watchdog leaves what another program wants as well.
    @Test func whatAnotherProgramWantsToStays() async throws {
        try await Scene.with { scene in
            let first = try await LiveTool.session(scene.pipeWire, "category ambient", "activate")
            try await scene.switchToSpeaker(by: first, Self.speaker)
            let second = try await LiveTool.session(scene.pipeWire, "category ambient", "activate")
            // It is there already, so the second does not switch it, and has nothing to put back.
            #expect(try await second.reply(to: Self.speaker)["ok"] as? Bool == true)
            try second.send("quit")
            _ = try await second.end()
            #expect(scene.manager.currentRoute.outputs.map(\.type) == [.builtInSpeaker])
            first.signal(SIGKILL)
            try await scene.wait(for: .headphones)
        }
    }

    private struct Scene {
        let pipeWire: PrivatePipeWire
        let card: VirtualCard
        let manager: AudioSessionManager

        /// Headphones are in.
        static func with(_ tell: (Scene) async throws -> Void) async throws {
            let pipeWire = try await PrivatePipeWire()
            let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
            let manager = try await AudioSessionManager.connect(
                .init(remote: pipeWire.remote, applicationName: "Onlooker"))
            let scene = Scene(pipeWire: pipeWire, card: card, manager: manager)
            do {
                try await card.plug("headphones")
                try await scene.wait(for: .headphones)
                try await tell(scene)
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

        func wait(for type: PortType) async throws {
            try await waitUntil("the \(type)") { manager.currentRoute.outputs.map(\.type) == [type] }
        }

        /// They have the arguments of the program that they were copied from.
        func watchdogs() -> [pid_t] {
            let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return processes.compactMap { pid_t($0) }.filter { id in
                func text(_ file: String) -> String {
                    (try? String(contentsOfFile: "/proc/\(id)/\(file)", encoding: .utf8)) ?? ""
                }
                return text("comm") == "audio-guard\n" && text("cmdline").contains(pipeWire.remote)
            }
        }
    }
}
