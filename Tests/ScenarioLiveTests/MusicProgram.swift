import AudioSessionCore
import AudioSessions
import PipeWireGraph
import TestSupport
import Testing

@testable import AudioSessionTestKit

/// A program with music, in this process, which others must not affect.
struct MusicProgram {
    let manager: AudioSessionManager
    let session: AudioSession
    let received = EventLog<AudioSession.Event>()
    private let observation: EventObservation

    init(_ name: String = "Music", on pipeWire: PrivatePipeWire) async throws {
        manager = try await AudioSessionManager.connect(.init(remote: pipeWire.remote, applicationName: name))
        session = try AudioSession(manager: manager, configuration: .init(.playback, group: name))
        observation = session.observe { [received] in if !$0.isSilenceChange { received.append($0.timeless) } }
    }

    /// Waits until its view of the sessions satisfies the condition.
    func wait(
        for what: String, within limit: Duration = .seconds(60), sourceLocation: SourceLocation = #_sourceLocation,
        until isMet: (SoundOverview) -> Bool
    ) async throws {
        var overview = await manager.overview
        try await waitUntil("\(what), in \(overview)", within: limit, sourceLocation: sourceLocation) {
            overview = await manager.overview
            return isMet(overview)
        }
    }

    /// Checks that the program can activate, and computes the same state as a program that starts
    /// now.
    func expectUnaffected(on pipeWire: PrivatePipeWire, _ moment: Comment) async throws {
        try await wait(for: "no other session, \(moment)") {
            $0.sessions.allSatisfy { $0.id.session == session.id }
        }
        if session.state != .active { try await session.activate() }
        #expect(session.state == .active, moment)
        #expect(session.gain == 1, moment)
        let late = try await AudioSessionManager.connect(.init(remote: pipeWire.remote, applicationName: "Late"))
        // A new token reaches each of them at its own time.
        try await waitUntil("the same view, \(moment)") { await late.overview.sessions == manager.overview.sessions }
        await late.close()
        expectTurns(moment)
    }

    /// Each interruption that began has ended, by an event or a new activation, and only active or
    /// advised sessions are interrupted.
    func expectTurns(_ moment: Comment) {
        var isActive = false
        var isInterrupted = false
        var isAdvised = false
        for event in received.events {
            switch event {
            case .stateChanged(.active, _): (isActive, isInterrupted, isAdvised) = (true, false, false)
            case .interruptionBegan:
                #expect((isActive || isAdvised) && !isInterrupted, moment)
                (isInterrupted, isAdvised) = (true, false)
            case .interruptionEnded(let options, _):
                #expect(isInterrupted, moment)
                (isInterrupted, isAdvised) = (false, options.contains(.shouldResume))
            case .stateChanged(.inactive, _): isActive = false
            default: break
            }
        }
        #expect(!isInterrupted, moment)
    }
}
