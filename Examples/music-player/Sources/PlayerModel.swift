import AudioSessionPlayback
import AudioSessions

/// What is to be seen. A value without a terminal and without PipeWire, so that every picture can be tested.
struct PlayerModel: Sendable, Hashable {
    var tracks: [Track] = []
    var current: Int?
    var state = AudioPlayer.State.stopped
    var position = Duration.zero
    /// 0 to 1.
    var volume: Float = 1
    /// Where the sound goes; `nil` when there is nowhere.
    var output: PortDescription?
    var last: Note?

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
            output == nil ? "connect an output, then press space" : "space plays on on \(outputName)"
        case .paused(.mediaServicesLost): "q quits"
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

// MARK: - What happened, in words

extension PlayerModel {
    /// - Returns: what to tell of an event; `nil` where another event, or the picture itself, says it.
    func sentence(for event: AudioPlayer.Event) -> String? {
        switch event {
        case .stateChanged(.playing): "playing on \(outputName)"
        case .stateChanged(.paused(.user)): "paused"
        case .stateChanged(.paused(.mediaServicesLost)): "PipeWire went away: paused"
        case .stateChanged, .itemChanged: nil
        case .positionChanged(let position): position > .zero ? "went to \(position.clock)" : nil
        case .finished: "played to the end"
        case .becameNoisy(let port): "\(port.label.noun) \(port.label.leaves): paused"
        case .routeChanged(let change): sentence(for: change)
        case .failed(let error): error.message.printable
        }
    }

    private func sentence(for change: RouteChange) -> String? {
        let old = change.previous.outputs.first
        guard let new = change.current.outputs.first else {
            return old == nil ? nil : "no output is left"
        }
        guard old != new else { return nil }
        switch change.reason {
        case .newDeviceAvailable: return "\(new.label.noun) \(new.label.arrives)\(isPlaying ? ": plays on there" : "")"
        case .oldDeviceUnavailable:
            // While it played, `becameNoisy` has said it.
            return state == .paused(reason: .routeLost) ? nil : old.map { "\($0.label.noun) \($0.label.leaves)" }
        default: return "now on \(new.name.printable)"
        }
    }

    /// The line for an event when there is no screen to draw on; `nil` where there is nothing to say.
    func plainLine(for event: AudioPlayer.Event) -> String? {
        switch event {
        case .stateChanged(.playing): playingLine
        case .itemChanged(.some) where isPlaying: playingLine
        default: sentence(for: event)
        }
    }

    private var playingLine: String? {
        guard let track, let current else { return nil }
        let number = "\(current + 1)".leftPadded(to: max(2, "\(tracks.count)".count), with: "0")
        return "▶ \(number) \(track.name) (\(track.duration.clock)) on \(outputName)"
    }
}

extension Duration {
    /// "3:04", "1:02:03".
    var clock: String {
        let seconds = max(0, components.seconds)
        let tail = "\(seconds % 60)".leftPadded(to: 2, with: "0")
        guard seconds >= 3600 else { return "\(seconds / 60):\(tail)" }
        return "\(seconds / 3600):\("\(seconds / 60 % 60)".leftPadded(to: 2, with: "0")):\(tail)"
    }
}
