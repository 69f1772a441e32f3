public import AudioSessions
import Glibc

extension AudioRecorder {
    /// The format of a recording: sample rate, channels, and bits per sample in the file.
    public struct Format: Sendable, Hashable {
        /// The sample rate, in frames per second.
        public var sampleRate: Int
        /// The number of channels, 1 to 8.
        public var channelCount: Int
        /// The bits per sample in a file, 16 or 24. ``Buffer/samples`` are 32-bit floats in any
        /// case.
        public var bitsPerSample: Int

        /// Makes a format. The default is mono at 48 kHz with 16 bits.
        ///
        /// Each parameter sets the property of its name.
        public init(sampleRate: Int = 48_000, channelCount: Int = 1, bitsPerSample: Int = 16) {
            self.sampleRate = sampleRate
            self.channelCount = channelCount
            self.bitsPerSample = bitsPerSample
        }

        /// Checks whether a file of this format can be written, before there is a recorder.
        /// - Throws: `unsupportedRecordingFormat` with the limits.
        @_spi(Compatibility) public func check(as type: FileType) throws(AudioSessionError) {
            try RecordingFile.check(self, as: type)
        }
    }

    /// The file type of a recording.
    @nonexhaustive
    public enum FileType: String, Sendable, Hashable, CaseIterable {
        /// WAV of any length. Beyond 4 GiB the file becomes RF64, which not all programs read.
        case wav
        /// FLAC, which is smaller and lossless.
        case flac

        /// Derives the type from the end of a file's name. The default is ``wav``.
        /// - Parameter path: The path or name of the file.
        public init(path: String) { self = path.lowercased().hasSuffix(".flac") ? .flac : .wav }
    }

    /// A recorder's format, names in mixers, and handling of files and interruptions.
    public struct Configuration: Sendable, Hashable {
        /// The format of recordings, whatever the microphone's own format.
        public var format: Format
        /// The program's name in mixers; `nil` takes the manager's name, or else leaves it to
        /// PipeWire.
        public var applicationName: String?
        /// The `node.name` of the recorder's stream.
        public var nodeName: String?
        /// Whether an interruption pauses the recording, which resumes in the same file if the
        /// interruption ends with the advice to resume. Otherwise the recording ends when the
        /// interruption begins.
        public var continuesAfterInterruption: Bool
        /// Whether a paused recording stays paused when the session is deactivated or no longer
        /// records, and when an interruption ends without the advice to resume or the session
        /// cannot be activated after it. Otherwise the recording ends.
        ///
        /// ``AudioRecorder/resume()`` continues it.
        @_spi(Compatibility) public var keepsPausedRecordings = false
        /// The permissions of the file, less those of the process's umask. The default `0o600` lets
        /// only the user read it.
        public var filePermissions: UInt32
        /// Whether recording to a symbolic link writes to the file that it leads to. Otherwise it
        /// fails with `cannotWrite`.
        ///
        /// Links among the folders of a path are always followed.
        public var followsSymbolicLinks: Bool
        /// Whether PipeWire's WebRTC canceller removes the echo of the output. The default is
        /// `false`.
        ///
        /// The canceller removes the echo of all sound on the session's output, including that of
        /// other programs. The captured sound is mono, so all channels are equal. Its sample rate
        /// must be 16,000, 32,000 or 48,000, and it is delivered up to 25 ms later. Without
        /// PipeWire's plugin, the start fails with `echoCancellerMissing`, and
        /// ``AudioInput/isEchoCancelledInputAvailable`` is `false`.
        ///
        /// Counterpart of `prefersEchoCancelledInput`.
        public var prefersEchoCancelledInput: Bool

        /// Makes a configuration. Every parameter has a default.
        ///
        /// Each parameter sets the property of its name.
        public init(
            format: Format = Format(), applicationName: String? = nil, nodeName: String? = nil,
            continuesAfterInterruption: Bool = false, filePermissions: UInt32 = 0o600,
            followsSymbolicLinks: Bool = false, prefersEchoCancelledInput: Bool = false
        ) {
            self.format = format
            self.applicationName = applicationName
            self.nodeName = nodeName
            self.continuesAfterInterruption = continuesAfterInterruption
            self.filePermissions = filePermissions
            self.followsSymbolicLinks = followsSymbolicLinks
            self.prefersEchoCancelledInput = prefersEchoCancelledInput
        }
    }

    /// The activity of a recorder.
    @nonexhaustive
    public enum State: Sendable, Hashable {
        /// The recorder records nothing.
        case stopped
        /// The recorder records sound.
        case recording
        /// The recording is paused, and its file is complete.
        case paused(reason: PauseReason)
    }

    /// The reason why a recording is paused.
    @nonexhaustive
    public enum PauseReason: String, Sendable, Hashable, CaseIterable {
        /// The program or the user called ``AudioRecorder/pause()``.
        case user
        /// Another session interrupted the recorder's session; see
        /// ``Configuration/continuesAfterInterruption``.
        case interrupted
    }

