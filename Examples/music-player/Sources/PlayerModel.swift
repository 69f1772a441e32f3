import AudioSessionPlayback
import AudioSessions

/// What is to be seen. A value without a terminal and without PipeWire, so that every picture can be tested.
struct PlayerModel: Sendable, Hashable {
    var tracks: [Track] = []
    /// Files that cannot be played.
    var skippedCount = 0
    var current: Int?
    var state = AudioPlayer.State.stopped
    var position = Duration.zero
    /// 0 to 1.
    var volume: Float = 1
    /// Where the sound goes; `nil` when there is nowhere.
    var output: PortDescription?
    var last: Note?
    /// The program that interrupted last.
    var interrupter: String?
    /// The program that had the sound, until it is told that the player plays again.
    var returnsFrom: String?

    /// What happened last.
    struct Note: Sendable, Hashable {
        /// Of the day.
        var time: String
        var text: String
    }

    var track: Track? { current.flatMap { tracks.indices.contains($0) ? tracks[$0] : nil } }
    var isPlaying: Bool { state == .playing }
    var outputName: String { output?.name.printable ?? "no output" }

    /// What a key would do that is not obvious just now.
    var advice: String? {
        switch state {
        case .paused(.routeLost):
            output == nil ? "connect an output, then press space" : "space plays on \(outputName)"
        case .paused(.mediaServicesLost): "space plays when PipeWire is back"
        case .paused(.interrupted): "space takes the sound back"
        case .finished: "space plays it again"
        default: nil
        }
    }
}

struct Track: Sendable, Hashable {
    var title: String
    var artist: String?
    var duration: Duration

    /// Names come from strangers' files.
    init(title: String, artist: String? = nil, duration: Duration) {
        self.title = title.printable
        self.artist = artist?.printable
        self.duration = duration
    }

    var name: String { artist.map { "\($0) – \(title)" } ?? title }
}
