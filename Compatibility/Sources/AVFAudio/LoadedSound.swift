@_spi(Compatibility) import AudioSessionPlayback
import AudioSessions
import Foundation

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
            var configuration = AudioPlayer.Configuration()
            // The path of data ends with a number.
            if file.data != nil {
                configuration.nameOfUntitledFiles =
                    backend.manager.configuration.applicationName ?? ProcessInfo.processInfo.processName
            }
            let player = AudioPlayer(session: backend.session, configuration: configuration)
            try await player.load([file.path])
            return player
        }
    }
}
