import AudioSessionTool
import AudioSessions

extension SimulatePromptCommand: Simulation {
    func simulate() async throws {
        let ending = try Ending()
        ending.followSignals()
        let manager = try await connection.connect(until: ending)
        let configuration = AudioSessionConfiguration(
            .playback, mode: .voicePrompt, options: [.duckOthers, .interruptSpokenAudioAndMixWithOthers])
        do {
            let prompt = try SimulatedSession(
                "prompt", configuration, on: manager, until: ending, output: LineOutput(ending: ending), json: json)
            try await prompt.enter(.speaking) { try await $0.activate() }
            _ = try await prompt.last(.seconds(seconds))
            try await prompt.enter(.silent) { try await $0.deactivate() }
        } catch {
            throw ToolFailure(error)
        }
        await manager.close()
    }
}

extension SimulatedSession.Phase {
    fileprivate static let speaking = Self(name: "speaking", sentence: "it speaks, and others are ducked")
    fileprivate static let silent = Self(name: "ended", sentence: "it has spoken, and others are as before")
}
