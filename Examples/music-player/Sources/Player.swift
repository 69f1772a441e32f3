import AudioSessionDesktop
import AudioSessionPlayback
import AudioSessions

/// All that this program asks of the library. The other files are about folders, words and terminals.
struct Player: Sendable {
    let manager: AudioSessionManager
    let audio: AudioPlayer
    /// Media keys and the desktop's widgets, where there is a desktop. The program does without.
    let nowPlaying: NowPlaying?
    /// Silent before the computer sleeps, where logind announces it.
    let sleepInhibitor: SleepInhibitor?

    /// - Parameter isSpoken: whether it is no music but somebody who speaks, whom a prompt is not to talk over.
    /// - Throws: in words for people, when PipeWire does not run.
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

    /// Loads what can be played.
    /// - Returns: what cannot, and why. File by file, because one bad file in a folder is no reason to play none.
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

    /// Whatever happens: the player's own events, and those of the machine that matter while nothing plays.
    /// - Returns: keep it for as long as the handler is to be called.
    func observe(_ handler: @escaping @Sendable (News) -> Void) -> [EventObservation] {
        [
            audio.observe { handler(.player($0)) },
            audio.session.observe { handler(.session($0)) },
            manager.observe {
                if case .mediaServicesLost = $0 { handler(.mediaServicesLost) }
                if case .mediaServicesReset = $0 { handler(.mediaServicesReset) }
            },
        ]
    }

    enum News: Sendable, Hashable {
        case player(AudioPlayer.Event)
        case session(AudioSession.Event)
        case mediaServicesLost
        case mediaServicesReset
    }

    /// - Returns: what to tell about it, where no event follows that does.
    func perform(_ command: Command) async -> String? {
        do {
            switch command {
            case .playOrPause where audio.state == .playing: await audio.pause()
            case .playOrPause: return try await play()
            case .next:
                guard let index = audio.currentIndex, index + 1 < audio.queue.count else {
                    return "this is the last track"
                }
                try await audio.skipToNext()
            case .previous:
                // Who is well into a track wants its beginning.
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
            return error.message
        }
    }

    /// Who presses play wants the sound now, also from another program that took it: not only when that is done.
    private func play() async throws(AudioSessionError) -> String? {
        do {
            if audio.session.state != .active { try await audio.session.activate() }
        } catch {
            return "refused: \(error.rule ?? error.message)"
        }
        try await audio.play()
        return nil
    }

    func close() async {
        await nowPlaying?.close()
        await audio.close()
        await manager.close()
    }
}

/// What a listener can ask for.
enum Command: Sendable, Hashable {
    case playOrPause, next, previous, quit
    case seek(Duration)
    /// By so many per cent.
    case changeVolume(Int)
}

extension PlayerModel {
    /// Takes what the player's snapshots say now; none of them waits.
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
