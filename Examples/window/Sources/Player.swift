import AudioSessionPlayback
import AudioSessions

/// All of the program's use of the library. The other files have texts and widgets.
struct Player: Sendable {
    let manager: AudioSessionManager
    let audio: AudioPlayer

    enum Failure: Error {
        case session(AudioSessionError)
        case file(AudioSessionError)

        /// The text: what happened, and what to do.
        var message: String {
            switch self {
            case .session(let error): error.message
            case .file(let error): error.message
            }
        }

        /// A code of `sysexits.h`.
        var exitStatus: Int32 { if case .file = self { 66 } else { 69 } }
    }

    static func open(_ files: [String]) async throws(Failure) -> Player {
        let player: Player
        do {
            let manager = try await AudioSessionManager.connect(.init(applicationName: "window-player"))
            let session = try AudioSession(manager: manager, configuration: .init(.playback))
            player = Player(manager: manager, audio: AudioPlayer(session: session))
        } catch {
            throw .session(error)
        }
        do {
            try await player.audio.load(files.map(SoundFileName.string(argument:)))
        } catch {
            throw .file(error)
        }
        return player
    }

    /// The commands of a listener.
    enum Command: Sendable {
        case playOrPause
        case next, previous
        case seek(Duration)
        case volume(Double)
        /// The port with this `uid`; with `nil` the system chooses.
        case output(String?)
    }

    /// Executes a command, and returns the reason if it is impossible.
    func perform(_ command: Command) async -> String? {
        do {
            switch command {
            case .playOrPause where audio.state == .playing: await audio.pause()
            case .playOrPause:
                // A user who presses play takes back, also from a program that interrupted.
                if audio.session.state != .active { try await audio.session.activate() }
                try await audio.play()
            case .next: try await audio.skipToNext()
            case .previous:
                // In the middle of a track this goes to its beginning.
                if audio.position < .seconds(3), audio.currentIndex ?? 0 > 0 {
                    try await audio.skipToPrevious()
                } else {
                    try await audio.seek(to: .zero)
                }
            case .seek(let time): try await audio.seek(to: time)
            case .volume(let volume): try await audio.setVolume(Float(volume))
            case .output(let uid):
                try await audio.session.setPreferredOutput(manager.availableOutputs.first { $0.uid == uid })
            }
            return nil
        } catch {
            return error.rule ?? error.message
        }
    }

    /// Other sessions are advised to resume.
    func close() async {
        _ = try? await audio.session.deactivate()
        await audio.close()
        await manager.close()
    }
}
