import AudioSessionDesktop
import AudioSessionPlayback
import AudioSessions

/// All of the program's use of the library. The other files have folders, texts and terminals.
struct Player: Sendable {
    let manager: AudioSessionManager
    let audio: AudioPlayer
    /// Media keys and the desktop's widgets, where there is a desktop. They are optional.
    let nowPlaying: NowPlaying?
    /// Silences the player before the computer sleeps, where logind announces it.
    let sleepInhibitor: SleepInhibitor?

    /// Opens the player of the program.
    /// - Parameter isSpoken: whether the sound is speech, which a prompt interrupts instead of
    ///   ducking.
    /// - Throws: an error with a text for users, when PipeWire does not run.
    static func connect(isSpoken: Bool) async throws(MusicPlayerFailure) -> Player {
        do {
            let manager = try await AudioSessionManager.connect(.init(applicationName: "music-player"))
            let session = try AudioSession(
                manager: manager, configuration: .init(.playback, mode: isSpoken ? .spokenAudio : .default))
            let audio = AudioPlayer(session: session)
            let nowPlaying = try? NowPlaying(player: audio, name: "music-player")
            let sleepInhibitor = try? SleepInhibitor(manager: manager)
            return Player(manager: manager, audio: audio, nowPlaying: nowPlaying, sleepInhibitor: sleepInhibitor)
        } catch {
            throw .pipeWire(error)
        }
    }

    /// Loads the files that can be played, one by one, because one bad file in a folder must not
    /// stop the others.
    /// - Returns: the other files, with the reasons.
    func load(_ paths: [String]) async -> [AudioSessionError] {
        var failures: [AudioSessionError] = []
        for path in paths {
            do {
                try await audio.enqueue([path])
            } catch {
                failures.append(error)
                if error.code == .tooManyItems { break }
            }
        }
        return failures
    }

    /// Calls the handler for the player's events, and for the computer's while nothing plays.
    /// - Returns: an observation, which the caller keeps.
    func observe(_ handler: @escaping @Sendable (Event) -> Void) -> [EventObservation] {
        [
            audio.observe { handler(.player($0)) },
            audio.session.observe { handler(.session($0)) },
            manager.observe {
                if case .mediaServicesLost = $0 { handler(.mediaServicesLost) }
                if case .mediaServicesReset = $0 { handler(.mediaServicesReset) }
            },
        ]
    }

    enum Event: Sendable, Hashable {
        case player(AudioPlayer.Event)
        case session(AudioSession.Event)
        case mediaServicesLost
        case mediaServicesReset
    }

    /// Executes a command, and returns the text to show where no event follows.
    func perform(_ command: Command) async -> String? {
        do {
            switch command {
            case .playOrPause where audio.state == .playing: await audio.pause()
            case .playOrPause: try await play()
            case .next:
                guard let index = audio.currentIndex, index + 1 < audio.queue.count else {
                    return "this is the last track"
                }
                try await audio.skipToNext()
            case .previous:
                // In the middle of a track this goes to its beginning.
                if audio.position < .seconds(3), let index = audio.currentIndex, index > 0 {
                    try await audio.skipToPrevious()
                } else {
                    try await audio.seek(to: .zero)
                }
            case .seek(let distance): try await audio.seek(to: max(.zero, audio.position + distance))
            case .changeVolume(let percent):
                let volume = min(max((audio.volume * 100).rounded() + Float(percent), 0), 100)
                try await audio.setVolume(volume / 100)
                return "volume \(Int(volume)) %"
            case .quit: break
            }
            return nil
        } catch {
            return error.sentence
        }
    }

    /// A user who presses play takes back from another program, without waiting for its end.
    func play() async throws(AudioSessionError) {
        if audio.session.state != .active { try await audio.session.activate() }
        try await audio.play()
    }

    /// Ends the player. Programs that it interrupted are advised to resume.
    func close() async {
        _ = try? await audio.session.deactivate()
        await nowPlaying?.close()
        await audio.close()
        await manager.close()
    }
}

/// The commands of a listener.
enum Command: Sendable, Hashable {
    case playOrPause, next, previous, quit
    case seek(Duration)
    /// A change of the volume, in percent.
    case changeVolume(Int)
}

extension PlayerModel {
    /// Reads the player's snapshots, without waiting.
    mutating func refresh(from player: AudioPlayer) {
        state = player.state
        current = player.currentIndex
        position = player.position
        volume = player.volume
        output = player.route.outputs.first
    }
}

extension Track {
    init(_ item: AudioPlayer.Item) {
        self.init(title: item.title ?? item.fileName, artist: item.artist, duration: item.duration)
    }
}
