import AudioSessionTool
import AudioSessions

extension SimulateCallCommand: Simulation {
    func simulate() async throws {
        let ending = try Ending()
        ending.followSignals()
        let manager = try await connection.connect(until: ending)
        let output = LineOutput(ending: ending)
        do {
            let call = try SimulatedSession(
                "call", .init(.playback, priority: .ringtone), on: manager, until: ending, output: output, json: json)
            try await run(call)
        } catch {
            throw ToolFailure(error)
        }
        await manager.close()
    }

    private func run(_ call: SimulatedSession) async throws {
        try await call.enter(.ringing) { try await $0.activate() }
        if try await call.last(.seconds(ringing)) {
            // One session covers ringing and talking, so that other sessions are interrupted only
            // once.
            try await call.enter(.talking) { try await $0.configure(.init(.playAndRecord, mode: .voiceChat)) }
            _ = try await call.last(.seconds(seconds))
        }
        try await call.enter(.hungUp) { try await $0.deactivate() }
    }
}

extension SimulatedSession.Phase {
    fileprivate static let ringing = Self(name: "ringing", sentence: "the telephone rings")
    fileprivate static let talking = Self(name: "active", sentence: "the call is on")
    fileprivate static let hungUp = Self(name: "ended", sentence: "the call is over, and others may resume")
}
