import ArgumentParser
import AudioSessionPlayback
import AudioSessions
import ExampleSupport

/// Rings, connects and hangs up, as a telephone program does.
@main
struct VoiceCall: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "voice-call",
        abstract: "Rings, talks and hangs up: others are interrupted meanwhile, and may then resume.",
        discussion: """
            Enter answers, and hangs up; so does the time that passes.

            Exit codes: 0 hung up; 64 the command line is wrong; 69 PipeWire cannot be reached, or was lost; 75 \
            refused; 128 and more: ended by the signal of that number less 128.
            """)

    @Option(help: ArgumentHelp("How long it rings before it is answered by itself.", valueName: "seconds"))
    var answerAfter = 5.0

    @Option(help: ArgumentHelp("How long the call lasts.", valueName: "seconds"))
    var seconds = 10.0

    func validate() throws {
        for time in [answerAfter, seconds] where !(0...1_800).contains(time) {
            throw ValidationError("\(time) is not from 0 to 1800 seconds.")
        }
    }

    func run() async throws {
        do {
            try await call()
        } catch {
            if let words = error.lastWords { say(words) }
            throw ExitCode(error.exitStatus)
        }
    }

    private func call() async throws {
        let happenings = Happenings()
        let manager = try await AudioSessionManager.connect(.init(applicationName: "voice-call"))
        // Rings above music and alarms, which do not silence it.
        let session = try AudioSession(
            manager: manager, configuration: .init(.playback, priority: .ringtone))
        let player = AudioPlayer(session: session, configuration: .init(role: .communication))
        let (ring, voice) = (try Sound.ring(), try Sound.voice())
        happenings.follow(player)
        happenings.followEnter()
        // However it ends, the interrupted sessions are advised to resume.
        try await session.withActiveSession {
            try await player.loop(ring)
            say("ringing: others are silent · Enter answers")
            try await happenings.wait(atMost: .seconds(answerAfter), until: \.isEnter)
            await player.stop()
            // The same session: a program that the ring interrupted receives no further event.
            try await session.configure(.init(.playAndRecord, mode: .voiceChat))
            try await player.loop(voice)
            say("talking: media, alarms and ringing calls cannot interrupt · Enter hangs up")
            try await happenings.wait(atMost: .seconds(seconds), until: \.isEnter)
        }
        say("hung up: others may resume")
        await manager.close()
        withExtendedLifetime((ring, voice)) {}
    }
}

extension AudioPlayer {
    /// Plays it repeatedly, for longer than a call may last here.
    fileprivate func loop(_ sound: Sound) async throws(AudioSessionError) {
        try await load(Array(repeating: sound.path, count: 900))
        try await play()
    }
}

extension Happenings.Happening {
    fileprivate var isEnter: Bool { if case .enter = self { true } else { false } }
}
