import AudioSessionCore
import AudioSessionTestKit
import AudioSessions
import TestSupport
import Testing

@testable import AudioSessionDesktop

/// What a session and its manager report to the streams of a hosted program, and the reverse.
@Suite(.timeLimit(.minutes(10))) struct HostedParticipantTests {
    /// The host receives the session's own events by another sequence, and perhaps earlier. Its
    /// program would stay muted.
    @Test func theLossOfPipeWireEndsTheDangerToTheOutput() async throws {
        let system = try FakeLaptop.system(with: .headphones)
        let session = try AudioSession(manager: try await system.connect(), configuration: .init(.playback))
        let participant = HostedParticipant(of: session)
        participant.update(ParticipantFacts(), lost: nil)
        try await waitUntil("it has joined the session") { participant.reported != nil }
        participant.receive(RouteInput.endangered)
        system.fail()
        participant.leave()
        var events: [HostedProgramStateMachine.Event] = []
        for await event in participant.events { events.append(event) }
        #expect(events.count == 2 && events.last == .outputKept, "\(events)")
    }
}
