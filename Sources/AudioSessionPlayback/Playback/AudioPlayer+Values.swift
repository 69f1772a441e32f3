public import AudioSessions

extension AudioPlayer {
    /// The role of a player's sound, for mixers and for the session manager's rules.
    ///
    /// Raw values are those of PipeWire's property `media.role`.
    @nonexhaustive
    public enum Role: String, Sendable, Hashable, CaseIterable {
        /// Music, and similar sound such as podcasts.
        case music = "Music"
        /// The sound of a film.
        case movie = "Movie"
        /// The sound of a game.
        case game = "Game"
        /// A short sound that notifies the user of an event.
        case notification = "Notification"
        /// The voices of a conversation.
        case communication = "Communication"
        /// Sound for accessibility, such as a screen reader's.
        case accessibility = "Accessibility"
        /// Sound of an audio production program.
        case production = "Production"
        /// A test signal for the audio system.
        case test = "Test"
    }

    /// A player's role and names in mixers.
    public struct Configuration: Sendable, Hashable {
        /// The role of the sound in mixers. It has no effect on arbitration, which reads the
        /// session's configuration.
        ///
        /// It is not set if the session manager ducks by roles, unless the session itself ducks or
        /// outranks others.
        public var role: Role
        /// The program's name in mixers; `nil` takes the manager's name, or else leaves it to
        /// PipeWire.
        public var applicationName: String?
        /// The `node.name` of the stream. The session manager stores a stream's volume under its
        /// role and names.
        public var nodeName: String?
        /// The name in mixers of files whose tags have no title; `nil` takes the file's name.
        @_spi(Compatibility) public var nameOfUntitledFiles: String?

        /// Makes a configuration. Every parameter has a default.
        ///
        /// Each parameter sets the property of its name.
        public init(role: Role = .music, applicationName: String? = nil, nodeName: String? = nil) {
            self.role = role
            self.applicationName = applicationName
            self.nodeName = nodeName
        }
    }

    /// The sound format of a file.
    public struct Format: Sendable, Hashable {
        /// The sample rate, in frames per second.
        public let sampleRate: Int
        /// The number of samples in one frame: 1 for mono, 2 for stereo.
        public let channelCount: Int
        /// The name of the encoding for the user, such as "WAV", "FLAC", "Vorbis", "Opus" or "MP3".
        public let encoding: String

        package init(sampleRate: Int, channelCount: Int, encoding: String) {
            self.sampleRate = sampleRate
            self.channelCount = channelCount
            self.encoding = encoding
        }

        /// Whether one stream can carry both formats, so that they follow each other without a gap.
        package func isCompatible(with other: Format) -> Bool {
            sampleRate == other.sampleRate && channelCount == other.channelCount
        }
    }

    /// A file in a player's queue.
    public struct Item: Sendable, Hashable {
        /// The path or file URL, as given to ``AudioPlayer/load(_:)``.
        public let path: String
        /// The path or file URL, independent of the current folder. It makes files of the same
        /// relative path in two folders unequal.
        package let location: String
        /// The file's name without its folders, for the user. Bytes that are not UTF-8 are
        /// replaced.
        public var fileName: String { SoundFileName.lastComponent(path) }
        /// The title from the file's tags; `nil` without one.
        public let title: String?
        /// The artist from the file's tags; `nil` without one.
        public let artist: String?
        /// The sound format of the file.
        public let format: Format
        /// The number of frames by the file's header; 0 if it has none.
        public let frameCount: Int64

        /// The duration by the file's header; zero if it has none. A damaged file may end earlier.
        public var duration: Duration { Duration(frames: frameCount, rate: format.sampleRate) }

        package init(
            path: String, location: String? = nil, title: String?, artist: String?, format: Format, frameCount: Int64
        ) {
            self.path = path
            self.location = location ?? path
            self.title = title
            self.artist = artist
            self.format = format
            self.frameCount = frameCount
        }
    }

