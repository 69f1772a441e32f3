import AudioSessionPlayback
import AudioSessions

/// The state that is shown: a value without a terminal and without PipeWire, so that every screen
/// can be tested.
struct PlayerModel: Sendable, Hashable {
    var tracks: [Track] = []
    /// The number of files that cannot be played.
    var skippedCount = 0
    var current: Int?
    var state = AudioPlayer.State.stopped
    var position = Duration.zero
    /// The volume from 0 to 1.
    var volume: Float = 1
    /// The output in use; `nil` without one.
    var output: PortDescription?
    var last: Note?
    /// The program that interrupted last.
    var interrupter: String?
    /// The program that interrupts, until the player plays again.
    var returnsFrom: String?

    /// The last event, as text.
    struct Note: Sendable, Hashable {
        /// The time of day of that event.
        var time: String
        var text: String
    }

    var track: Track? { current.flatMap { tracks.indices.contains($0) ? tracks[$0] : nil } }
    var isPlaying: Bool { state == .playing }
    var outputName: String { output?.name.printable ?? "no output" }

    /// A hint to a key that is useful now.
    var advice: String? {
        switch state {
        case .paused(.routeLost):
            output == nil ? "connect an output, then press space" : "space plays on \(outputName)"
        case .paused(.mediaServicesLost): "space plays when PipeWire is back"
        case .paused(.interrupted): "space plays anyway"
        case .finished: "space plays it again"
        default: nil
        }
    }
}

struct Track: Sendable, Hashable {
    var title: String
    var artist: String?
    var duration: Duration

    /// Names in files may contain any characters.
    init(title: String, artist: String? = nil, duration: Duration) {
        self.title = title.printable
        self.artist = artist?.printable
        self.duration = duration
    }

    var name: String { artist.map { "\($0) – \(title)" } ?? title }
}
