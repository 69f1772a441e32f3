import AudioSessionDesktop
import AudioSessionPlayback
import AudioSessions
import PipeWireGraph

/// Performs the commands of `audiosession run` for one session, one after the other.
struct RunConsole {
    let manager: AudioSessionManager
    let session: AudioSession
    let player: AudioPlayer
    let recorder: AudioRecorder
    let unmanaged: RunUnmanaged
    private var tone: Tone?
    /// The player on the desktop, from the first sound on; `nil` if there is no desktop.
    private var nowPlaying: NowPlaying?
    private var sleepInhibitor: SleepInhibitor?

    /// The longest duration of a tone, in minutes.
    private static let toneLength = 120

    /// Makes a session with a player and a recorder.
    ///
    /// - Parameters:
    ///   - manager: The manager of the session.
    ///   - onEvent: Called with events of programs without sessions.
    init(
        manager: AudioSessionManager, onEvent: @escaping @Sendable (UnmanagedAudio.Event) -> Void
    ) throws(AudioSessionError) {
        self.manager = manager
        var configuration = AudioSession.Configuration()
        configuration.resumesAfterInterruption = false
        configuration.unmanagedAudioPolicy = .leave
        session = try AudioSession(manager: manager, configuration: configuration)
        player = AudioPlayer(session: session)
        recorder = AudioRecorder(session: session)
        unmanaged = RunUnmanaged(session: session, onEvent: onEvent)
    }

    mutating func perform(_ action: RunCommandLine.Action) async -> Result<[(String, JSONValue)], RunFailure> {
        do {
            return .success(try await carryOut(action))
        } catch {
            return .failure(RunFailure(error))
        }
    }

    private mutating func carryOut(_ action: RunCommandLine.Action) async throws -> [(String, JSONValue)] {
        switch action {
        case .category(let new):
            try await session.setCategory(
                new.category, mode: new.mode, policy: new.routeSharingPolicy, options: new.options)
        case .priority(let priority): try await configure { $0.priority = priority }
        case .group(let name): try await configure { $0.group = name }
        case .background(let isInBackground): await manager.setInBackground(isInBackground)
        case .activate: try await session.activate()
        case .deactivate(let notify): return try await deactivate(notify: notify)
        case .play(let sound): try await play(sound)
        case .pause: await player.pause()
        case .stop: await player.stop()
        case .volume(let volume): try await player.setVolume(volume)
        case .auto(let resumes): try await configure { $0.resumesAfterInterruption = resumes }
        case .replug(let resumes): try await configure { $0.resumesOnReplug = resumes }
        case .noisy(let pauses): try await configure { $0.pausesOnRouteLoss = pauses }
        case .prefer(let direction, let uid): try await prefer(uid, direction)
        case .override(let override): try await session.overrideOutputAudioPort(override)
        case .sources(let selection): return try await sources(selection)
        case .state, .route, .why, .ports, .other: return await answer(action)
        case .numbers:
            await session.updateSilence()
            return RunFormat.numbers(session)
        case .preferRate(let rate): try await session.setPreferredSampleRate(rate)
        case .preferBuffer(let duration): try await session.setPreferredIOBufferDuration(duration)
        case .preferChannels(.output, let count): try await session.setPreferredOutputNumberOfChannels(count)
        case .preferChannels(.input, let count): try await session.setPreferredInputNumberOfChannels(count)
        case .inputGain(let gain): try await session.setInputGain(gain)
        case .record(let path?): try await recorder.record(to: path)
        case .record(nil): return RunFormat.recording(await recorder.stop())
        case .unmanaged(let policy):
            try await configure { $0.unmanagedAudioPolicy = policy }
            if policy != .leave { try unmanaged.begin() }
        case .mute(let isMuted): await manager.setInputMuted(isMuted)
        case .help: return [("commands", Self.commands)]
        case .quit: break
        }
        return []
    }

    /// The commands with their effects, for the reply of `help`.
    private static var commands: JSONValue {
        .array(RunUsage.all.map { .object([("syntax", .string($0.syntax)), ("effect", .string($0.effect))]) })
    }

    private func configure(_ change: (inout AudioSessionConfiguration) -> Void) async throws(AudioSessionError) {
        var configuration = session.configuration
        change(&configuration)
        try await session.configure(configuration)
    }

    private func deactivate(notify: Bool) async throws(AudioSessionError) -> [(String, JSONValue)] {
        let report = try await session.deactivate(notify ? .notifyOthersOnDeactivation : [])
        let names = report.stoppedStreams.map { $0 == tone?.path ? "tone" : $0 }
        return [("stoppedStreams", .array(names.map { .string($0) }))]
    }

    /// Plays a sound. The session is activated before the player starts, because the error of the
    /// session says more than the player's.
    private mutating func play(_ sound: RunCommandLine.Sound) async throws {
        try session.configuration.require(.output, for: "Playing")
        switch sound {
        case .same: if player.queue.isEmpty { try await load(toneOf: Tone.concertPitch) }
        case .tone(let hertz): try await load(toneOf: hertz)
        case .file(let path): try await player.load([path])
        }
        if nowPlaying == nil, NowPlaying.hasDesktop {
            nowPlaying = try? NowPlaying(player: player, name: "audiosession")
        }
        if sleepInhibitor == nil { sleepInhibitor = try? SleepInhibitor(manager: manager) }
        if session.state == .inactive { try await session.activate() }
        try await player.play()
    }

    /// Loads a tone. The former tone is released when the player does not use it any more.
    private mutating func load(toneOf hertz: Int) async throws {
        let new = try Tone(hertz: hertz)
        try await player.load(Array(repeating: new.path, count: Self.toneLength))
        tone = new
    }

    private func answer(_ question: RunCommandLine.Action) async -> [(String, JSONValue)] {
        // This call runs on PipeWire's thread, so all earlier notifications are processed after it.
        await session.updateSilence()
        let isPlaying = player.state == .playing
        let isRecording = recorder.state == .recording
        switch question {
        case .state:
            return RunFormat.state(
                session.state, session.configuration, gain: session.gain, isPlaying: isPlaying,
                isRecording: isRecording)
        case .route:
            let route = session.currentRoute
            return [("inputs", JSONFormat.ports(route.inputs)), ("outputs", JSONFormat.ports(route.outputs))]
                + RunFormat.choice(session.routeChoice)
        case .ports:
            return [
                ("inputs", JSONFormat.ports(manager.availableInputs)),
                ("outputs", JSONFormat.ports(manager.availableOutputs)),
            ]
        case .other:
            return [
                ("isOtherAudioPlaying", .bool(session.isOtherAudioPlaying)),
                ("hint", .bool(session.secondaryAudioShouldBeSilencedHint)),
            ]
        default: return RunFormat.why(session.silenceReasons)
        }
    }
}
