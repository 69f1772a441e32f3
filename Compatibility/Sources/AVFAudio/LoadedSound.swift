import AudioSessionPlayback

/// The sound of an ``AVAudioPlayer``, and the library's player that has loaded it.
struct LoadedSound: Sendable {
    let session: SessionImplementation
    let player: AudioPlayer
    let file: SoundSource
    var item: AudioPlayer.Item? { player.currentItem }

    init(_ file: SoundSource) throws {
        self.file = file
        session = AVAudioSession.sharedInstance().implementation
        player = try session.perform { backend in
            let player = AudioPlayer(session: backend.session)
            try await player.load([file.path])
            return player
        }
    }
}
