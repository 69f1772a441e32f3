import AudioSessionCore
import AudioSessions
import Glibc
import TestSupport
import Testing

@testable import AudioSessionTestKit

/// A program that creates a token, and shows it to others later. Each delay has its own PipeWire.
@Suite(.live, .timeLimit(.minutes(10))) struct HeldBackTests {
    /// An emergency would end a call. One whose token was created before the call and shown later
    /// must not.
    @Test(.enabled(if: PrivatePipeWire.Options().hasSessionObjects), arguments: [0, 100, 500, 1000, 2000])
    func aHeldBackTokenHasTheSameStateForAllPrograms(milliseconds: Int) async throws {
        let pipeWire = try await PrivatePipeWire(.withoutSessionManager)
        let early = try await MusicProgram(on: pipeWire)
        let call = try await MusicProgram("Call", on: pipeWire)
        try await call.session.configure(.init(.playAndRecord, mode: .voiceChat))
        let flood = try await Flood.hold("late", 0, early, pipeWire)
        #expect(try await flood.waitUntilStopped())
        try await call.session.activate()
        // The delay of the token is what the test varies, so it awaits no event.
        try await Task.sleep(for: .milliseconds(milliseconds))
        flood.signal(SIGCONT)
        #expect(try await flood.waitUntilStopped())
        // This is longer than the interval of reviews.
        let end = ContinuousClock.now + .milliseconds(1500)
        repeat { try await expect([.communication], early, pipeWire) } while ContinuousClock.now < end
        #expect(call.session.state == .active)
        try await call.session.deactivate()
        try await early.wait(for: "the emergency alone") { $0.sessions.map(\.traits.priority) == [.emergency] }
        try await expect([.emergency], early, pipeWire)
        flood.signal(SIGKILL)
        await flood.exited()
        for program in [early, call] { await program.manager.close() }
        await pipeWire.stop()
    }

    /// The sessions as seen by a program that was there, and by one that starts now.
    private func expect(
        _ priorities: [TokenPriority], _ early: MusicProgram, _ pipeWire: PrivatePipeWire
    ) async throws {
        let late = try await AudioSessionManager.connect(.init(remote: pipeWire.remote, applicationName: "Late"))
        for manager in [early.manager, late] {
            #expect(await manager.overview.sessions.map(\.traits.priority) == priorities)
        }
        await late.close()
    }
}
