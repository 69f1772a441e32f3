import AudioSessionCore
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionTestKit

/// Programs with tokens that are Session objects, and programs with tokens that are Devices.
@Suite(.live, .serialized, .timeLimit(.minutes(10))) struct CarrierTests {
    private static let options = {
        var options = PrivatePipeWire.Options.withoutSessionManager
        options.hasSessionObjects = true
        return options
    }()

    @Test func tokensAreSessionObjectsWherePipeWireHasThem() async throws {
        let pipeWire = try await PrivatePipeWire(Self.options)
        let tokens = try await AnnouncementWatch(.token, on: pipeWire.remote)
        let music = try await MusicProgram(on: pipeWire)
        try await music.session.activate()
        try await waitUntil("the token") { await tokens.carriers == [.session] }
        await music.manager.close()
        await pipeWire.stop()
    }

    @Test func tokensAreDevicesWhereTheDaemonHasNoSessionObjects() async throws {
        var options = Self.options
        options.hasSessionObjects = false
        let pipeWire = try await PrivatePipeWire(options)
        let tokens = try await AnnouncementWatch(.token, on: pipeWire.remote)
        let music = try await MusicProgram(on: pipeWire)
        try await music.session.activate()
        try await waitUntil("the token") { await tokens.carriers == [.device] }
        let film = try await MusicProgram("Film", on: pipeWire)
        try await film.session.activate()
        try await music.received.wait(for: "the interruption") { $0.contains(.stateChanged(.interrupted)) }
        try await film.session.deactivate()
        try await music.received.wait(for: "its end") {
            $0.contains { if case .interruptionEnded = $0 { true } else { false } }
        }
        for program in [music, film] { await program.manager.close() }
        await pipeWire.stop()
    }

    /// Programs with either carrier act on each other in both directions, on one daemon.
    @Test func programsWithEitherInterruptEachOther() async throws {
        let pipeWire = try await PrivatePipeWire(Self.options)
        let tokens = try await AnnouncementWatch(.token, on: pipeWire.remote)
        let music = try await MusicProgram(on: pipeWire)
        try await music.session.activate()
        let old = try await Crowd(
            .exclusive, sessions: 1, in: 1, on: pipeWire, variables: pipeWire.variablesWithoutSessionObjects())
        try await music.received.wait(for: "the interruption") { $0.contains(.stateChanged(.interrupted)) }
        try await waitUntil("a token of each kind") { await Set(tokens.carriers) == [.device, .session] }
        try await music.session.activate()
        try await music.wait(for: "the other's interruption") {
            $0.sessions.count == 2
                && $0.sessions.allSatisfy { ($0.state == .active) == ($0.id.session == music.session.id) }
        }
        await old.kill()
        try await music.expectUnaffected(on: pipeWire, "the program with a Device has ended")
        await music.manager.close()
        await pipeWire.stop()
    }
}
