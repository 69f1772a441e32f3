public import AudioSessions
import Glibc

extension AudioRecorder {
    /// What is recorded: frames per second, channels, and bits of each sample in a file.
    public struct Format: Sendable, Hashable {
        /// Frames per second.
        public var sampleRate: Int
        /// 1 to 8.
        public var channelCount: Int
        /// 16 or 24; ``Buffer/samples`` are 32-bit floats in any case.
        public var bitsPerSample: Int

        /// Mono of 48 kHz and 16 bits, unless said otherwise.
        public init(sampleRate: Int = 48_000, channelCount: Int = 1, bitsPerSample: Int = 16) {
            self.sampleRate = sampleRate
            self.channelCount = channelCount
            self.bitsPerSample = bitsPerSample
        }
    }

    /// How a recording is stored.
    public enum FileType: String, Sendable, Hashable, CaseIterable {
        /// Of any length: beyond 4 GiB it becomes RF64, as far as programs know that.
        case wav
        /// Smaller, without loss.
        case flac

        /// What the end of a file's name says; ``wav`` if it says nothing.
        public init(path: String) { self = path.lowercased().hasSuffix(".flac") ? .flac : .wav }
    }

    /// How a recorder records, and shows to others.
    public struct Configuration: Sendable, Hashable {
        /// What is recorded, whichever microphone it comes from.
        public var format: Format
        /// How the program shows in mixers; `nil` takes the manager's, else leaves it to PipeWire.
        public var applicationName: String?
        /// `node.name` of the stream.
        public var nodeName: String?
        /// Whether an interrupted recording waits, and goes on in the same file when the interruption has ended with
        /// the advice to resume. If not, it is finished when the interruption begins.
        public var continuesAfterInterruption: Bool
        /// Permissions of the file, less those of the process's umask. Defaults to `0o600`: only the user may read what
        /// a microphone heard.
        public var filePermissions: UInt32
        /// Whether a path that is a symbolic link stands for the file that it leads to. Otherwise recording to it fails
        /// with `cannotWrite`. Links among the folders of a path are always followed.
        public var followsSymbolicLinks: Bool

        /// A configuration of which nothing has to be set.
        public init(
            format: Format = Format(), applicationName: String? = nil, nodeName: String? = nil,
            continuesAfterInterruption: Bool = false, filePermissions: UInt32 = 0o600,
            followsSymbolicLinks: Bool = false
        ) {
            self.format = format
            self.applicationName = applicationName
            self.nodeName = nodeName
            self.continuesAfterInterruption = continuesAfterInterruption
            self.filePermissions = filePermissions
            self.followsSymbolicLinks = followsSymbolicLinks
        }
    }

    /// What a recorder is doing.
    public enum State: Sendable, Hashable {
        /// Nothing is recorded.
        case stopped
        /// Sound is recorded, and its file grows.
        case recording
        /// The file is whole as it is, and waits for more.
        case paused(reason: PauseReason)
    }

    /// Why a recording waits.
    public enum PauseReason: String, Sendable, Hashable, CaseIterable {
        /// ``AudioRecorder/pause()`` was called.
        case user
        /// Another session took over; see ``Configuration/continuesAfterInterruption``.
        case interrupted
    }

    /// Why a recording is over. What was recorded until then is kept.
    public enum FinishReason: String, Sendable, Hashable, CaseIterable {
        /// ``AudioRecorder/stop()`` was called, or the recorder closed.
        case stopped
        /// Another session took over.
        case interrupted
        /// The microphone was pulled, or none could be had. Nothing of another microphone is recorded instead.
        case microphoneLost
        /// The session has a category now that does not record.
        case categoryChanged
        /// The session was deactivated.
        case sessionDeactivated
        /// PipeWire went away.
        case mediaServicesLost
        /// The file could not be written on or completed, or the stream failed; an event ``Event/failed(_:)`` said why.
        case failed
    }

