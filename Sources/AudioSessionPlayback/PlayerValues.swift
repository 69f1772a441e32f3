public import AudioSessions

extension AudioPlayer {
    /// What a player's sound is, for mixers and for the session manager's rules. Raw values are those of PipeWire's
    /// property `media.role`.
    public enum Role: String, Sendable, Hashable, CaseIterable {
        /// Music, and what is like it.
        case music = "Music"
        /// The sound of a film.
        case movie = "Movie"
        /// A game's.
        case game = "Game"
        /// A short sound that tells of something.
        case notification = "Notification"
        /// People who talk with each other.
        case communication = "Communication"
        /// A screen reader, for example.
        case accessibility = "Accessibility"
        /// Sound that is worked on.
        case production = "Production"
        /// A test signal.
        case test = "Test"
    }

    /// How a player shows to others, and what it does when its output goes.
    public struct Configuration: Sendable, Hashable {
        /// What the sound is, for mixers. It does not decide about turns: the session's configuration does. Not shown where the
        /// session manager lowers streams by their roles, unless the session lowers or outranks others itself.
        public var role: Role
        /// How the program shows in mixers; `nil` takes the manager's, else leaves it to PipeWire.
        public var applicationName: String?
        /// `node.name` of the stream. The session manager keeps a stream's volume under the role and these names.
        public var nodeName: String?
        /// Whether losing the output in use (headphones pulled) pauses the player. If not, it goes on on the next
        /// output, loudly perhaps.
        public var pausesOnRouteLoss: Bool
        /// Whether the player goes on by itself when its session is advised to: an interruption has ended with that advice,
        /// or the output is back that was lost, if the session asked for that (`setResumesOnReplug`).
        public var resumesAfterInterruption: Bool

        /// A configuration of which nothing has to be set.
        public init(
            role: Role = .music, applicationName: String? = nil, nodeName: String? = nil,
            pausesOnRouteLoss: Bool = true, resumesAfterInterruption: Bool = true
        ) {
            self.role = role
            self.applicationName = applicationName
            self.nodeName = nodeName
            self.pausesOnRouteLoss = pausesOnRouteLoss
            self.resumesAfterInterruption = resumesAfterInterruption
        }
    }

    /// How a file's sound is stored.
    public struct Format: Sendable, Hashable {
        /// Frames per second.
        public let sampleRate: Int
        /// Samples in one frame: 1 for mono, 2 for stereo.
        public let channelCount: Int
        /// "WAV", "FLAC", "Vorbis", "Opus", "MP3" or another name for people.
        public let encoding: String

        package init(sampleRate: Int, channelCount: Int, encoding: String) {
            self.sampleRate = sampleRate
            self.channelCount = channelCount
            self.encoding = encoding
        }

        /// Whether one stream can carry both, so that one follows the other without a gap.
        package func isCompatible(with other: Format) -> Bool {
            sampleRate == other.sampleRate && channelCount == other.channelCount
        }
    }

    /// One file in a player's queue.
    public struct Item: Sendable, Hashable {
        /// As it was given to ``AudioPlayer/load(_:)``.
        public let path: String
        /// The file's name without its folders, for people. Bytes that are not UTF-8 are replaced.
        public var fileName: String { SoundFileName.lastComponent(path) }
        /// From the file's tags; `nil` where it has none.
        public let title: String?
        /// From the file's tags; `nil` where it has none.
        public let artist: String?
        /// How its sound is stored.
        public let format: Format
        /// As the file's header says, in frames.
        public let frameCount: Int64

        /// As the file's header says; a damaged file may end earlier.
        public var duration: Duration { Duration(frames: frameCount, rate: format.sampleRate) }

        package init(path: String, title: String?, artist: String?, format: Format, frameCount: Int64) {
            self.path = path
            self.title = title
            self.artist = artist
            self.format = format
            self.frameCount = frameCount
        }
    }

    /// Why a player that could play does not.
    public enum PauseReason: String, Sendable, Hashable, CaseIterable {
        /// ``AudioPlayer/pause()`` was called.
        case user
        /// The output in use went (headphones pulled). It does not start again by itself, unless its session is advised
        /// to: see `AudioSession.setResumesOnReplug`.
        case routeLost
        /// Another session took over. It goes on when advised to, if it played or was to play.
        case interrupted
        /// The session was deactivated.
        case sessionInactive
        /// PipeWire went away.
        case mediaServicesLost
        /// The stream to PipeWire failed; an event ``Event/failed(_:)`` said why.
        case outputFailed
    }

    /// What a player is doing.
    public enum State: Sendable, Hashable {
        /// At the beginning, or nothing loaded.
        case stopped
        /// Playing; whether it is heard, its session's `silence` says.
        case playing
        /// Holding its place.
        case paused(reason: PauseReason)
        /// The last file of the queue has been played to its end.
        case finished
    }

    /// What a player tells, in the order in which it happens.
    public enum Event: Sendable, Hashable {
        /// The player's ``AudioPlayer/state`` is another one.
        case stateChanged(State)
        /// Another item of the queue is heard from now on; `nil` when the queue is empty.
        case itemChanged(Item?)
        /// Somebody sought: where playing goes on, from the item's beginning. Ordinary progress is not told.
        case positionChanged(Duration)
        /// The queue was played to its end.
        case finished
        /// The output in use is gone and the player silent. Comes before ``routeChanged(_:)``.
        case becameNoisy(PortDescription)
        /// The player's sound goes elsewhere.
        case routeChanged(RouteChange)
        /// A file could not be played (the player goes on with the next one), or the output failed.
        case failed(PlaybackError)
    }

    /// What the real-time side did, for tests and for the curious.
    public struct Statistics: Sendable, Hashable {
        /// Times that the real-time thread asked for sound.
        public var cycles: UInt64 = 0
        /// Frames of the graph in one cycle, at `graphRate` frames a second.
        public var quantum = 0
        /// Frames per second of PipeWire's graph.
        public var graphRate = 0
        /// From the moment that a frame is taken to the device, as PipeWire reports it.
        public var latency: Duration = .zero
        /// Start of the last cycle that held a frame of a file.
        public var lastSoundTime: MonotonicTime?
        /// When the gate last closed.
        public var gateTime: MonotonicTime?
        /// From the beginning of PipeWire's callback with the bad news until the gate was closed.
        public var gateDelay: Duration?

        /// Nothing done yet.
        public init() {}
    }
}

extension Duration {
    package init(frames: Int64, rate: Int) {
        let (seconds, rest) = frames.quotientAndRemainder(dividingBy: Int64(max(1, rate)))
        self = .seconds(seconds) + .nanoseconds(rest * 1_000_000_000 / Int64(max(1, rate)))
    }

    /// The frame that plays at this time; bounded, whatever the duration.
    package func frames(rate: Int) -> Int64 {
        let (seconds, attoseconds) = components
        let bounded = Swift.max(0, Swift.min(seconds, Int64.max / 4 / Int64(Swift.max(1, rate))))
        let rest = Swift.max(0, attoseconds) / 1_000_000_000
        // To the nearest frame, so that the time of a frame leads back to it.
        return bounded * Int64(rate) + (rest * Int64(rate) + 500_000_000) / 1_000_000_000
    }
}
