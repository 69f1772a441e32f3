import ArgumentParser
import AudioSessionPlayback
import AudioSessions
import ExampleSupport

/// Speaks above the music, as a navigation program does at a crossing.
@main
struct NavigationPrompt: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "navigation-prompt",
        abstract: "Says something above the music: music is ducked meanwhile, and a podcast pauses.",
        discussion: """
            Exit codes: 0 said; 64 the command line is wrong; 66 the file cannot be played; 69 PipeWire cannot be \
            reached, or was lost, or its output failed; 75 refused, or interrupted; 128 and more: ended by the signal \
            of that number less 128.
            """)

    @Argument(help: "A sound file to say instead of a chime.")
    var file: String?

    func run() async throws {
        do {
            try await speak()
        } catch let status as ExitCode {
            throw status
        } catch {
            if let words = error.lastWords { say(words) }
            throw ExitCode(error.exitStatus)
        }
    }

    private func speak() async throws {
        let happenings = Happenings()
        let manager = try await AudioSessionManager.connect(.init(applicationName: "navigation-prompt"))
        // Ducks music and interrupts speech, because two voices at once are not understood.
        let session = try AudioSession(
            manager: manager,
            configuration: .init(
                .playback, mode: .voicePrompt, options: [.duckOthers, .interruptSpokenAudioAndMixWithOthers]))
        let player = AudioPlayer(session: session)
        let chime = try Sound.chime()
        try await player.load([file.map(SoundFileName.string(argument:)) ?? chime.path])
        happenings.follow(player)
        // However it ends, the others are restored, and a podcast is advised to resume.
        let end = try await session.withActiveSession {
            try await player.play()
            say("speaking: music is ducked, a podcast pauses")
            return try await happenings.wait(until: \.isEnd)
        }
        await manager.close()
        withExtendedLifetime(chime) {}
        // The other ends were printed when they happened.
        switch end {
        case .player(.finished): say("spoken: the others are as before")
        case .session: throw ExitCode(75)
        default: throw ExitCode(69)
        }
    }
}

extension Happenings.Happening {
    /// Whether the prompt has ended. After an interruption, as by a call, it would be out of date.
    fileprivate var isEnd: Bool {
        switch self {
        case .player(.finished), .session(.interruptionBegan): true
        // The session's own event follows these two.
        case .player(.stateChanged(.paused(let reason), _)): ![.interrupted, .mediaServicesLost].contains(reason)
        default: false
        }
    }
}