    /// Who muted a microphone.
    public enum Muter: String, Sendable, Hashable, CaseIterable {
        /// `AudioSessionManager.setInputMuted(_:)` did.
        case program
        /// Somebody in a mixer, or by a key: the microphone, its card, or the recorder's stream.
        case user
    }

    /// What was recorded.
    public struct Recording: Sendable, Hashable {
        /// `nil` for one without a file.
        public let path: String?
        /// Its length in frames.
        public let frameCount: Int64
        /// As it was recorded.
        public let format: Format

        /// Its length in time.
        public var duration: Duration { Duration(frames: frameCount, rate: format.sampleRate) }

        package init(path: String?, frameCount: Int64, format: Format) {
            self.path = path
            self.frameCount = frameCount
            self.format = format
        }
    }

    /// A piece of what is being recorded.
    public struct Buffer: Sendable, Hashable {
        /// One frame after the other; full scale is 1, and a hot microphone may give more.
        public let samples: [Float]
        /// Samples in one frame.
        public let channelCount: Int
        /// Frames per second.
        public let sampleRate: Int
        /// Place of the first frame in the recording.
        public let firstFrame: Int64

        /// Frames in the piece.
        public var frameCount: Int { samples.count / channelCount }

        package init(samples: [Float], channelCount: Int, sampleRate: Int, firstFrame: Int64) {
            self.samples = samples
            self.channelCount = channelCount
            self.sampleRate = sampleRate
            self.firstFrame = firstFrame
        }
    }

    /// How loud one channel is, over the last twentieth of a second, in decibels of full scale: 0 is the loudest,
    /// -160 is silence. Names are those of `AVAudioRecorder`.
    public struct Level: Sendable, Hashable {
        /// That of silence.
        public static let silence = Level(averagePower: -160, peakPower: -160)

        /// The mean, in decibels of full scale.
        public let averagePower: Float
        /// The highest, in decibels of full scale.
        public let peakPower: Float

        package init(averagePower: Float, peakPower: Float) {
            self.averagePower = averagePower
            self.peakPower = peakPower
        }

        /// From a mean square and an amplitude.
        package init(meanSquare: Float, peak: Float) {
            averagePower = Self.decibels(10 * log10f(meanSquare))
            peakPower = Self.decibels(20 * log10f(peak))
        }

        private static func decibels(_ value: Float) -> Float { value > -160 ? value : -160 }
    }

    /// What a recorder tells, in the order in which it happens.
    public enum Event: Sendable, Hashable {
        /// The recorder's ``AudioRecorder/state`` is another one.
        case stateChanged(State)
        /// What is recorded from now on. At first, and when somebody chooses another microphone.
        case inputChanged(PortDescription)
        /// From now on silence is recorded. Told at the start of a recording as well, if it is so then.
        case microphoneMuted(by: Muter)
        /// From now on sound is recorded again.
        case microphoneUnmuted(by: Muter)
        /// For two seconds nothing but zeros has come from a microphone that is not muted: a switch at the device,
        /// perhaps. Told once, until sound comes.
        case microphoneSilent
        /// The microphone was pulled. Comes before the `finished` that belongs to it.
        case microphoneLost(PortDescription)
        /// So many frames are missing: the file could not be written fast enough.
        case overrun(frames: Int)
        /// Something went wrong; `finished` follows.
        case failed(RecordingError)
        /// The recording is over, and its file is closed.
        case finished(Recording, reason: FinishReason)
    }

    /// What the real-time side did, for tests and for the curious.
    public struct Statistics: Sendable, Hashable {
        /// Times that the real-time thread brought sound.
        public var cycles: UInt64 = 0
        /// Frames that found no room.
        public var droppedFrames: UInt64 = 0
        /// When the gate last closed.
        public var gateTime: MonotonicTime?
        /// From the beginning of PipeWire's callback with the bad news until the gate was closed.
        public var gateDelay: Duration?

        /// Nothing done yet.
        public init() {}
    }
}
