public import AudioSessions

extension AudioOutput {
    /// The format of an output's samples, which are interleaved 32-bit floats with full scale 1.
    public struct Format: Sendable, Hashable {
        /// The sample rate in frames per second, 1 to 768,000. PipeWire converts it if the graph
        /// has another rate.
        public var sampleRate: Int
        /// The number of channels, 1 to 8, in the order of WAV files: front left, front right,
        /// front center and so on.
        public var channelCount: Int

        /// Makes a format. The default is stereo at 48 kHz.
        ///
        /// Each parameter sets the property of its name.
        public init(sampleRate: Int = 48_000, channelCount: Int = 2) {
            self.sampleRate = sampleRate
            self.channelCount = channelCount
        }
    }

    /// An output's format and buffer, and its names in mixers.
    ///
    /// The policies for lost devices and for interruptions are part of the session's configuration.
    public struct Configuration: Sendable, Hashable {
        /// The format of the samples; `nil` takes that of the hardware in use when the output is
        /// made, which avoids a conversion.
        public var format: Format?
        /// The duration of the ring of an output without a callback. It is clamped to 1 ms to 10 s.
        public var bufferDuration: Duration
        /// The role of the sound in mixers, as ``AudioPlayer/Configuration/role``.
        public var role: AudioPlayer.Role
        /// The name of the stream in mixers.
        public var title: String
        /// The program's name in mixers; `nil` takes the manager's name, or else leaves it to
        /// PipeWire.
        public var applicationName: String?
        /// The `node.name` of the stream. The session manager stores a stream's volume under its
        /// role and names.
        public var nodeName: String?
        /// Whether calls of the render callback are timed, for debugging. A call that takes longer
        /// than the duration of its frames is reported within a second, by
        /// ``Event/callbackWasLate(count:at:)``. The clock is then read twice in each cycle.
        public var reportsLateCallbacks: Bool

        /// Makes a configuration. Every parameter has a default.
        ///
        /// Each parameter sets the property of its name.
        public init(
            format: Format? = nil, bufferDuration: Duration = .milliseconds(200), role: AudioPlayer.Role = .music,
            title: String = "Output", applicationName: String? = nil, nodeName: String? = nil,
            reportsLateCallbacks: Bool = false
        ) {
            self.format = format
            self.bufferDuration = bufferDuration
            self.role = role
            self.title = title
            self.applicationName = applicationName
            self.nodeName = nodeName
            self.reportsLateCallbacks = reportsLateCallbacks
        }
    }

    /// The activity of an output.
    @nonexhaustive
    public enum State: Sendable, Hashable {
        /// The output was not started, or was stopped.
        case stopped
        /// The callback is called, or the ring is played. The session's `silenceReasons` say
        /// whether it is heard.
        case playing
        /// The output was started and is silent until it plays again. Its callback is not called,
        /// and its ring keeps its frames.
        case paused(reason: PauseReason)
    }

    /// The reason why an output that was started is silent.
    @nonexhaustive
    public enum PauseReason: String, Sendable, Hashable, CaseIterable {
        /// The output device in use was lost. The output resumes only by its session's advice: see
        /// `AudioSession.Configuration.resumesOnReplug`.
        case routeLost
        /// Another session interrupted the output's session. The output resumes by advice.
        case interrupted
        /// The session was deactivated, or its category does not play any more.
        case sessionInactive
        /// The connection to PipeWire was lost.
        case mediaServicesLost
        /// The stream to PipeWire failed; ``Event/failed(_:at:)`` has reported why.
        case outputFailed
    }

    /// An event of an output. Listeners receive events in the order in which they happen.
    @nonexhaustive
    public enum Event: Sendable, Hashable {
        /// The output's ``AudioOutput/state`` has changed.
        case stateChanged(State, at: MonotonicTime)
        /// The output device in use was lost and the output is silent. The event is sent before
        /// ``routeChanged(_:)``.
        case becameNoisy(PortDescription, at: MonotonicTime)
        /// The output's route has changed.
        case routeChanged(RouteChange)
        /// This number of frames was silent because the ring was empty. It is reported within a
        /// second.
        case underrun(frames: Int, at: MonotonicTime)
        /// This number of calls of the render callback took longer than the duration of their
        /// frames; see ``Configuration/reportsLateCallbacks``.
        case callbackWasLate(count: Int, at: MonotonicTime)
        /// The stream to PipeWire failed.
        case failed(AudioSessionError, at: MonotonicTime)
    }

    /// The activity of the real-time thread, as of a player.
    public typealias Statistics = AudioPlayer.Statistics

    /// A C function that frees the context of a callback.
    public typealias ContextDestructor = @convention(c) @Sendable (_ context: UnsafeMutableRawPointer?) -> Void

    /// A C function that renders sound on the real-time thread, and its context.
    public struct RenderCallback: Sendable {
        /// The type of the function, which writes interleaved samples.
        ///
        /// Its parameters are the context, the samples, which are 0 at the call, the number of
        /// frames, the number of channels, the sample rate, and the time at which the first frame
        /// is heard, in nanoseconds of `CLOCK_MONOTONIC`.
        ///
        /// It must not lock, allocate, make system calls or wait, because the sound of all programs
        /// waits for it. In C it has the type `void (*)(void *, float *, uint32_t, uint32_t,
        /// uint32_t, uint64_t)`. A function written in Swift may allocate and lock without a
        /// visible call, so it is used at the program's own risk.
        public typealias Function =
            @convention(c) @Sendable (
                _ context: UnsafeMutableRawPointer?, _ samples: UnsafeMutablePointer<Float>, _ frames: UInt32,
                _ channels: UInt32, _ sampleRate: UInt32, _ time: UInt64
            ) -> Void

        let function: Function
        let context: CallbackContext

        /// Makes a callback of a C function.
        /// - Parameters:
        ///   - function: The function. It is called once in each cycle while the output plays and
        ///     its gate is open.
        ///   - context: The first argument of `function`. It must be valid until `destroyContext`
        ///     is called.
        ///   - destroyContext: A function that is called exactly once for each output with this
        ///     callback, after the last call of `function`: when the output was released and its
        ///     stream has ended. It is never called on the real-time thread.
        public init(
            _ function: Function, context: UnsafeMutableRawPointer? = nil, destroyContext: ContextDestructor? = nil
        ) {
            self.function = function
            self.context = CallbackContext(context, destroyContext)
        }
    }
}

/// The context of a callback. Only its address is stored, because the program may use the memory
/// on other threads.
struct CallbackContext: Sendable {
    private let address: UInt
    let destroy: AudioOutput.ContextDestructor?

    init(_ pointer: UnsafeMutableRawPointer?, _ destroy: AudioOutput.ContextDestructor?) {
        address = UInt(bitPattern: pointer)
        self.destroy = destroy
    }

    var pointer: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: address) }
}
