import AudioSessionCore
import Foundation
import TestSupport
import Testing

@testable import AudioSessionTestKit
@testable import AudioSessionTool

/// A prompt that ducks others, and a player without a session: `pw-play`.
@Suite(.live, .serialized, .timeLimit(.minutes(10))) struct DuckRunTests {
    /// The level of a ducked player, as a fraction of its full level.
    private static let loud: Float = 0.25
    private static let ducked: Float = 0.05

    @Test func aPlayerIsDuckedForThePromptAndTheVolumeIsNotStored() async throws {
        try await Self.with { stage in
            let prompt = try await stage.prompt()
            _ = try await prompt.reply(to: "activate")
            try await wait(prompt, for: "unmanagedDucked", 1)
            try await stage.wait(for: Self.ducked)
            let event = try #require(prompt.seen.first { $0.contains("unmanagedDucked") })
            #expect(event.contains("\"pid\":\(stage.player.id)") && event.contains("\"gain\":0.2"), "\(event)")
            // A player that starts meanwhile is ducked as well: two of them are not as loud as one.
            let second = try await stage.play()
            try await wait(prompt, for: "unmanagedDucked", 2)
            try await stage.wait(for: 2 * Self.ducked)
            _ = try await prompt.reply(to: "deactivate")
            try await wait(prompt, for: "unmanagedRestored", 2)
            try await stage.wait(for: 2 * Self.loud)
            second.signal(SIGKILL)
            await second.exited()
            stage.player.signal(SIGKILL)
            await stage.player.exited()
            // A session manager applies a stored volume to the program's next stream.
            let next = try await stage.play()
            try await stage.wait(for: Self.loud)
            next.signal(SIGKILL)
        }
    }

    @Test func aPlayerIsRestoredAfterTheLastPromptIsKilled() async throws {
        try await Self.with { stage in
            let marks = try await AnnouncementWatch(.mark, on: stage.pipeWire.remote)
            let (one, two) = (try await stage.prompt(), try await stage.prompt())
            _ = try await one.reply(to: "activate")
            try await wait(one, for: "unmanagedDucked", 1)
            _ = try await two.reply(to: "activate")
            try await wait(two, for: "unmanagedDucked", 1)
            // The event precedes the announcement by which the other's watchdog leaves the player.
            try await waitUntil("both announce that they duck") { await marks.carriers.count == 2 }
            try await stage.wait(for: Self.ducked)
            one.signal(SIGKILL)
            // There is no moment of full volume, long enough for its watchdog to have restored it.
            await stage.tap.reset()
            _ = try await stage.tap.waitUntilHeard(frames: 72_000)
            #expect(await stage.tap.report.peak < 2 * Self.ducked)
            two.signal(SIGKILL)
            // `Scripts/soak with` limits the time.
            try await stage.wait(for: Self.loud)
        }
    }

    @Test func aVolumeThatTheUserSetsMeanwhileStays() async throws {
        try await Self.with { stage in
            let prompt = try await stage.prompt()
            _ = try await prompt.reply(to: "activate")
            try await stage.wait(for: Self.ducked)
            try await stage.setVolume(0.5)
            try await stage.wait(for: Self.ducked / 2)
            _ = try await prompt.reply(to: "deactivate")
            try await stage.wait(for: Self.loud / 2)
            // The same once more, as if there had been no prompt.
            try await stage.setVolume(1)
            try await stage.wait(for: Self.loud)
        }
    }

    @Test func noStreamIsDuckedWhereTheSessionManagerDucksRoles() async throws {
        try await Self.with { stage in
            // WirePlumber's sinks of roles are such loopbacks.
            let sink = "{ node.name=role media.class=Audio/Sink policy.role-based.target=true }"
            let roles = try await stage.pipeWire.launch(
                stage.pipeWire.tools + "/pw-loopback", ["-i", sink, "-o", "{ node.autoconnect=false }"], log: "roles")
            defer { roles.signal(SIGKILL) }
            try await waitUntil("the sink of a role") {
                try await stage.pipeWire.run("pw-cli", ["ls", "Node"]).output.contains("node.name = \"role\"")
            }
            let prompt = try await stage.prompt()
            _ = try await prompt.reply(to: "activate")
            try await wait(prompt, for: "unmanagedLeftToRolePolicy", 1)
            #expect(try await prompt.events("unmanagedDucked") == [])
            await stage.tap.reset()
            _ = try await stage.tap.waitUntilHeard(frames: 9600)
            #expect(await stage.tap.report.peak > Self.loud * 0.9)
        }
    }

    @Test func programsWithSessionsDuckThemselves() async throws {
        try await Self.with { stage in
            let other = try await LiveTool.session(stage.pipeWire, "category ambient", "play tone")
            let prompt = try await stage.prompt()
            _ = try await prompt.reply(to: "activate")
            _ = try await other.event("ducking")
            try await wait(prompt, for: "unmanagedDucked", 1)
            _ = try await prompt.reply(to: "deactivate")
            try await wait(prompt, for: "unmanagedRestored", 1)
            let pid = "\"pid\":\(other.processIdentifier)"
            #expect(!prompt.seen.contains { $0.contains("unmanagedDucked") && $0.contains(pid) })
        }
    }

    // MARK: The stage

    private struct Stage {
        let pipeWire: PrivatePipeWire
        let tap: SinkTap
        let player: ChildProcess

        /// A program that ducks others by its configuration.
        func prompt() async throws -> LiveTool {
            try await LiveTool.session(pipeWire, "category playback options=duckOthers", "unmanaged auto")
        }

        func play() async throws -> ChildProcess { try await DuckRunTests.play(pipeWire) }

        /// Waits for this level of the sound.
        func wait(for level: Float, sourceLocation: SourceLocation = #_sourceLocation) async throws {
            var peak: Float = 0
            try await waitUntil("the level is \(level), not \(peak)", sourceLocation: sourceLocation) {
                await tap.reset()
                peak = try await tap.waitUntilHeard(frames: 2400).peak
                return abs(peak - level) <= level * 0.02
            }
        }

        /// Sets the volume as a mixer does.
        func setVolume(_ volume: Double) async throws {
            let dump = try await pipeWire.run("pw-dump").output
            let objects = try JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [[String: Any]] ?? []
            let stream = objects.first { object in
                let properties = (object["info"] as? [String: Any])?["props"] as? [String: Any]
                return properties?["media.class"] as? String == "Stream/Output/Audio"
            }
            let id = try #require(stream?["id"] as? Int)
            let properties = "{ channelVolumes: [ \(volume), \(volume) ] }"
            _ = try await pipeWire.run("pw-cli", ["set-param", "\(id)", "Props", properties])
        }
    }

    private static func with(_ body: (Stage) async throws -> Void) async throws {
        let pipeWire = try await PrivatePipeWire()
        let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
        let tap = try await SinkTap(
            sink: "alsa_output.pci-virtual_0.analog-stereo", remote: pipeWire.remote, threshold: 0.01)
        try constantSound.write(to: URL(fileURLWithPath: pipeWire.directory + "/constant.wav"))
        let stage = Stage(pipeWire: pipeWire, tap: tap, player: try await play(pipeWire))
        try await stage.wait(for: loud)
        try await body(stage)
        stage.player.signal(SIGKILL)
        await tap.close()
        await card.close()
        await pipeWire.stop()
    }

    private static func play(_ pipeWire: PrivatePipeWire) async throws -> ChildProcess {
        try await pipeWire.launch(
            pipeWire.tools + "/pw-play", [pipeWire.directory + "/constant.wav"], log: "player")
    }

    /// A minute of 16-bit stereo of constant level, so that two players are twice as loud.
    private static var constantSound: Data {
        var samples = [UInt8](repeating: 0, count: 60 * 48_000 * 4)
        for index in stride(from: 1, to: samples.count, by: 2) { samples[index] = 0x20 }
        return Data(waveFile(samples))
    }

    /// The event may precede the answer to the command that caused it.
    private func wait(_ program: LiveTool, for event: String, _ count: Int) async throws {
        try await waitUntil("\(count) of \(event)") { try await program.events(event).count >= count }
    }
}