    /// The reason why a recording ended. Everything recorded before is kept.
    @nonexhaustive
    public enum FinishReason: String, Sendable, Hashable, CaseIterable {
        /// ``AudioRecorder/stop()`` was called, or the recorder was closed.
        case stopped
        /// Another session interrupted the recorder's session.
        case interrupted
        /// The microphone was pulled, or none was available. Another microphone is not recorded
        /// instead.
        case microphoneLost
        /// The session's category was changed to one that does not record.
        case categoryChanged
        /// The session was deactivated.
        case sessionDeactivated
        /// The connection to PipeWire was lost.
        case mediaServicesLost
        /// The file could not be written or completed, or the stream failed;
        /// ``Event/failed(_:at:)`` has reported why.
        case failed
    }

    /// The cause of a muted microphone.
    @nonexhaustive
    public enum Muter: String, Sendable, Hashable, CaseIterable {
        /// The program muted its input by `AudioSessionManager.setInputMuted(_:)`.
        case program
        /// The user muted the microphone, its card or the recorder's stream, in a mixer or by a
        /// key.
        case user
    }

    /// The result of a recording.
    public struct Recording: Sendable, Hashable {
        /// The path of the file; `nil` for a recording without one.
        public let path: String?
        /// The path, independent of the current folder. It makes recordings to the same relative
        /// path in two folders unequal.
        package let location: String?
        /// The number of frames in the recording.
        public let frameCount: Int64
        /// The format of the recording.
        public let format: Format

        /// The duration of the recording.
        public var duration: Duration { Duration(frames: frameCount, rate: format.sampleRate) }

        package init(path: String?, location: String? = nil, frameCount: Int64, format: Format) {
            self.path = path
            self.location = location ?? path
            self.frameCount = frameCount
            self.format = format
        }
    }

    /// A section of a recording in progress.
    public struct Buffer: Sendable, Hashable {
        /// The interleaved samples. Full scale is 1, which a microphone may exceed.
        public let samples: [Float]
        /// The number of samples in one frame.
        public let channelCount: Int
        /// The sample rate, in frames per second.
        public let sampleRate: Int
        /// The position of the first frame in the recording.
        public let firstFrame: Int64

        /// The number of frames in the buffer.
        public var frameCount: Int { samples.count / channelCount }
    }

    /// The level of one channel over the last twentieth of a second, in decibels relative to full
    /// scale.
    ///
    /// 0 is the loudest, -160 is silence. Names are those of `AVAudioRecorder`.
    public struct Level: Sendable, Hashable {
        /// The level of silence, -160 dB.
        public static let silence = Level(averagePower: -160, peakPower: -160)

        /// The mean power, in decibels relative to full scale.
        public let averagePower: Float
        /// The peak power, in decibels relative to full scale.
        public let peakPower: Float

        package init(averagePower: Float, peakPower: Float) {
            self.averagePower = averagePower
            self.peakPower = peakPower
        }

        /// Makes a level from a mean square and a peak amplitude.
        package init(meanSquare: Float, peak: Float) {
            averagePower = Self.decibels(10 * log10f(meanSquare))
            peakPower = Self.decibels(20 * log10f(peak))
        }

        private static func decibels(_ value: Float) -> Float { value > -160 ? value : -160 }
    }

    /// An event of a recorder. Listeners receive events in the order in which they happen.
    @nonexhaustive
    public enum Event: Sendable, Hashable {
        /// The recorder's ``AudioRecorder/state`` has changed.
        case stateChanged(State, at: MonotonicTime)
        /// The recorder records from this port from now on. The event is sent at the start, and
        /// when the user selects another microphone.
        case inputChanged(PortDescription, at: MonotonicTime)
        /// The recorder records silence from now on. The event is also sent at the start of a
        /// recording that is muted.
        case microphoneMuted(by: Muter, at: MonotonicTime)
        /// The recorder records sound again from now on.
        case microphoneUnmuted(by: Muter, at: MonotonicTime)
        /// A microphone that is not muted has delivered only zeros for two seconds; it may have a
        /// switch. The event is sent once until sound arrives.
        case microphoneSilent(at: MonotonicTime)
        /// The microphone was pulled. The event is sent before the `finished` that belongs to it.
        case microphoneLost(PortDescription, at: MonotonicTime)
        /// This number of frames was lost, because the file was not written fast enough, or the
        /// process had no time to take them. An `AudioInput` sends this, too.
        case overrun(frames: Int, at: MonotonicTime)
        /// The recording failed; `finished` follows.
        case failed(AudioSessionError, at: MonotonicTime)
        /// The recording has ended, and its file is closed.
        case finished(Recording, reason: FinishReason, at: MonotonicTime)
    }

    /// The activity of the real-time thread, for tests and diagnostics.
    public struct Statistics: Sendable, Hashable {
        /// The number of cycles in which the real-time thread delivered sound.
        public var cycles: UInt64 = 0
        /// The number of frames that were dropped because the ring was full.
        public var droppedFrames: UInt64 = 0
        /// The time at which the gate last closed.
        public var gateTime: MonotonicTime?
        /// The delay from the start of PipeWire's callback that reported the loss until the gate
        /// was closed. It is `nil` if no event of PipeWire's closed it, such as at a pause.
        public var gateDelay: Duration?

        /// Makes statistics without activity.
        public init() {}
    }
}
