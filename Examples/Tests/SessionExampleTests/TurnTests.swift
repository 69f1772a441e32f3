import AudioSessionPlayback
import AudioSessionTestKit
import AudioSessions
import ExampleTestSupport
import Foundation
import Testing

/// The built programs, one beside the other.
@Suite(.serialized, .timeLimit(.minutes(10))) struct TurnTests {
    private let folder: Folder
    private let tone: String

    init() throws {
        folder = try Folder()
        tone = try folder.tone(seconds: 60, as: "tone.wav")
    }

    private func withSpeaker(_ body: (PrivatePipeWire) async throws -> Void) async throws {
        let pipeWire = try await PrivatePipeWire()
        do {
            let card = try await VirtualCard(.builtIn(), remote: pipeWire.remote)
            try await body(pipeWire)
            await card.close()
        } catch {
            await pipeWire.stop()
            throw error
        }
        await pipeWire.stop()
    }

    private func play(on pipeWire: PrivatePipeWire) async throws -> ProgramRun {
        let music = try ProgramRun("music-player", [tone], environment: pipeWire.environment)
        try await music.line("▶ 01 tone.wav")
        return music
    }

    /// A program that is not one of the examples.
    private func session(
        _ configuration: AudioSession.Configuration, _ name: String, on pipeWire: PrivatePipeWire
    ) async throws -> AudioSession {
        let manager = try await AudioSessionManager.connect(.init(remote: pipeWire.remote, applicationName: name))
        return try AudioSession(manager: manager, configuration: configuration)
    }

    @Test func musicStopsForACallAndResumes() async throws {
        try await withSpeaker { pipeWire in
            let music = try await play(on: pipeWire)
            let call = try ProgramRun(
                "voice-call", ["--answer-after", "60", "--seconds", "60"], environment: pipeWire.environment)
            try await call.line("ringing")
            try await music.line("interrupted by voice-call: paused")
            try call.press("\n")
            try await call.line("talking")
            let second = try ProgramRun("voice-call", [], environment: pipeWire.environment)
            try await second.line("refused: A session of higher priority is active (of voice-call).")
            #expect(try await second.end().status == 75)
            try music.press(" ")
            try await music.line("refused: A session of higher priority is active (of voice-call).")
            try call.press("\n")
            try await call.line("hung up")
            #expect(try await call.end().status == 0)
            try await music.line("voice-call is done")
            try await music.line("▶ 01 tone.wav")
            try music.press("q")
            #expect(try await music.end().status == 0)
            #expect(music.seen.filter { $0.hasPrefix("interrupted") }.count == 1, "\(music.seen)")
        }
    }

    /// Without a screen, no user presses play after the call.
    @Test func aCallRefusesThePlayerThatHasNoScreen() async throws {
        try await withSpeaker { pipeWire in
            let call = try ProgramRun("voice-call", ["--answer-after", "60"], environment: pipeWire.environment)
            try await call.line("ringing")
            let music = try ProgramRun("music-player", [tone], environment: pipeWire.environment)
            try await music.line("refused: A session of higher priority is active (of voice-call).")
            let end = try await music.end()
            #expect(end.status == 75)
            #expect(end.errors.isEmpty)
            call.signal(SIGTERM)
            #expect(try await call.end().status == 128 + SIGTERM)
        }
    }

    /// The call ends by its time, by a signal, or is killed without a release.
    @Test(arguments: [0, SIGINT, SIGTERM, SIGKILL]) func musicResumesHoweverTheCallEnds(signal: Int32)
        async throws
    {
        try await withSpeaker { pipeWire in
            let music = try await play(on: pipeWire)
            let call = try ProgramRun(
                "voice-call", ["--answer-after", "0.1", "--seconds", signal == 0 ? "2" : "60"],
                environment: pipeWire.environment)
            try await call.line("talking")
            try await music.line("interrupted by voice-call: paused")
            call.signal(signal)
            let end = try await call.end()
            #expect(end.status == (signal == SIGINT || signal == SIGTERM ? 128 + signal : signal), "\(call.seen)")
            #expect(end.errors.isEmpty)
            try await music.line("voice-call is done")
            try await music.line("▶ 01 tone.wav")
            music.signal(SIGTERM)
            _ = try await music.end()
        }
    }

    @Test func aPromptDucksMusic() async throws {
        try await withSpeaker { pipeWire in
            let music = try await play(on: pipeWire)
            let prompt = try ProgramRun("navigation-prompt", [], environment: pipeWire.environment)
            try await prompt.line("speaking")
            try await music.line("ducked by navigation-prompt")
            try await prompt.line("spoken")
            let end = try await prompt.end()
            #expect(end.status == 0)
            #expect(end.errors.isEmpty)
            try await music.line("as loud as before")
            #expect(!music.seen.contains { $0.contains("interrupted") })
            try music.press("q")
            _ = try await music.end()
        }
    }

    @Test func aPromptInterruptsAPodcast() async throws {
        try await withSpeaker { pipeWire in
            let session = try await session(.init(.playback, mode: .spokenAudio), "Podcast", on: pipeWire)
            let player = AudioPlayer(session: session)
            try await player.load([tone])
            try await player.play()
            let events = player.events()
            let prompt = try ProgramRun("navigation-prompt", [tone], environment: pipeWire.environment)
            for await case .stateChanged(.paused(reason: .interrupted), _) in events { break }
            guard case .interrupted(let by) = session.silenceReasons.first else {
                Issue.record("silent for another reason: \(session.silenceReasons)")
                return
            }
            #expect(by.map(\.applicationName) == ["navigation-prompt"])
            #expect(by.map(\.processID) == [Int(prompt.processID)])
            prompt.signal(SIGINT)
            for await case .stateChanged(.playing, _) in events { break }
            #expect(try await prompt.end().status == 128 + SIGINT)
            await player.close()
            await session.manager.close()
        }
    }

    /// A prompt would be out of date after the call.
    @Test func aCallEndsAPrompt() async throws {
        try await withSpeaker { pipeWire in
            let prompt = try ProgramRun("navigation-prompt", [tone], environment: pipeWire.environment)
            try await prompt.line("speaking")
            let call = try await session(.init(.playAndRecord, mode: .voiceChat), "Phone", on: pipeWire)
            try await call.activate()
            try await prompt.line("interrupted by Phone (process \(getpid()))")
            #expect(try await prompt.end().status == 75)
            #expect(!prompt.seen.contains { $0.hasPrefix("spoken") }, "\(prompt.seen)")
            await call.manager.close()
        }
    }

    @Test func theDestructionOfItsStreamEndsAPrompt() async throws {
        try await withSpeaker { pipeWire in
            let prompt = try ProgramRun("navigation-prompt", [tone], environment: pipeWire.environment)
            try await prompt.line("speaking")
            let tap = try await SinkTap(sink: "alsa_output.pci-virtual_0.analog-stereo", remote: pipeWire.remote)
            try await tap.waitUntilLoud()
            let dump = try await pipeWire.run("pw-dump").output
            let objects = try JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [[String: Any]] ?? []
            let stream = objects.first { object in
                let properties = (object["info"] as? [String: Any])?["props"] as? [String: Any]
                return properties?["media.class"] as? String == "Stream/Output/Audio"
            }
            let id = try #require(stream?["id"] as? Int)
            _ = try await pipeWire.run("pw-cli", ["destroy", "\(id)"])
            try await prompt.line("The stream to PipeWire failed")
            #expect(try await prompt.end().status == 69)
            await tap.close()
        }
    }

    @Test func thePlayerPlaysPodcastsToo() async throws {
        try await withSpeaker { pipeWire in
            let podcast = try ProgramRun("music-player", ["--spoken", tone], environment: pipeWire.environment)
            try await podcast.line("▶ 01 tone.wav")
            let prompt = try ProgramRun("navigation-prompt", [], environment: pipeWire.environment)
            try await podcast.line("interrupted by navigation-prompt: paused")
            try await podcast.line("navigation-prompt is done")
            try await podcast.line("▶ 01 tone.wav")
            #expect(try await prompt.end().status == 0)
            try podcast.press("q")
            _ = try await podcast.end()
        }
    }

    @Test func whatThePlayerInterruptedGoesOnAfterIt() async throws {
        try await withSpeaker { pipeWire in
            let hello = try ProgramRun("hello-session", [tone], environment: pipeWire.environment)
            try await hello.line("playing on ")
            let short = try folder.tone(seconds: 0.2, as: "short.wav")
            let music = try ProgramRun("music-player", [short], environment: pipeWire.environment)
            try await hello.line("interrupted by music-player: paused")
            #expect(try await music.end().status == 0)
            try await hello.line("resuming")
            hello.signal(SIGTERM)
            _ = try await hello.end()
        }
    }

    /// A user who presses play takes back, if the other session is not more important.
    @Test func theSpaceBarTakesBack() async throws {
        try await withSpeaker { pipeWire in
            let first = try await play(on: pipeWire)
            let second = try await play(on: pipeWire)
            try await first.line("interrupted by music-player: paused")
            try first.press(" ")
            try await first.line("▶ 01 tone.wav")
            try await second.line("interrupted by music-player: paused")
            for run in [first, second] {
                try run.press("q")
                #expect(try await run.end().status == 0)
            }
        }
    }

    @Test func aCallPrintsItsEvents() async throws {
        try await withSpeaker { pipeWire in
            let call = try ProgramRun(
                "voice-call", ["--answer-after", "0", "--seconds", "60"], environment: pipeWire.environment)
            try await call.line("talking")
            let alarm = try await session(.init(.playback, priority: .emergency), "Siren", on: pipeWire)
            try await alarm.activate()
            try await call.line("interrupted by Siren (process \(getpid()))")
            try await alarm.deactivate()
            try await call.line("the interruption is over: resuming")
            try call.press("\n")
            try await call.line("hung up")
            #expect(try await call.end().status == 0)
            let prompt = try await session(.init(.playback, options: .duckOthers), "Maps", on: pipeWire)
            let speaker = try ProgramRun("voice-call", ["--answer-after", "60"], environment: pipeWire.environment)
            try await speaker.line("ringing")
            try await prompt.activate()
            // It continues to ring, because nothing ducks a session of higher priority.
            speaker.signal(SIGINT)
            #expect(try await speaker.end().status == 130)
            #expect(!speaker.seen.contains { $0.hasPrefix("ducked") })
            for session in [alarm, prompt] { await session.manager.close() }
        }
    }

    @Test func onATerminalEnterAnswersAndHangsUp() async throws {
        try await withSpeaker { pipeWire in
            let call = try ScreenRun(
                "voice-call", ["--answer-after", "60", "--seconds", "60"], environment: pipeWire.environment,
                columns: 80,
                rows: 24)
            try await call.see("ringing")
            call.press("\n")
            try await call.see("talking")
            call.press("\n")
            try await call.see("hung up")
            #expect(call.end() == 0)
            #expect(call.isCooked)
        }
    }

    @Test func impossibleArgumentsAreReported() async throws {
        var environment = ProcessInfo.processInfo.environment
        environment["XDG_RUNTIME_DIR"] = folder.path
        environment["PIPEWIRE_RUNTIME_DIR"] = nil
        environment["PIPEWIRE_REMOTE"] = nil
        for program in ["voice-call", "navigation-prompt"] {
            let run = try ProgramRun(program, [], environment: environment)
            try await run.line("PipeWire is not running")
            #expect(try await run.end().status == 69)
        }
        #expect(try await ProgramRun("voice-call", ["--seconds", "-1"], environment: environment).end().status == 64)
        try await withSpeaker { pipeWire in
            let missing = try ProgramRun("navigation-prompt", ["/none.wav"], environment: pipeWire.environment)
            try await missing.line("There is no file '/none.wav'")
            #expect(try await missing.end().status == 66)
            let orphan = try ProgramRun("voice-call", ["--answer-after", "60"], environment: pipeWire.environment)
            try await orphan.line("ringing")
            await pipeWire.killDaemon()
            try await orphan.line("PipeWire was lost.")
            #expect(try await orphan.end().status == 69)
        }
    }
}