    /// The reason why a player is paused.
    @nonexhaustive
    public enum PauseReason: String, Sendable, Hashable, CaseIterable {
        /// The program or the user called ``AudioPlayer/pause()``.
        case user
        /// The output in use was lost (headphones pulled). The player resumes only by its session's
        /// advice: see `AudioSession.Configuration.resumesOnReplug`.
        case routeLost
        /// Another session interrupted the player's session. The player resumes by advice if it was
        /// playing, or was asked to play meanwhile.
        case interrupted
        /// The session was deactivated, or its category does not play any more.
        case sessionInactive
        /// The connection to PipeWire was lost.
        case mediaServicesLost
        /// The stream to PipeWire failed; ``Event/failed(_:at:)`` has reported why.
        case outputFailed
    }

    /// The activity of a player.
    @nonexhaustive
    public enum State: Sendable, Hashable {
        /// The player has not played since its files were loaded, or since it was stopped.
        case stopped
        /// The player plays. Its session's `silenceReasons` state whether it is heard.
        case playing
        /// The player is paused at its position.
        case paused(reason: PauseReason)
        /// The queue was played to its end.
        case finished
    }

    /// An event of a player. Listeners receive events in the order in which they happen.
    @nonexhaustive
    public enum Event: Sendable, Hashable {
        /// The player's ``AudioPlayer/state`` has changed.
        case stateChanged(State, at: MonotonicTime)
        /// Another item of the queue is heard from now on; `nil` if the queue is empty.
        case itemChanged(Item?, at: MonotonicTime)
        /// The position changed because of a seek, to this time from the item's beginning. The
        /// event is not sent for ordinary progress.
        case positionChanged(Duration, at: MonotonicTime)
        /// The queue was played to its end.
        case finished(at: MonotonicTime)
        /// The output in use was lost and the player is silent. The event is sent before
        /// ``routeChanged(_:)``.
        case becameNoisy(PortDescription, at: MonotonicTime)
        /// The player's route has changed.
        case routeChanged(RouteChange)
        /// A file could not be played, and the player continues with the next one; or the output
        /// failed.
        case failed(AudioSessionError, at: MonotonicTime)
    }

    /// The activity of the real-time thread, for tests and diagnostics.
    public struct Statistics: Sendable, Hashable {
        /// The number of cycles in which the real-time thread requested sound.
        public var cycles: UInt64 = 0
        /// The number of frames in one cycle of the graph, at `graphRate` frames per second.
        public var quantum = 0
        /// The sample rate of PipeWire's graph, in frames per second.
        public var graphRate = 0
        /// The latency from reading a frame to the device's output, as PipeWire reports it.
        public var latency: Duration = .zero
        /// The start of the last cycle that contained sound.
        public var lastSoundTime: MonotonicTime?
        /// The time at which the gate last closed.
        public var gateTime: MonotonicTime?
        /// The delay from the start of PipeWire's callback that reported the loss until the gate
        /// was closed. It is `nil` if no event of PipeWire's closed it, such as at a pause.
        public var gateDelay: Duration?

        /// Makes statistics without activity.
        public init() {}
    }
}

extension Duration {
    package init(frames: Int64, rate: Int) {
        let (seconds, rest) = frames.quotientAndRemainder(dividingBy: Int64(max(1, rate)))
        self = .seconds(seconds) + .nanoseconds(rest * 1_000_000_000 / Int64(max(1, rate)))
    }

    /// Returns the number of frames in this duration, bounded for any duration.
    package func frames(rate: Int) -> Int64 {
        let (seconds, attoseconds) = components
        let bounded = Swift.max(0, Swift.min(seconds, Int64.max / 4 / Int64(Swift.max(1, rate))))
        let rest = Swift.max(0, attoseconds) / 1_000_000_000
        // Rounded to the nearest frame, so that the time of a frame leads back to it.
        return bounded * Int64(rate) + (rest * Int64(rate) + 500_000_000) / 1_000_000_000
    }
}
